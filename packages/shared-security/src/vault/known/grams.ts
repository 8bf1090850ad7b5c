/** Hashes of eight units at every place of a text: Karp and Rabin 1987, filtered as by Bloom 1970. */

/** Units hashed together. */
export const GRAM = 8;

const BASE = 0x01000193;
/** BASE to the power GRAM - 1: the weight of the oldest unit. */
const OLDEST = (() => {
  let power = 1;
  for (let i = 1; i < GRAM; i++) power = Math.imul(power, BASE);
  return power;
})();

/** Most bits of a filter: 2 MB. */
const MAX_BITS = 24;

/** Hash of the gram at `at` of a folded string. */
export function gramHash(folded: string, at: number): number {
  let rolling = 0;
  for (let i = at; i < at + GRAM; i++) rolling = (Math.imul(rolling, BASE) + folded.charCodeAt(i)) | 0;
  return mix(rolling);
}

/** Hash of the gram at `at` of folded units; equal to `gramHash` of the same text. */
export function gramHashAt(folded: Uint16Array, at: number): number {
  let rolling = 0;
  for (let i = at; i < at + GRAM; i++) rolling = (Math.imul(rolling, BASE) + (folded[i] ?? 0)) | 0;
  return mix(rolling);
}

/** The high bits of a rolling hash do not yet know the last units, nor the low ones the first: spread them. */
function mix(rolling: number): number {
  return Math.imul(rolling ^ (rolling >>> 15), 0x9e3779b1);
}

/** Three bits of a word of 32. */
function bitsOf(hash: number): number {
  return (1 << hash) | (1 << (hash >>> 5)) | (1 << (hash >>> 10));
}

/**
 * The set of hashes looked for, as bits: most places of a text are done with one look at it. All bits of a hash are in
 * one word (a blocked filter: Putze, Sanders and Singler 2007), so that there is one load and one branch a place, which
 * is hardly ever taken.
 */
export class GramFilter {
  #bits = 16;
  #words = new Uint32Array(1 << 11);

  /** Add a hash; `all` are the hashes so far, for when the filter must grow. */
  add(hash: number, count: number, all: Iterable<number>): void {
    this.#set(hash);
    if (count * 16 <= 2 ** this.#bits || this.#bits >= MAX_BITS) return;
    this.#bits = Math.min(MAX_BITS, this.#bits + 2);
    this.#words = new Uint32Array(2 ** (this.#bits - 5));
    for (const known of all) this.#set(known);
  }

  /** The next place from `from` on where a hash of the set may stand; -1 when there is none. */
  next(folded: Uint16Array, length: number, from: number): number {
    return nextCandidate(folded, this.#words, 37 - this.#bits, from, length);
  }

  #set(hash: number): void {
    const word = hash >>> (37 - this.#bits);
    this.#words[word] = (this.#words[word] ?? 0) | bitsOf(hash);
  }
}

/** The hot loop of all matching: nothing but arithmetic on typed arrays. */
function nextCandidate(
  folded: Uint16Array,
  filter: Uint32Array,
  shift: number,
  from: number,
  length: number,
): number {
  const last = length - GRAM;
  if (from > last) return -1;
  let rolling = 0;
  for (let i = from; i < from + GRAM - 1; i++)
    rolling = (Math.imul(rolling, BASE) + (folded[i] as number)) | 0;
  for (let at = from; at <= last; at++) {
    rolling = (Math.imul(rolling, BASE) + (folded[at + GRAM - 1] as number)) | 0;
    const hash = mix(rolling);
    const bits = bitsOf(hash);
    if (((filter[hash >>> shift] as number) & bits) === bits) return at;
    rolling = (rolling - Math.imul(folded[at] as number, OLDEST)) | 0;
  }
  return -1;
}
