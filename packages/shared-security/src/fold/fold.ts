import {
  DEPENDS,
  DIGIT_OF,
  DROP,
  FIRST_CHINESE_DIGIT,
  FOLDED,
  foldAstral,
  LOOKS_LIKE,
} from "./characters.ts";
import { Units } from "./units.ts";
import { identityView, type View } from "./view.ts";

const UNITS = new Units();

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
  const { length } = text;
  const units = UNITS.of(text);
  const first = firstFolded(units, length);
  if (first === length) return identityView(text);
  const pieces: string[] = [];
  let size = 0;
  /** For each dropped unit: the index, in the folded text, of what follows it. */
  const cuts: number[] = [];
  /** Where the part begins that was not taken over yet: what stands there folds to itself. */
  let from = 0;
  /** The last unit of the pieces; 0 when there is none. */
  let last = 0;
  let chineseUntil = 0;
  for (let i = first; i < length; i++) {
    const unit = units[i] as number;
    let folded = FOLDED[unit] as number;
    if (folded === unit && unit !== DROP) continue;
    let width = 1;
    if (folded === DEPENDS) {
      const digit = DIGIT_OF[unit] as number;
      if (unit === ESCAPE) {
        width = lengthOfControl(text, i);
        if (width === 0) continue;
        folded = DROP;
      } else if (digit > 0) {
        if (unit >= FIRST_CHINESE_DIGIT && i >= chineseUntil) chineseUntil = endOfChineseNumber(text, i);
        if (!isDigitHere(text, i, chineseUntil)) continue;
        folded = 0x2f + digit;
      } else if (unit >= 0xd800 && unit <= 0xdbff) {
        const astral = foldAstral(text.codePointAt(i) as number);
        if (astral === undefined) continue;
        folded = astral;
        width = 2;
      } else {
        folded = foldAmong(text, i, unit, i > from ? text.charCodeAt(i - 1) : last);
        if (folded === unit) continue;
      }
    }
    if (i > from) {
      pieces.push(text.slice(from, i));
      size += i - from;
      last = text.charCodeAt(i - 1);
    }
    if (folded !== DROP) {
      pieces.push(String.fromCharCode(folded));
      size++;
      last = folded;
    }
    for (let dropped = folded === DROP ? 0 : 1; dropped < width; dropped++) cuts.push(size);
    i += width - 1;
    from = i + 1;
  }
  if (from === 0) return identityView(text);
  pieces.push(text.slice(from));
  const visible = pieces.join("");
  return cuts.length === 0 ? identityView(visible) : cutView(text, visible, cuts);
}

/** Where the first unit stands that may not fold to itself; `length` in most texts. */
function firstFolded(units: Uint16Array, length: number): number {
  let i = 0;
  while (i < length && FOLDED[units[i] as number] === units[i] && units[i] !== DROP) i++;
  return i;
}

const ESCAPE = 0x1b;
/** A control sequence of a terminal, as colours are: CSI, parameters, a final letter (ECMA-48, section 5.4). */
const CONTROL_SEQUENCE = new RegExp(`${String.fromCharCode(ESCAPE)}\\[[0-?]{0,32}[ -/]{0,4}[@-~]`, "y");

function lengthOfControl(text: string, at: number): number {
  if (text.charCodeAt(at + 1) !== 0x5b) return 0;
  CONTROL_SEQUENCE.lastIndex = at;
  return CONTROL_SEQUENCE.test(text) ? CONTROL_SEQUENCE.lastIndex - at : 0;
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
