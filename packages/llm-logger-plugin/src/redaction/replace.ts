/** Putting placeholders where findings are. */
import type { Finding } from "@clawx/shared-security";

/** Where a secret stands in a text, and of what kind it is. */
export type SecretSpan = Pick<Finding, "start" | "end" | "type">;

export interface SecretFinder {
  /** Secrets in a text, sorted and disjoint. */
  find(text: string): readonly SecretSpan[];
}

/** What takes the place of a finding. */
export function placeholder(finding: Pick<Finding, "type">): string {
  return `[REDACTED:${finding.type}]`;
}

/** Replaces findings in the text they were found in. */
export function replaceAll(text: string, findings: readonly SecretSpan[]): string {
  if (findings.length === 0) return text;
  let out = "";
  let at = 0;
  for (const finding of findings) {
    out += text.slice(at, finding.start) + placeholder(finding);
    at = finding.end;
  }
  return out + text.slice(at);
}
