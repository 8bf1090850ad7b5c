import type { Automaton } from "../automaton/automaton.ts";
import { Units } from "../fold/units.ts";
import type { MatchContext, Rule } from "../rules/rule.ts";
import type { CompiledRule, KeywordUse, Ruleset } from "./ruleset.ts";

/** A match of a rule in a view's text, before it is mapped to the original. */
export interface Match {
  readonly start: number;
  readonly end: number;
  /** Index into {@link Ruleset.rules}. */
  readonly rule: number;
}

/** The shortest number worth a look: a local phone number, or an IPv4 address by its dots. */
const MIN_DIGITS = 7;
const MIN_DOTS = 3;
const MIN_GROUP = 3;
/** How far a number is followed over separators before it is handed to the rules. */
const MAX_NUMBER_SPAN = 32;

const UNITS = new Units();

const DIGIT_ZERO = 0x30;
/** Classes 1 to 10 of the automaton. */
const DIGIT_CLASSES = 10;

/**
 * One pass over `text`; at each keyword or number the rules that asked for it are tried.
 * @param isOn whether the rule of this index takes part.
 */
export function scan(ruleset: Ruleset, text: string, isOn: (rule: number) => boolean): Match[] {
  const matches: Match[] = [];
  const { lastTried, lastEnd } = triesOf(ruleset);

  /** The gate asked last: rules that share a keyword share its gate, and the answer is the same for all of them. */
  let gateAsked: Rule["gate"];
  let gateAt = -1;
  let gateOpen = false;

  const attempt = (rule: number, at: number): void => {
    if (lastTried[rule] === at || at < (lastEnd[rule] as number)) return;
    lastTried[rule] = at;
    const { gate } = (ruleset.rules[rule] as CompiledRule).rule;
    if (gate !== undefined) {
      if (gate !== gateAsked || at !== gateAt) {
        gateAsked = gate;
        gateAt = at;
        gateOpen = gate(text, at);
      }
      if (!gateOpen) return;
    }
    if (!isOn(rule)) return;
    const match = tryRule(ruleset, rule, text, at, matches);
    if (match === undefined) return;
    lastEnd[rule] = match.end;
    matches.push(match);
  };

  const walk = new Walk(ruleset.automaton, UNITS.of(text), text.length);
  const { outputs } = ruleset.automaton;
  let numberEnd = 0;
  for (let i = walk.next(0); i < text.length; i = walk.next(i + 1)) {
    const digit = text.charCodeAt(i) - DIGIT_ZERO;
    if (i >= numberEnd && digit >= 0 && digit <= 9) {
      numberEnd = endOfDigits(text, i);
      if (isNumberCandidate(text, i)) {
        const rules = ruleset.byFirstDigit[digit] as readonly number[];
        for (let r = 0; r < rules.length; r++) attempt(rules[r] as number, i);
      }
    }
    if ((walk.state & 1) === 0) continue;
    for (const { keyword, length } of outputs.get(walk.state >> 1) ?? []) {
      const uses = ruleset.byKeyword[keyword] as readonly KeywordUse[];
      const start = i + 1 - length;
      for (let u = 0; u < uses.length; u++) {
        const { rule, exact } = uses[u] as KeywordUse;
        if (exact === undefined || text.startsWith(exact, start)) attempt(rule, start);
      }
    }
  }
  return matches;
}

/** What was tried in one scan, per rule. */
interface Tries {
  /** The last start tried, so that two keywords with one start try once. */
  readonly lastTried: Int32Array;
  /** The end of its last match; inside it there is nothing new to find. */
  readonly lastEnd: Int32Array;
}

/** By ruleset: used again and again, for scans are many and short and no scan begins inside of another. */
const TRIES = new WeakMap<Ruleset, Tries>();

function triesOf(ruleset: Ruleset): Tries {
  let tries = TRIES.get(ruleset);
  if (tries === undefined) {
    const { length } = ruleset.rules;
    tries = { lastTried: new Int32Array(length), lastEnd: new Int32Array(length) };
    TRIES.set(ruleset, tries);
  }
  tries.lastTried.fill(-1);
  tries.lastEnd.fill(0);
  return tries;
}

/** Goes through a text from stop to stop: where keywords end, and at each digit. */
class Walk {
  /** Of the automaton, behind the last stop. */
  state = 0;
  readonly #automaton: Automaton;
  readonly #units: Uint16Array;
  readonly #length: number;

  constructor(automaton: Automaton, units: Uint16Array, length: number) {
    this.#automaton = automaton;
    this.#units = units;
    this.#length = length;
  }

  /** The next stop from `from` on; the length of the text when there is none. */
  next(from: number): number {
    const { classOf, next } = this.#automaton;
    const units = this.#units;
    const length = this.#length;
    let { state } = this;
    let i = from;
    for (; i < length; i++) {
      const cls = classOf[units[i] as number] as number;
      state = next[(state >> 1) + cls] as number;
      // As an unsigned number, class 0 is beyond those of digits.
      if ((state & 1) !== 0 || (cls - 1) >>> 0 < DIGIT_CLASSES) break;
    }
    this.state = state;
    return i;
  }
}

function tryRule(ruleset: Ruleset, index: number, text: string, at: number, scan: object): Match | undefined {
  const { rule, pattern } = ruleset.rules[index] as Ruleset["rules"][number];
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  if (found === null) return undefined;
  const indices = found.indices as RegExpIndicesArray;
  const { v, left } = indices.groups ?? {};
  const [from, end] = v ?? (indices[0] as [number, number]);
  const start = left?.[0] ?? from;
  const context: MatchContext = { text, scan, start, end };
  if (rule.validate !== undefined && !rule.validate(text.slice(start, end), context)) return undefined;
  return { start, end, rule: index };
}

function endOfDigits(text: string, from: number): number {
  let i = from + 1;
  while (i < text.length && isDigit(text.charCodeAt(i))) i++;
  return i;
}

/** Whether enough digits (or dots between digits) follow within a number's usual separators. */
function isNumberCandidate(text: string, from: number): boolean {
  const limit = Math.min(text.length, from + MAX_NUMBER_SPAN);
  let digits = 0;
  let dots = 0;
  /** Digits since the last separator: lists and tables have one or two, the groups of a number three or more. */
  let group = 0;
  for (let i = from; i < limit; i++) {
    const code = text.charCodeAt(i);
    if (isDigit(code)) {
      group++;
      if (++digits >= MIN_DIGITS) return true;
      continue;
    }
    if (code === 0x2e) {
      if (++dots >= MIN_DOTS && digits >= 4 - 1) return true;
    } else if (!isNumberSeparator(code) && !(group >= MIN_GROUP && isGap(code))) return false;
    if (isDigit(text.charCodeAt(i + 1))) group = 0;
  }
  return false;
}

/** Space, and `-`, `(`, `)`, `/`. */
function isNumberSeparator(code: number): boolean {
  return code === 0x20 || code === 0x2d || code === 0x28 || code === 0x29 || code === 0x2f;
}

/** What parts the groups of a number in tables, names and broken lines: tab, line end, `_`. */
function isGap(code: number): boolean {
  return code === 0x09 || code === 0x0a || code === 0x0d || code === 0x5f;
}

function isDigit(code: number): boolean {
  return code >= DIGIT_ZERO && code <= DIGIT_ZERO + 9;
}
