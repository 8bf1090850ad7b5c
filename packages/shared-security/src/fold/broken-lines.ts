import { Decoded } from "./decoded.ts";
import { Units } from "./units.ts";
import type { View } from "./view.ts";

/** A text put together over line ends, and where in it the pieces meet. */
export interface JoinedView {
  readonly view: View;
  /** Index in the view's text of the first character behind each join; sorted. */
  readonly joins: readonly number[];
}

/** Words before a broken one that are shown with it: they may name it. */
const BEFORE = 96;
/** What is shown behind the last join: a value and the groups of a number. */
const AFTER = 96;
/** A value goes over so many lines at most; longer blocks are files and keys, which rules of their own know. */
const MAX_LINES = 24;
/** Both halves together: shorter ones are words. */
const MIN_LENGTH = 9;
/** How far a half is followed. */
const MAX_HALF = 160;
/** What a log puts before each line is no longer. */
const MAX_PREFIX = 96;

/** Behind a first half: the end of a string with what joins it to the next, a backslash, white space. */
const BEFORE_END = /(?:["'`][ \t]{0,4}(?:[+.&]|\\)?|\\)?[ \t]{0,4}\r?$/;
/** How long that is at most. */
const MAX_ENDING = 14;
/** Before a second half: indentation, the time and level of a log, the marks of a quotation, a comment, a list or a diff, the beginning of a string. */
const AFTER_END =
  /[ \t]{0,40}(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[\w.,:+-]{0,16}\]?[ \t]{1,4}(?:\[?[A-Za-z]{4,8}\]?:?[ \t]{1,4})?)?(?:(?:[>|*+;%]|\/\/[/!]?|#{1,3}|--)[ \t]{0,8}){0,6}(?:[+.&][ \t]{0,4}(?=["'`]))?/y;
/** Within a line: the border of two strings that code joins, a tag of HTML that stands inside of words, a comment, bold and struck through. */
const INLINE_GAP =
  /(["'`])[ \t]{0,4}(?:\+|\.|&|\|\||<>)[ \t]{0,4}["'`]|<\/?(?:a|abbr|b|big|code|del|em|font|i|ins|kbd|mark|q|s|samp|small|span|strong|sub|sup|tt|u|var|wbr)\b[^<>\n]{0,60}>|<!--[^<>\n]{0,60}-->|\*\*|~~/gi;

/**
 * Views in which what a line end (or the border of two strings that code joins) cuts in two is whole again. Only where
 * both halves can be parts of a value: prose breaks its lines between words. Linear in the text.
 */
export function brokenLines(text: string): JoinedView[] {
  const views: JoinedView[] = [];
  overLines(text, views);
  withinLines(text, views);
  return views;
}

const HYPHEN = 0x2d;
const LINE_END = 0x0a;
/** What {@link BEFORE_END} may end with, besides signs that stand inside of values. */
const ENDINGS = new Set([..."\"'`&\\ \t\r"].map((sign) => sign.charCodeAt(0)));

/** All that {@link BEFORE_END} takes. */
const ENDING_SIGNS = new Set([...ENDINGS, 0x2b, 0x2e]);
/** What stands before the sign that joins two strings. */
const STRING_ENDS = new Set([..."\"'` \t"].map((sign) => sign.charCodeAt(0)));

const UNITS = new Units();
const TELLING = 2;
/** By code unit: 0 for what stands in no value, {@link TELLING} for what stands in no word. */
const SIGNS = new Uint8Array(0x10000);
for (let unit = 0; unit < 0x80; unit++) SIGNS[unit] = isTelling(unit) ? TELLING : isValue(unit) ? 1 : 0;

interface Gap {
  /** Where the first half ends. */
  readonly from: number;
  /** Where the second begins. */
  readonly to: number;
}

function overLines(text: string, views: JoinedView[]): void {
  const units = UNITS.of(text);
  let line = 0;
  for (let end = text.indexOf("\n"); end >= 0; ) {
    let gap = gapAt(text, line, end);
    if (gap === undefined || !meet(text, gap) || !mayBeBroken(units, text.length, gap)) {
      line = end + 1;
      end = text.indexOf("\n", line);
      continue;
    }
    const start = Math.max(line, gap.from - BEFORE - MAX_HALF);
    const gaps: Gap[] = [];
    while (gap !== undefined) {
      if (gaps.length < MAX_LINES) gaps.push(gap);
      line = end + 1;
      end = text.indexOf("\n", line);
      // It may go on when nothing else stands on the line.
      const next: Gap | undefined = end < 0 ? undefined : gapAt(text, line, end);
      const isWhole: boolean = next !== undefined && next.from === endOfHalf(text, gap.to);
      gap = isWhole && next !== undefined && meet(text, next) ? next : undefined;
    }
    if (!isBroken(text, gaps)) continue;
    // Where it ends nobody can say: with the last line, with the one before, or with the second.
    views.push(...joinedOver(text, start, gaps));
    if (gaps.length > 1) views.push(...joinedOver(text, start, gaps.slice(0, 1)));
    if (gaps.length > 2) views.push(...joinedOver(text, start, gaps.slice(0, -1)));
  }
}

/** A text from `start` on over the gaps to the end of the line; twice where a hyphen may be of the break. */
function joinedOver(text: string, start: number, gaps: readonly Gap[]): JoinedView[] {
  const last = gaps.at(-1)?.to ?? start;
  const stop = text.indexOf("\n", last);
  const to = Math.min(last + AFTER + MAX_HALF, stop < 0 ? text.length : stop);
  const view = joinedView(text, start, gaps, to);
  if (!gaps.some(({ from }) => text.charCodeAt(from - 1) === HYPHEN)) return [view];
  const shorter = gaps.map((gap) =>
    text.charCodeAt(gap.from - 1) === HYPHEN ? { from: gap.from - 1, to: gap.to } : gap,
  );
  return [view, joinedView(text, start, shorter, to)];
}

function joinedView(text: string, start: number, gaps: readonly Gap[], to: number): JoinedView {
  const joined = new Decoded();
  const joins: number[] = [];
  let length = 0;
  let copied = start;
  for (const gap of gaps) {
    joined.copy(text, copied, gap.from);
    length += gap.from - copied;
    joins.push(length);
    copied = gap.to;
  }
  joined.copy(text, copied, to);
  return { view: joined.view(), joins };
}

/** The gap around the line end at `end`; `line` is where its line begins. */
function gapAt(text: string, line: number, end: number): Gap | undefined {
  const last = text.charCodeAt(end - 1);
  const next = text.charCodeAt(end + 1);
  // Most lines end with a mark of a sentence, or a blank line follows: no value goes on there.
  if (!(isValue(last) || ENDINGS.has(last)) || next === LINE_END) return undefined;
  const from = isWord(last) ? end : endOfFirstHalf(text, line, end);
  if (from <= line || !isValue(text.charCodeAt(from - 1))) return undefined;
  let to = isLetter(next) ? end + 1 : startOfSecondHalf(text, end);
  // A string goes on in another string.
  if (isQuote(text.charCodeAt(from)) && isQuote(text.charCodeAt(to))) to++;
  return { from, to: Math.max(to, end + 1 + commonPrefix(text, line, end + 1)) };
}

function endOfFirstHalf(text: string, line: number, end: number): number {
  // A sign inside of a value, which joins nothing when no string ends before it.
  if (isValue(text.charCodeAt(end - 1)) && !STRING_ENDS.has(text.charCodeAt(end - 2))) return end;
  const tail = text.slice(Math.max(line, end - MAX_ENDING), end);
  return end - (BEFORE_END.exec(tail)?.[0].length ?? 0);
}

function startOfSecondHalf(text: string, end: number): number {
  AFTER_END.lastIndex = end + 1;
  return AFTER_END.test(text) ? AFTER_END.lastIndex : end + 1;
}

function isQuote(code: number): boolean {
  return code === 0x22 || code === 0x27 || code === 0x60;
}

function withinLines(text: string, views: JoinedView[]): void {
  let gaps: Gap[] = [];
  const flush = (): void => {
    const first = gaps[0];
    const last = gaps.at(-1);
    if (first !== undefined && last !== undefined) {
      const start = Math.max(text.lastIndexOf("\n", first.from) + 1, first.from - BEFORE);
      const stop = text.indexOf("\n", last.to);
      views.push(joinedView(text, start, gaps, Math.min(last.to + AFTER, stop < 0 ? text.length : stop)));
    }
    gaps = [];
  };
  for (const { 0: between, index } of text.matchAll(INLINE_GAP)) {
    const gap = { from: index, to: index + between.length };
    const last = gaps.at(-1);
    if (last !== undefined && (gaps.length >= MAX_LINES || endOfHalf(text, last.to) < gap.from)) flush();
    if (gaps.length > 0 || (meet(text, gap) && isBroken(text, [gap]))) gaps.push(gap);
  }
  flush();
}

/** Whether halves of a value may meet at a gap. */
function meet(text: string, { from, to }: Gap): boolean {
  return (
    isValue(text.charCodeAt(from - 1)) && isValue(text.charCodeAt(to)) && !isName(text, endOfHalf(text, to))
  );
}

/** Whether what ends here is the name of another value: `TOKEN=x`, `token: x`. */
function isName(text: string, end: number): boolean {
  const code = text.charCodeAt(end);
  if (code === 0x3a) return text.charCodeAt(end + 1) === 0x20;
  return code === 0x3d && isValue(text.charCodeAt(end + 1));
}

/** Whether it is worth looking on from a gap: its halves are no mere words, or more gaps may follow it. */
function mayBeBroken(units: Uint16Array, length: number, { from, to }: Gap): boolean {
  let sign = 1;
  for (let at = from - 1; sign === 1 && at >= from - MAX_HALF; at--)
    sign = at < 0 ? 0 : (SIGNS[units[at] as number] as number);
  if (sign === TELLING) return true;
  sign = 1;
  let end = to;
  for (; sign === 1 && end < to + MAX_HALF; end++)
    sign = end < length ? (SIGNS[units[end] as number] as number) : 0;
  if (sign === TELLING) return true;
  // Nothing else on the line: it may go on.
  if (sign === 0) end--;
  const limit = Math.min(length, end + MAX_ENDING + 1);
  while (end < limit && ENDING_SIGNS.has(units[end] as number)) end++;
  return end < limit && units[end] === LINE_END;
}

/** Whether a value may go on over gaps: they are not just words of a sentence. */
function isBroken(text: string, gaps: readonly Gap[]): boolean {
  const [first] = gaps;
  const last = gaps.at(-1);
  if (first === undefined || last === undefined) return false;
  let at = startOfHalf(text, first.from);
  let length = 0;
  let tells = false;
  for (const { from, to } of [...gaps, { from: endOfHalf(text, last.to), to: 0 }]) {
    length += from - at;
    for (; at < from && !tells; at++) tells = isTelling(text.charCodeAt(at));
    at = to;
  }
  return tells && length >= MIN_LENGTH;
}

/** A digit or `@`. */
function isTelling(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || code === 0x40;
}

function startOfHalf(text: string, from: number): number {
  let start = from;
  while (start > 0 && from - start < MAX_HALF && isValue(text.charCodeAt(start - 1))) start--;
  return start;
}

function endOfHalf(text: string, to: number): number {
  let end = to;
  while (end < text.length && end - to < MAX_HALF && isValue(text.charCodeAt(end))) end++;
  return end;
}

function isLetter(code: number): boolean {
  return (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
}

function isWord(code: number): boolean {
  return isLetter(code) || isDigit(code);
}

/** ASCII letters, digits and the signs inside of tokens and addresses. */
function isValue(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) ||
    ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a) ||
    code === 0x2b ||
    code === 0x2d ||
    code === 0x2e ||
    code === 0x2f ||
    code === 0x40 ||
    code === 0x5f
  );
}

/**
 * How much of the line at `next` is the beginning of the line before, digits aside: the time and the source that a log
 * puts before each line. Only with a digit in it, and up to the last sign that is neither letter nor digit.
 */
export function commonPrefix(text: string, line: number, next: number): number {
  let end = 0;
  let digits = 0;
  for (let i = 0; i < MAX_PREFIX; i++) {
    const a = text.charCodeAt(line + i);
    const b = text.charCodeAt(next + i);
    const digit = isDigit(a) && isDigit(b);
    if (!(digit || (a === b && a !== 0x0a))) break;
    if (digit) digits++;
    else if (digits > 0 && !((a | 0x20) >= 0x61 && (a | 0x20) <= 0x7a)) end = i + 1;
  }
  return end;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
