import {
  DEPENDS,
  DIGIT_OF,
  DROP,
  FIRST_CHINESE_DIGIT,
  FOLDED,
  foldAstral,
  LOOKS_LIKE,
} from "./characters.ts";
import { identityView, type View } from "./view.ts";

/** A row of Chinese digits as long as a mobile number is a number; shorter ones are words and years. */
const CHINESE_NUMBER = 11;
/** So many ASCII digits in a row are a number without the Chinese ones beside them. */
const OWN_NUMBER = 7;
/** How far a row of look-alike letters is followed to the Latin letter that gives it away. */
const MAX_ROW = 64;

/**
 * Folds what a reader does not see as different: full width, the digits of all scripts, mathematical letters, dashes,
 * spaces; letters of other scripts that stand among Latin ones and look like them; and drops what does not show, with
 * marks on Latin letters. Every character maps back to its place in the original. Linear in the text.
 */
export function fold(text: string): View {
  let at = 0;
  const { length } = text;
  while (at < length && FOLDED[text.charCodeAt(at)] === text.charCodeAt(at)) at++;
  return at === length ? identityView(text) : foldFrom(text, at);
}

function foldFrom(text: string, first: number): View {
  const { length } = text;
  const out = new Uint16Array(length);
  for (let i = 0; i < first; i++) out[i] = text.charCodeAt(i);
  /** For each dropped unit: the index, in the folded text, of what follows it. */
  const cuts: number[] = [];
  let size = first;
  let chineseUntil = 0;
  let changed = false;
  for (let i = first; i < length; i++) {
    const unit = text.charCodeAt(i);
    let folded = FOLDED[unit] as number;
    if (folded === DEPENDS) {
      const digit = DIGIT_OF[unit] as number;
      if (digit > 0) {
        if (unit >= FIRST_CHINESE_DIGIT && i >= chineseUntil) chineseUntil = endOfChineseNumber(text, i);
        folded = isDigitHere(text, i, chineseUntil) ? 0x2f + digit : unit;
      } else if (unit >= 0xd800 && unit <= 0xdbff) {
        const code = text.codePointAt(i) as number;
        const astral = code > 0xffff ? foldAstral(code) : undefined;
        if (astral !== undefined) {
          changed = true;
          if (astral !== DROP) out[size++] = astral;
          else cuts.push(size);
          cuts.push(size);
          i++;
          continue;
        }
        folded = unit;
      } else folded = foldAmong(text, i, unit, size > 0 ? (out[size - 1] as number) : 0);
    }
    if (folded !== unit) changed = true;
    if (folded === DROP) cuts.push(size);
    else out[size++] = folded;
  }
  if (!changed) return identityView(text);
  const visible = Buffer.from(out.buffer, 0, size * 2).toString("utf16le");
  return cuts.length === 0 ? identityView(visible) : cutView(text, visible, cuts);
}

/** A circled or raised digit counts beside another one: alone it numbers a list or a footnote. */
function isDigitHere(text: string, at: number, chineseUntil: number): boolean {
  if (text.charCodeAt(at) >= FIRST_CHINESE_DIGIT) return at < chineseUntil;
  const isRow = (unit: number): boolean => unit < FIRST_CHINESE_DIGIT && (DIGIT_OF[unit] as number) > 0;
  return (
    (at > 0 && isRow(text.charCodeAt(at - 1))) || (at + 1 < text.length && isRow(text.charCodeAt(at + 1)))
  );
}

/**
 * Where the row of digits in Chinese and ASCII that `at` is in ends, when it is a number; else `at`. Many ASCII digits
 * in it are a number of their own: `周一13800138000`.
 */
function endOfChineseNumber(text: string, at: number): number {
  let from = at;
  while (from > 0 && at - from < CHINESE_NUMBER && isAsciiDigit(text.charCodeAt(from - 1))) from--;
  let ascii = at - from;
  let longest = ascii;
  let to = at + 1;
  for (; to < text.length; to++) {
    const unit = text.charCodeAt(to);
    if (isAsciiDigit(unit)) longest = Math.max(longest, ++ascii);
    else if (isChineseDigit(unit)) ascii = 0;
    else break;
  }
  return to - from >= CHINESE_NUMBER && longest < OWN_NUMBER ? to : at;
}

function isChineseDigit(unit: number): boolean {
  return unit >= FIRST_CHINESE_DIGIT && (DIGIT_OF[unit] as number) > 0;
}

/** What a mark, a dot, or a look-alike is after the folded unit `before`. */
function foldAmong(text: string, at: number, unit: number, before: number): number {
  const like = LOOKS_LIKE[unit] as number;
  if (like > 0) return isWord(before) || latinFollows(text, at) ? like : unit;
  // Marks are drawn on what stands before them.
  if ((unit >= 0x300 && unit <= 0x36f) || (unit >= 0x20d0 && unit <= 0x20f0))
    return before > 0x20 && before < 0x7f ? DROP : unit;
  if (!isWord(before) || !isWord(FOLDED[text.charCodeAt(at + 1)] ?? 0)) return unit;
  return unit === 0x30fc ? 0x2d : 0x2e;
}

function latinFollows(text: string, at: number): boolean {
  const limit = Math.min(text.length, at + MAX_ROW);
  let i = at + 1;
  while (i < limit && (LOOKS_LIKE[text.charCodeAt(i)] as number) > 0) i++;
  return i < limit && isWord(text.charCodeAt(i));
}

function isAsciiDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

/** An ASCII letter, digit or underscore. */
function isWord(unit: number): boolean {
  return (
    isAsciiDigit(unit) || (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x61 && unit <= 0x7a) || unit === 0x5f
  );
}

function cutView(original: string, visible: string, cuts: readonly number[]): View {
  return {
    text: visible,
    originalStart: (index) => index + countUpTo(cuts, index),
    originalEnd: (index) => {
      if (index === 0) return 0;
      const end = index + countUpTo(cuts, index - 1);
      // What was two units and is one: the second belongs to it.
      return isHigh(original.charCodeAt(end - 1)) && isLow(original.charCodeAt(end)) ? end + 1 : end;
    },
  };
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
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
