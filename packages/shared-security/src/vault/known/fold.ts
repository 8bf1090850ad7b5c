/** Folding one UTF-16 unit to one unit, so that offsets stay: lower case, full width to ASCII, invisible to 0. */

import { Units } from "../../fold/units.ts";

/** What characters fold to that do not show and may split a value. */
export const INVISIBLE = 0;

/** Soft hyphen, zero-width characters and joiners, direction marks, word joiner, BOM. */
const INVISIBLE_UNITS = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/;

/** The folded form of each UTF-16 code unit. */
export const FOLD: Uint16Array = (() => {
  const table = new Uint16Array(0x10000);
  for (let unit = 0; unit < table.length; unit++) {
    const char = String.fromCharCode(unit);
    const wide = unit >= 0xff01 && unit <= 0xff5e ? String.fromCharCode(unit - 0xfee0) : char;
    const lower = wide.toLowerCase();
    table[unit] = INVISIBLE_UNITS.test(char) ? INVISIBLE : (lower.length === 1 ? lower : wide).charCodeAt(0);
  }
  table[0x3000] = 0x20;
  return table;
})();

/** `text` without invisible characters; `offsets[i]` is where unit `i` of it stood. */
export function withoutInvisible(text: string): { text: string; offsets: Uint32Array } {
  const offsets = new Uint32Array(text.length);
  let plain = "";
  let from = 0;
  let at = 0;
  for (let i = 0; i < text.length; i++) {
    if (FOLD[text.charCodeAt(i)] === INVISIBLE) {
      plain += text.slice(from, i);
      from = i + 1;
    } else offsets[at++] = i;
  }
  return { text: plain + text.slice(from), offsets: offsets.subarray(0, at) };
}

/** One array used again and again: folding is synchronous, and no two folded texts are needed at once. */
const UNITS = new Units();

/** A folded text; `units` is longer than the text and good until the next call. */
export interface Folded {
  units: Uint16Array;
  length: number;
}

/** Fold a text into the shared array. */
export function foldShared(text: string): Folded {
  const { length } = text;
  const units = UNITS.of(text);
  for (let i = 0; i < length; i++) units[i] = FOLD[units[i] as number] as number;
  return { units, length };
}

/** The folded text as a string. */
export function foldText(text: string): string {
  let folded = "";
  for (let i = 0; i < text.length; i++) folded += String.fromCharCode(FOLD[text.charCodeAt(i)] ?? 0);
  return folded;
}
