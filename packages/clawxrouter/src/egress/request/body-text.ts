import { hash } from "node:crypto";
import { decodeInTurns } from "./bytes.ts";

/**
 * The text of a request's body. As it came, in UTF-8, only what is asked for is decoded: of a long conversation that is
 * the end. Places are bytes then, else UTF-16 units; either way {@link BodyText.structure} has them.
 */
export class BodyText {
  readonly #source: string | Buffer;
  #structure: string | undefined;

  constructor(source: string | Buffer) {
    this.#source = source;
  }

  /** Length, in the unit of its places. */
  get length(): number {
    return this.#source.length;
  }

  /** A text with the same ASCII characters at the same places: all that JSON is built of. */
  get structure(): string {
    this.#structure ??= typeof this.#source === "string" ? this.#source : this.#source.toString("latin1");
    return this.#structure;
  }

  /** SHA-256 of a part. */
  digest(start: number, end: number): string {
    const source = this.#source;
    return hash(
      "sha256",
      typeof source === "string" ? source.slice(start, end) : source.subarray(start, end),
      "binary",
    );
  }

  /** All of it but what stands at `[start, end)`, which begins and ends between ASCII characters. */
  async without(start: number, end: number): Promise<string> {
    const source = this.#source;
    if (typeof source === "string") return source.slice(0, start) + source.slice(end);
    return (await decodeInTurns(source.subarray(0, start))) + (await decodeInTurns(source.subarray(end)));
  }

  /** All of it. */
  async whole(): Promise<string> {
    return typeof this.#source === "string" ? this.#source : await decodeInTurns(this.#source);
  }
}
