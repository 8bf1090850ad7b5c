import { endianness } from "node:os";

/** Larger arrays are given back after use, in units. */
const MAX_KEPT = 1 << 20;
const FIRST_SIZE = 1 << 14;

const IS_LITTLE_ENDIAN = endianness() === "LE";

/**
 * The UTF-16 units of texts as an array, which a loop reads much faster than a string. There is one array, used again
 * and again: what `of` gives is longer than the text and good until the next call.
 */
export class Units {
  #array = new Uint16Array(FIRST_SIZE);
  #bytes = Buffer.from(this.#array.buffer);

  of(text: string): Uint16Array {
    const { length } = text;
    const units = this.atLeast(length);
    if (IS_LITTLE_ENDIAN) this.#bytes.write(text, "utf16le");
    else for (let i = 0; i < length; i++) units[i] = text.charCodeAt(i);
    return units;
  }

  /** The array with room for so many units, whatever stands in it. */
  atLeast(length: number): Uint16Array {
    if (this.#array.length < length) this.#resize(Math.max(length, this.#array.length * 2));
    else if (this.#array.length > MAX_KEPT && length < MAX_KEPT) this.#resize(MAX_KEPT);
    return this.#array;
  }

  #resize(size: number): void {
    this.#array = new Uint16Array(size);
    this.#bytes = Buffer.from(this.#array.buffer);
  }
}
