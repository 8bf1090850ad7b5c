import { fold } from "../fold/fold.ts";
import type { Finding, Level } from "../types.ts";
import type { CompiledUserRules } from "../user-rules/compile.ts";

/** What to look for and what to leave alone. Everything is optional; no policy means all built-in rules. */
export interface Policy {
  /** The user's own keywords and patterns, from {@link compileUserRules}. */
  readonly userRules?: CompiledUserRules | undefined;
  /** Rule ids that are off; a family as `family/*`. */
  readonly disabledRules?: readonly string[] | undefined;
  /** Values that are never private: an exact string, or anything with `test` (a RegExp, a compiled RE2). */
  readonly allow?: readonly (string | { test(value: string): boolean })[] | undefined;
  /** Findings less sure than this are dropped, 0..1. Default 0.5. */
  readonly minConfidence?: number | undefined;
  /** Level by type, instead of the rule's own: `{ EMAIL: "S1" }` lets mail addresses through. */
  readonly levels?: Readonly<Record<string, Level>> | undefined;
  /** Look inside percent-encoded and base64 parts. Default true. */
  readonly decode?: boolean | undefined;
}

const DEFAULT_MIN_CONFIDENCE = 0.5;

/** Whether a rule is on under a policy. */
export function isEnabled(ruleId: string, policy: Policy): boolean {
  const disabled = policy.disabledRules;
  if (disabled === undefined || disabled.length === 0) return true;
  return !disabled.includes(ruleId) && !disabled.includes(`${ruleId.slice(0, ruleId.indexOf("/"))}/*`);
}

/** The finding as the policy sees it, or undefined when the policy lets the value through. */
export function applyPolicy(finding: Finding, policy: Policy): Finding | undefined {
  if (finding.confidence < (policy.minConfidence ?? DEFAULT_MIN_CONFIDENCE)) return undefined;
  const level = policy.levels?.[finding.type];
  if (level === "S1") return undefined;
  for (const allowed of policy.allow ?? []) {
    if (
      typeof allowed === "string"
        ? allowed === finding.value || allowed === fold(finding.value).text
        : matches(allowed, finding.value)
    )
      return undefined;
  }
  return level === undefined ? finding : { ...finding, level };
}

/** A RegExp with `g` or `y` remembers where it stopped; an allow rule must not depend on the finding before. */
function matches(allowed: { test(value: string): boolean }, value: string): boolean {
  if (allowed instanceof RegExp) allowed.lastIndex = 0;
  return allowed.test(value);
}
