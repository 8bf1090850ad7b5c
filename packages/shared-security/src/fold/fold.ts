import { identityView, type View } from "./view.ts";

/**
 * Characters that show nothing: soft hyphen, Mongolian vowel separator, zero-width space/joiners, word joiner and
 * invisible operators, BOM, directional marks and overrides, combining grapheme joiner (Unicode 16, general category
 * Cf and `Default_Ignorable_Code_Point`; only those in the BMP).
 */
const INVISIBLE = /[\u034f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/;
const EVERY_INVISIBLE = new RegExp(INVISIBLE.source, "g");
const FULL_WIDTH = /[\uff01-\uff5e\u3000\u2010-\u2015\u2212\u00a0\u2007\u202f]/g;
const ANY_FOLDABLE =
  /[\u034f\u00a0\u00ad\u061c\u180e\u2007\u200b-\u2015\u202a-\u202f\u2060-\u2064\u2066-\u206f\u2212\u3000\ufeff\uff01-\uff5e]/;

/**
 * Folds what a reader does not see as different: full-width ASCII to ASCII (Unicode block FF01-FF5E), the dashes and
 * fixed-width spaces to `-` and space, and drops invisible characters. Length changes only where something invisible
 * was; every character maps back to its place in the original.
 */
export function fold(text: string): View {
  const first = text.search(ANY_FOLDABLE);
  if (first < 0) return identityView(text);
  const rest = text.slice(first);
  const ascii = text.slice(0, first) + rest.replace(FULL_WIDTH, toAscii);
  return INVISIBLE.test(rest) ? dropInvisible(ascii) : identityView(ascii);
}

function toAscii(character: string): string {
  const code = character.charCodeAt(0);
  if (code >= 0xff01) return String.fromCharCode(code - 0xfee0);
  return code === 0x3000 || code === 0xa0 || code === 0x2007 || code === 0x202f ? " " : "-";
}

function dropInvisible(text: string): View {
  /** For each dropped character: the index, in the visible text, of what follows it. */
  const cuts: number[] = [];
  let visible = "";
  let from = 0;
  for (const match of text.matchAll(EVERY_INVISIBLE)) {
    visible += text.slice(from, match.index);
    cuts.push(visible.length);
    from = match.index + 1;
  }
  visible += text.slice(from);
  return {
    text: visible,
    originalStart: (index) => index + countUpTo(cuts, index),
    originalEnd: (index) => (index === 0 ? 0 : index + countUpTo(cuts, index - 1)),
  };
}

/** How many of the sorted numbers are at most `limit`. */
function countUpTo(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
