import { Decoded } from "../../fold/decoded.ts";
import type { View } from "../../fold/view.ts";

/** Shorter numbers in groups are too common to be anybody's. */
const MIN_DIGITS = 9;
const SEPARATED = /\d(?:[ \t.,/_-]{0,3}(?:\r?\n[ \t]{0,8})?\d){8,40}/g;

/** Whether a value is a number with enough digits to be told apart: a phone, a card, an identity number. */
export function isNumber(value: string): boolean {
  return /^[\d ()+.X-]+$/i.test(value) && value.replace(/\D/g, "").length >= MIN_DIGITS;
}

/** The numbers of a text that stand in groups or are broken by a line end, without what parts them; each on its line. */
export function joinNumbers(text: string): View | undefined {
  const joined = new Decoded();
  let any = false;
  for (const { 0: number, index } of text.matchAll(SEPARATED)) {
    if (/^\d+$/.test(number)) continue;
    any = true;
    for (let i = 0; i < number.length; i++) {
      if (/\d/.test(number[i] as string)) joined.add(number[i] as string, index + i, index + i + 1);
    }
    const end = index + number.length;
    const check = /^[ -]?[Xx](?![A-Za-z])/.exec(text.slice(end, end + 3));
    if (check !== null) joined.add("X", end, end + check[0].length);
    joined.add("\n", end, end);
  }
  return any ? joined.view() : undefined;
}
