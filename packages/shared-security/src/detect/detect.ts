import { base64Parts } from "../fold/base64.ts";
import { byteLists } from "../fold/byte-lists.ts";
import { escapedParts } from "../fold/escapes.ts";
import { fold } from "../fold/fold.ts";
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
  const view = fold(text);
  collect(text, view, policy, findings, true);
  if (policy.decode !== false) collectDecoded(text, view, policy, findings, 0);
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
function collectDecoded(
  original: string,
  view: View,
  policy: Policy,
  findings: Finding[],
  depth: number,
): void {
  if (depth >= MAX_DECODE_DEPTH) return;
  for (const part of [...escapedParts(view.text), ...base64Parts(view.text), ...byteLists(view.text)]) {
    const inner = compose(view, compose(part, fold(part.text)));
    collect(original, inner, policy, findings, false);
    collectDecoded(original, inner, policy, findings, depth + 1);
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
