import { RE2JS, RE2JSSyntaxException, RE2Set } from "re2js";
import type { PrivateLevel } from "../types.ts";
import { Budget } from "./budget.ts";
import { RuleError } from "./rule-error.ts";

/** One of the user's regular expressions, compiled. */
export interface UserPattern {
  readonly regex: RE2JS;
  readonly level: PrivateLevel;
  /** Where it stands in the configuration: `patterns.S2[3]`. */
  readonly where: string;
  /** Whether no match can reach over a line end, so that long texts can be searched block by block. */
  readonly withinLine: boolean;
  /** Longest match in code units, when there is one and what stands around a match does not matter. */
  readonly reach: number | undefined;
}

export interface PatternMatch {
  readonly start: number;
  readonly end: number;
  readonly pattern: UserPattern;
}

/** Finding *where* costs ten times what finding *whether* costs; blocks keep the first to where the second said yes. */
const BLOCK = 4096;

/** Parts of a pattern that can match a line end: classes of spaces, negated classes, dot-all, escapes for it. */
const MAY_CROSS_LINES = /\\[sSDWPpnrvxCQ]|\[\^(?!\\s)|\(\?[a-z]*s|[\n\r]|\[:/;

/**
 * How many instructions of RE2's program counted repetitions may make: it writes `a{500}` out, and all of that may be
 * looked at for each character. A stretch of {@link BLOCK} takes at most about 40 ms so. Words in a list count for
 * nothing here: no more than a few of them are under way at a time.
 */
const MAX_REPEATED = 500;
const COUNT = /(?<!\\x)\{(\d+)(?:,(\d*))?\}/g;

/** A code point has at most two code units, and an instruction takes at most one code point. */
const UNITS_A_STEP = 2;

/**
 * Compiles one pattern.
 * @throws RuleError when RE2 does not accept it, it matches the empty text, or its counted repetitions are too large.
 */
export function compilePattern(where: string, text: string, level: PrivateLevel): UserPattern {
  if (text === "") throw new RuleError(where, text, 0, "empty pattern");
  let regex: RE2JS;
  try {
    regex = RE2JS.compile(text);
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    const position = error.input === null ? 0 : Math.max(0, text.indexOf(error.input));
    throw new RuleError(where, text, position, `RE2 does not accept this pattern (${error.error})`);
  }
  if (regex.test("")) {
    throw new RuleError(
      where,
      text,
      0,
      "the pattern matches even the empty text, so it would match everywhere",
    );
  }
  const steps = regex.programSize();
  const repeated = steps - sizeWithoutCounts(text);
  if (repeated > MAX_REPEATED) {
    throw new RuleError(
      where,
      text,
      largestCount(text),
      `counted repetitions make ${repeated} steps of this pattern, ${MAX_REPEATED} are allowed, for it would hold up every text: use smaller counts, or + or * instead,`,
    );
  }
  const reach = isBounded(text) && !isAnchored(text) ? steps * UNITS_A_STEP : undefined;
  return { regex, level, where, withinLine: !MAY_CROSS_LINES.test(text) && !isAnchored(text), reach };
}

function sizeWithoutCounts(text: string): number {
  try {
    return RE2JS.compile(text.replace(COUNT, "")).programSize();
  } catch (error) {
    // `a{2}*` is a pattern, `a**` is not.
    if (error instanceof RE2JSSyntaxException) return 0;
    throw error;
  }
}

function largestCount(text: string): number {
  let position = 0;
  let largest = 0;
  for (const match of text.matchAll(COUNT)) {
    const count = Math.max(Number(match[1]), Number(match[2] ?? 0));
    if (count <= largest) continue;
    largest = count;
    position = match.index;
  }
  return position;
}

/** Whether no repetition is without end, and nothing looks at what stands around a match. */
function isBounded(text: string): boolean {
  const bare = text.replace(/\\Q[\s\S]*/, "*").replace(/\\[bBAz]/g, "*");
  return !/[*+]|\{\d+,\}/.test(bare.replace(/\\[\s\S]|\[\^?\]?(?:\\.|[^\]\\])*\]/g, ""));
}

/** Whether `^`, `$` and their like tie the pattern to what stands around a match, which a block would cut off. */
function isAnchored(text: string): boolean {
  return /[\^$]|\\[Az]|\(\?<[=!]/.test(text.replace(/\[\^|\\[\^$]/g, ""));
}

/** Finds many patterns: one automaton says which of them occur at all, in time linear in the text. */
export class PatternFinder {
  readonly #patterns: readonly UserPattern[];
  readonly #set: RE2Set;

  constructor(patterns: readonly UserPattern[]) {
    this.#patterns = patterns;
    this.#set = new RE2Set();
    for (const pattern of patterns) this.#set.add(pattern.regex.pattern());
    this.#set.compile();
  }

  /**
   * All matches, pattern by pattern. Where locating them would take longer than a {@link Budget}, the rest of the text
   * counts as a match of each pattern that occurs in it: too much is hidden then, never too little.
   */
  find(text: string): PatternMatch[] {
    const matches: PatternMatch[] = [];
    const occurring = this.#set.match(text);
    if (occurring.length === 0) return matches;
    const budget = new Budget(text.length);
    for (const index of occurring) locate(this.#patterns[index] as UserPattern, text, budget, matches);
    return matches;
  }
}

/** Adds the matches of a pattern that occurs in `text`. */
function locate(pattern: UserPattern, text: string, budget: Budget, matches: PatternMatch[]): void {
  let done = 0;
  for (const { from, to, until } of parts(pattern, text)) {
    // A match of the part before may reach into this one.
    const start = Math.max(from, done);
    const part = from === 0 && until === text.length ? text : text.slice(start, until);
    if (start >= to) continue;
    done = start;
    if (budget.isSpent()) break;
    if (part !== text && !pattern.regex.test(part)) continue;
    const matcher = pattern.regex.matcher(part);
    while (!budget.isSpent() && matcher.find() && start + matcher.start() < to) {
      const end = start + matcher.end();
      if (end === start + matcher.start()) continue;
      matches.push({ start: start + matcher.start(), end, pattern });
      done = end;
    }
  }
  if (budget.isSpent() && done < text.length) matches.push({ start: done, end: text.length, pattern });
}

/** A stretch of a text: matches begin in `[from, to)` and end by `until`. */
interface Part {
  readonly from: number;
  readonly to: number;
  readonly until: number;
}

/** The parts of a text that a pattern is searched in one by one: lines, or windows, or all of it. */
function* parts({ withinLine, reach }: UserPattern, text: string): Generator<Part> {
  const { length } = text;
  const isWhole = length <= BLOCK || (!withinLine && reach === undefined);
  for (let from = 0; from < length; ) {
    let to = isWhole ? length : wholeCharacter(text, from + BLOCK);
    if (reach !== undefined) yield { from, to, until: wholeCharacter(text, to + reach) };
    else {
      if (to < length) {
        const lineEnd = text.indexOf("\n", to);
        to = lineEnd < 0 ? length : lineEnd + 1;
      }
      yield { from, to, until: to };
    }
    from = to;
  }
}

/** `at`, or behind the surrogate pair that it cuts; the end of the text at the latest. */
function wholeCharacter(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const unit = text.charCodeAt(at - 1);
  return unit >= 0xd800 && unit <= 0xdbff ? at + 1 : at;
}
