import { detect } from "../detect/detect.ts";
import type { Policy } from "../detect/policy.ts";
import type { Finding } from "../types.ts";

/** A text without its private values, and what they were. */
export interface Redacted {
  readonly text: string;
  /** Spans of the *input* text. */
  readonly findings: readonly Finding[];
}

/**
 * Replaces each private value by `[REDACTED:TYPE]`, for good: nothing is kept to restore it. For placeholders that can
 * be restored use the vault.
 */
export function redact(text: string, policy?: Policy): Redacted {
  const findings = detect(text, policy);
  return { text: replaceFindings(text, findings, (finding) => `[REDACTED:${finding.type}]`), findings };
}

/** The text with each finding replaced. `findings` are sorted and disjoint, as {@link detect} gives them. */
export function replaceFindings(
  text: string,
  findings: readonly Finding[],
  replacement: (finding: Finding) => string,
): string {
  let result = "";
  let from = 0;
  for (const finding of findings) {
    result += text.slice(from, finding.start) + replacement(finding);
    from = finding.end;
  }
  return result + text.slice(from);
}
