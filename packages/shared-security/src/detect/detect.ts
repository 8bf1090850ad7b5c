import { brokenLines } from "../fold/broken-lines.ts";
import { encodedIn, openText } from "../fold/opened.ts";
import { compose, type View } from "../fold/view.ts";
import { BUILT_IN_RULES } from "../rules/index.ts";
import { type Finding, type Level, maxLevel } from "../types.ts";
import { applyPolicy, isEnabled, type Policy } from "./policy.ts";
import { resolveOverlaps } from "./resolve.ts";
import { type CompiledRule, compileRules, type Ruleset } from "./ruleset.ts";
import { scan } from "./scan.ts";

const MAX_DECODE_DEPTH = 2;

const NO_POLICY: Policy = {};

let builtIn: Ruleset | undefined;

/** The built-in rules, compiled at first use: a plugin that only loads this module pays nothing. */
function builtInRuleset(): Ruleset {
  builtIn ??= compileRules(BUILT_IN_RULES);
  return builtIn;
}

/**
 * Finds what must not leave.
 *
 * Findings are sorted by `start` and disjoint; `text.slice(start, end) === value` holds for each, in UTF-16 code
 * units of the text as given, whatever had to be folded or decoded to see it. Time is linear in the text.
 */
export function detect(text: string, policy: Policy = NO_POLICY): Finding[] {
  const findings: Finding[] = [];
  const opened = openText(text);
  collect(text, opened.folded, policy, findings, true);
  collectBroken(text, opened.folded, policy, findings, 0);
  if (policy.decode !== false) {
    collectInner(text, opened.encoded, policy, findings, 1);
    collectInner(text, opened.hidden, policy, findings, 1);
  }
  const allowed: Finding[] = [];
  for (const finding of findings) {
    const kept = applyPolicy(finding, policy);
    if (kept !== undefined) allowed.push(kept);
  }
  return resolveOverlaps(allowed, text);
}

/** The strictest level among findings; S1 when there are none. */
export function levelOf(findings: readonly Finding[]): Level {
  let level: Level = "S1";
  for (const finding of findings) level = maxLevel(level, finding.level);
  return level;
}

/** Text inside of text, as deep as somebody would go to hide a value: base64 in a query parameter in base64. */
function collectInner(
  original: string,
  views: readonly View[],
  policy: Policy,
  findings: Finding[],
  depth: number,
): void {
  for (const view of views) {
    const before = findings.length;
    collect(original, view, policy, findings, false);
    if (view.text.includes("\n")) collectBroken(original, view, policy, findings, before);
    if (depth < MAX_DECODE_DEPTH) collectInner(original, encodedIn(view), policy, findings, depth + 1);
  }
}

/**
 * What only shows when a line end is taken out of it.
 * @param from where the findings of this view itself begin
 */
function collectBroken(
  original: string,
  view: View,
  policy: Policy,
  findings: Finding[],
  from: number,
): void {
  const plain = new Ranges(findings.slice(from));
  for (const { view: joined, joins } of brokenLines(view.text)) {
    const shown = compose(view, joined);
    const gaps = joins.map((join) => ({ start: shown.originalEnd(join), end: shown.originalStart(join) }));
    const [first] = gaps;
    const last = gaps.at(-1);
    // Inside of a key that goes over many lines there is nothing more to see.
    if (first && last && plain.covers(first.start - AROUND_GAPS, last.end + AROUND_GAPS)) continue;
    const found: Finding[] = [];
    collect(original, shown, policy, found, false);
    for (const finding of found) {
      const over = gaps.filter(({ start, end }) => finding.start < start && finding.end > end);
      if (over.length > 0 && saysMore(original, finding, plain, over)) findings.push(finding);
    }
  }
}

/**
 * How much around a line end must belong to a value found already, for it to be no border of another. The first line of
 * a key in PEM is 27 characters long or more.
 */
const AROUND_GAPS = 24;
/** A rest that tells something. */
const TELLING_REST = /\d/;
const MIN_REST = 6;

/**
 * Whether what was found over a line end is more than values that each stand on a line of their own, and perhaps a word
 * or a number that stands beside one.
 */
function saysMore(original: string, { start, end }: Finding, plain: Ranges, gaps: readonly Range[]): boolean {
  const inside = plain.touching(start, end);
  if (inside.length === 0) return true;
  const told = [...inside, ...gaps].sort((a, b) => a.start - b.start);
  let rest = "";
  let at = start;
  for (const range of told) {
    if (range.start > at) rest += original.slice(at, range.start);
    at = Math.max(at, range.end);
  }
  if (at < end) rest += original.slice(at, end);
  return rest.length >= MIN_REST && TELLING_REST.test(rest);
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Ranges of a text, looked up by where they are. */
class Ranges {
  static readonly #BUCKET = 1024;
  readonly #buckets = new Map<number, Range[]>();

  constructor(ranges: readonly Range[]) {
    for (const range of ranges) {
      const last = Math.floor(range.end / Ranges.#BUCKET);
      for (let at = Math.floor(range.start / Ranges.#BUCKET); at <= last; at++) {
        const bucket = this.#buckets.get(at);
        if (bucket === undefined) this.#buckets.set(at, [range]);
        else bucket.push(range);
      }
    }
  }

  /** Whether one of them holds all of a range. */
  covers(start: number, end: number): boolean {
    const bucket = this.#buckets.get(Math.floor(start / Ranges.#BUCKET));
    return bucket?.some((range) => range.start <= start && range.end >= end) ?? false;
  }

  touching(start: number, end: number): Range[] {
    const found = new Set<Range>();
    const last = Math.floor(end / Ranges.#BUCKET);
    for (let at = Math.floor(start / Ranges.#BUCKET); at <= last; at++) {
      for (const range of this.#buckets.get(at) ?? [])
        if (range.start < end && range.end > start) found.add(range);
    }
    return [...found];
  }
}

/** @param isWhole whether the view shows all of the original, not a decoded part of it. */
function collect(original: string, view: View, policy: Policy, findings: Finding[], isWhole: boolean): void {
  const ruleset = builtInRuleset();
  const isOn = (rule: number): boolean => isEnabled((ruleset.rules[rule] as CompiledRule).rule.id, policy);
  const add = (match: Pick<Finding, "start" | "end" | "type" | "level" | "rule" | "confidence">): void => {
    const start = view.originalStart(match.start);
    const end = view.originalEnd(match.end);
    const { type, level, rule, confidence } = match;
    findings.push({ start, end, type, level, rule, confidence, value: original.slice(start, end) });
  };
  for (const { start, end, rule: index } of scan(ruleset, view.text, isOn)) {
    const { type, level, id, confidence } = (ruleset.rules[index] as CompiledRule).rule;
    add({ start, end, type, level, rule: id, confidence });
  }
  for (const match of policy.userRules?.find(view.text) ?? []) add({ ...match, confidence: 1 });
  // A user's pattern is written for what the user sees: `密码：\S+` has a full-width colon that folding took away.
  if (isWhole && view.text !== original) {
    for (const match of policy.userRules?.find(original) ?? []) {
      const { start, end } = match;
      findings.push({ ...match, confidence: 1, value: original.slice(start, end) });
    }
  }
}
