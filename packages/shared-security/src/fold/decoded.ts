import type { View } from "./view.ts";

/** Marks a piece that was copied: each of its characters came from one of its own. */
const COPIED = -1;

/** Collects decoded characters, piece by piece, with the places that they came from. */
export class Decoded {
  /** Per piece: where it begins in the decoded text. */
  readonly #at: number[] = [];
  /** Per piece: where it began. */
  readonly #starts: number[] = [];
  /** Per piece: where it ended, or {@link COPIED}. */
  readonly #ends: number[] = [];
  #text = "";

  /** Whether nothing was added yet. */
  get isEmpty(): boolean {
    return this.#text === "";
  }

  /** `characters` stood as `[start, end)`; none are added for what shows nothing. */
  add(characters: string, start: number, end: number): void {
    if (characters !== "") this.#piece(characters, start, end);
  }

  /** `[from, to)` of `text` as it is. */
  copy(text: string, from: number, to: number): void {
    if (from < to) this.#piece(text.slice(from, to), from, COPIED);
  }

  #piece(characters: string, start: number, end: number): void {
    this.#at.push(this.#text.length);
    this.#starts.push(start);
    this.#ends.push(end);
    this.#text += characters;
  }

  view(): View {
    const at = this.#at;
    const starts = this.#starts;
    const ends = this.#ends;
    const text = this.#text;
    const { length } = text;
    const startOf = (index: number): number => {
      const piece = lastUpTo(at, index);
      const start = starts[piece] as number;
      return ends[piece] === COPIED ? start + index - (at[piece] as number) : start;
    };
    const endOf = (index: number): number => {
      const piece = lastUpTo(at, index);
      const end = ends[piece] as number;
      return end === COPIED ? (starts[piece] as number) + index - (at[piece] as number) + 1 : end;
    };
    return {
      text,
      originalStart: (index) => (length === 0 ? 0 : index < length ? startOf(index) : endOf(length - 1)),
      originalEnd: (index) => (length === 0 ? 0 : index === 0 ? startOf(0) : endOf(index - 1)),
    };
  }
}

/** Index of the last of the sorted numbers that is at most `limit`; the first is 0. */
function lastUpTo(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((sorted[middle] as number) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}
