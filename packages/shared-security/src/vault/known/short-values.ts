import type { Owner, Span } from "./pattern.ts";

/** Values shorter than this must stand as words of their own ("Li" is not in "Listen"). */
const WORD_BELOW = 6;
const MAX_LENGTH = 7;

/** Values of two to seven units: names, codes. Found exactly as they are. */
export class ShortValues {
  readonly #owners = new Map<string, Owner[]>();
  /** How many values have each length. */
  readonly #lengths = new Uint32Array(MAX_LENGTH + 1);
  /** Whether any value starts with these two units. Bits stay when values go: that costs a look, no more. */
  readonly #starts = new Uint8Array(1 << 16);

  get size(): number {
    return this.#owners.size;
  }

  add(text: string, owner: Owner): void {
    const owners = this.#owners.get(text);
    if (owners !== undefined) {
      owners.push(owner);
      return;
    }
    this.#owners.set(text, [owner]);
    this.#lengths[text.length] = (this.#lengths[text.length] ?? 0) + 1;
    this.#starts[pairHash(text.charCodeAt(0), text.charCodeAt(1))] = 1;
  }

  remove(text: string, owner: Owner): void {
    const left = this.#owners.get(text)?.filter((other) => other !== owner) ?? [];
    if (left.length > 0) this.#owners.set(text, left);
    else if (this.#owners.delete(text)) this.#lengths[text.length] = (this.#lengths[text.length] ?? 1) - 1;
  }

  /** Note every place where a value stands. */
  scan(text: string, spans: Span[]): void {
    const starts = this.#starts;
    let before = text.charCodeAt(0);
    for (let i = 1; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (starts[pairHash(before, unit)] === 1) this.#match(text, i - 1, spans);
      before = unit;
    }
  }

  #match(text: string, at: number, spans: Span[]): void {
    for (let length = 2; length <= MAX_LENGTH; length++) {
      if (this.#lengths[length] === 0) continue;
      const end = at + length;
      if (end > text.length) return;
      const owner = this.#owners.get(text.slice(at, end))?.[0];
      if (owner !== undefined && (length >= WORD_BELOW || standsAlone(text, at, end)))
        spans.push({ start: at, end, owner });
    }
  }
}

function pairHash(first: number, second: number): number {
  return (Math.imul(first, 31) ^ second) & 0xffff;
}

function standsAlone(text: string, start: number, end: number): boolean {
  return !(
    (isWord(text.charCodeAt(start)) && isWord(text.charCodeAt(start - 1))) ||
    (isWord(text.charCodeAt(end - 1)) && isWord(text.charCodeAt(end)))
  );
}

/** ASCII letter or digit; NaN (beyond an end of the text) is none. */
function isWord(unit: number): boolean {
  return (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122);
}
