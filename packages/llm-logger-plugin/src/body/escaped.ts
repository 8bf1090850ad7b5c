/** A body as it stands inside a JSON string, built piece by piece where the line that holds it will be written from. */
import { giveBack, growMemory, takeMemory } from "./memory.ts";

/** Room before the text for the rest of the line, so that the line is whole without another copy. */
const HEAD_ROOM = 8 * 1024;

/** Escaped at once: strings of this size are cheap to make and to forget. */
const WINDOW = 64 * 1024;

export class EscapedText {
  #memory: Buffer | undefined = takeMemory(HEAD_ROOM);
  #end = HEAD_ROOM;

  /** Adds text that is escaped already, one byte a character. */
  add(escaped: string): void {
    const memory = this.#room(escaped.length);
    memory.write(escaped, this.#end, "latin1");
    this.#end += escaped.length;
  }

  /** Adds UTF-8 text and escapes it: read as one byte a character, bytes above ASCII need no escape in JSON. */
  addBytes(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; at += WINDOW)
      this.add(escapeBytes(bytes.toString("latin1", at, at + WINDOW)));
  }

  /**
   * The bytes of `head`, the text and `tail`, one after the other. Valid until the next call of anything here.
   * @param head @param tail as UTF-16 text
   */
  between(head: string, tail: string): Buffer {
    const headBytes = Buffer.byteLength(head);
    const tailBytes = Buffer.byteLength(tail);
    const memory = this.#room(tailBytes);
    memory.write(tail, this.#end, "utf8");
    if (headBytes > HEAD_ROOM)
      return Buffer.concat([Buffer.from(head, "utf8"), memory.subarray(HEAD_ROOM, this.#end + tailBytes)]);
    const start = HEAD_ROOM - headBytes;
    memory.write(head, start, "utf8");
    return memory.subarray(start, this.#end + tailBytes);
  }

  /** Gives the memory back: nothing that `between()` gave may be read any more. */
  release(): void {
    if (this.#memory) giveBack(this.#memory);
    this.#memory = undefined;
    this.#end = HEAD_ROOM;
  }

  #room(bytes: number): Buffer {
    this.#memory ??= takeMemory(HEAD_ROOM);
    const end = this.#end + bytes;
    if (end > this.#memory.length) this.#memory = growMemory(this.#memory, this.#end, end);
    return this.#memory;
  }
}

/** The inside of a JSON string: bytes of UTF-8 need no escape, so it works on one byte a character too. */
export function escapeBytes(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** UTF-8 text from a string that holds one byte a character. */
export function decodeBytes(raw: string): string {
  return /^[\t -~]*$/.test(raw) ? raw : Buffer.from(raw, "latin1").toString("utf8");
}
