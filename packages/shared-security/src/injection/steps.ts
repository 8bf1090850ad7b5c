import type { HitList } from "./hits.ts";
import { isGap, isWide, joinsWord } from "./letters.ts";

export const PAIR_SLOTS = 1 << 16;
/** What isGap() lets pass. */
export const GAP_CODES = [9, 10, 11, 12, 13, 32, 45, 95];

/** Where a pair of characters is marked; different pairs may share a place. */
export function pairSlot(one: number, two: number): number {
  return (Math.imul(one, 0x9e3779b1) + Math.imul(two, 0x85ebca6b)) >>> 16;
}

/** Where the word that `at` stands in ends (looked for 24 characters far). */
function wordEnd(text: string, at: number): number {
  const limit = Math.min(text.length, at + 24);
  let end = at;
  while (end < limit && joinsWord(text.charCodeAt(end))) end++;
  return end;
}

/** Adds what ends at `at`: entries that take any ending, and others where the word ends too. */
export function report(
  text: string,
  from: number,
  at: number,
  outputs: readonly number[],
  hits: HitList,
  mark: number,
  inside: boolean,
): void {
  const goesOn =
    !inside && at < text.length && joinsWord(text.charCodeAt(at)) && !isWide(text.charCodeAt(at - 1));
  for (const output of outputs) {
    const anyEnding = (output & 1) === 1;
    if (goesOn && !anyEnding) continue;
    hits.put(output >> 1, from, anyEnding ? wordEnd(text, at) : at, mark);
  }
}

/** Where a run of gaps from `at` on ends. */
export function skipGap(text: string, at: number, limit: number): number {
  let end = at;
  while (end < limit && isGap(text.charCodeAt(end))) end++;
  return end;
}

/** Spreads the bits of a key of the table of wide children. */
export function hash(key: number): number {
  const mixed = Math.imul(key ^ (key >>> 15), 0x85ebca6b);
  return mixed ^ (mixed >>> 13);
}
