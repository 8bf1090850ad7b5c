/** The rule detector: built-in rules of shared-security, the user's keywords and regexes. Microseconds a kB. */
import { createHash } from "node:crypto";
import { BUILT_IN_RULES, compileUserRules, detect, levelOf, type Policy } from "@clawx/shared-security";
import type { PrivacyConfig } from "../config-file/schema.ts";
import { type Detection, NOTHING_FOUND } from "./types.ts";

/** An allowed value may stand as its hash, so that the settings do not hold what somebody takes for private. */
const HASHED = "sha256:";

/** The form in which "this was wrong" allows a value. */
export function allowEntryOf(value: string): string {
  return HASHED + createHash("sha256").update(value).digest("hex");
}

function hashedAllow(entry: string): { test(value: string): boolean } {
  return { test: (value) => allowEntryOf(value) === entry };
}

/** What the rule detector reads of the settings; a router of the user has the same lists. */
export type RuleSettings = Pick<PrivacyConfig["rules"], "builtin" | "keywords" | "patterns" | "allow">;

export class RuleDetector {
  private readonly policy: Policy;

  /**
   * Compiles once; an edit of the settings makes a new detector.
   * @throws with the pattern and the position when one of the user's patterns is not valid
   */
  constructor(settings: RuleSettings) {
    this.policy = {
      userRules: compileUserRules({ keywords: settings.keywords, patterns: settings.patterns }),
      allow: settings.allow.map((entry) => (entry.startsWith(HASHED) ? hashedAllow(entry) : entry)),
      disabledRules: settings.builtin ? [] : BUILT_IN_RULES.map((rule) => rule.id),
    };
  }

  /** Findings are disjoint, sorted, with exact spans. */
  detect(text: string): Detection {
    if (text === "") return NOTHING_FOUND;
    const findings = detect(text, this.policy);
    if (findings.length === 0) return NOTHING_FOUND;
    const reasons = [...new Set(findings.map((finding) => `rule ${finding.rule}`))];
    return { level: levelOf(findings), findings, reasons, degraded: undefined };
  }
}
