import { fold } from "../fold/fold.ts";
import type { View } from "../fold/view.ts";
import { BUILT_IN_RULES } from "../rules/index.ts";
import { type Finding, type Level, maxLevel } from "../types.ts";
import { applyPolicy, isEnabled, type Policy } from "./policy.ts";
import { resolveOverlaps } from "./resolve.ts";
import { type CompiledRule, compileRules, type Ruleset } from "./ruleset.ts";
import { scan } from "./scan.ts";

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
  collect(text, fold(text), policy, findings);
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

function collect(original: string, view: View, policy: Policy, findings: Finding[]): void {
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
}
