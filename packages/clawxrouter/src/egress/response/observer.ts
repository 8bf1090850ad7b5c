import { asObject, type JsonObject, parseJson } from "../json.ts";
import type { Protocol } from "../protocols/types.ts";
import type { Usage } from "../types.ts";

/** Marks of a text worth parsing for token usage. */
const USAGE = /"(?:usage|usageMetadata|eval_count)"/;
/** Marks of a text that holds a reasoning signature. */
const SIGNED = /"(?:signature|encrypted_content|thought_?signature|redacted_thinking|reasoning\.encrypted)"/i;

/** Reads along in an answer without touching it. */
export class ResponseObserver {
  readonly #protocol: Protocol;
  readonly #onSignatures: ((event: JsonObject) => void) | undefined;
  readonly #onId: ((id: string) => void) | undefined;
  #usage: Usage | undefined;

  constructor(protocol: Protocol, onSignatures?: (event: JsonObject) => void, onId?: (id: string) => void) {
    this.#protocol = protocol;
    this.#onSignatures = onSignatures;
    this.#onId = onId;
  }

  /** Usage seen so far; later events add to earlier ones (Anthropic tells input first, output last). */
  get usage(): Usage | undefined {
    return this.#usage;
  }

  /**
   * Looks at an event or a whole answer.
   * @param data its JSON text
   * @param parsed the same parsed, when it is at hand; else it is parsed only if the text says something
   */
  see(data: string, parsed?: JsonObject): void {
    const tellsUsage = USAGE.test(data);
    const isSigned = this.#onSignatures !== undefined && SIGNED.test(data);
    if (!tellsUsage && !isSigned) return;
    const event = parsed ?? asObject(parseJson(data));
    if (!event) return;
    const usage = tellsUsage ? this.#protocol.usage(event) : undefined;
    if (usage) {
      const told = Object.entries(usage).filter(([, value]) => value !== undefined);
      this.#usage = { ...this.#usage, ...Object.fromEntries(told) };
    }
    const id = this.#protocol.answerId?.(event);
    if (id !== undefined) this.#onId?.(id);
    if (isSigned) this.#onSignatures?.(event);
  }
}
