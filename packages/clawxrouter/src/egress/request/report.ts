import { type Level, maxLevel } from "@clawx/shared-security";
import type { EgressPolicy, ReplacedCounts } from "../types.ts";
import { RefusedError } from "./refused-error.ts";

/** What was found and done in one part of a body: a message, or all that is not in the list of messages. */
export interface PartReport {
  level: Level;
  counts: ReplacedCounts;
  /** Rules and judgements that raised the level, without private text. */
  reasons: string[];
  mediaWithheld: number;
}

/** What was found and done in a whole body. */
export interface RedactionReport extends PartReport {
  /** Tokens put in for values of this request: its answer may restore them. */
  minted: Set<string>;
  /** A detector that did not answer, and why. */
  degraded: string | undefined;
}

const MAX_REASONS = 20;

export function emptyPart(): PartReport {
  return { level: "S1", counts: {}, reasons: [], mediaWithheld: 0 };
}

/** The sum of all parts. */
export function sumOf(
  parts: Iterable<PartReport | undefined>,
  minted: Set<string>,
  degraded: string | undefined,
): RedactionReport {
  const sum: RedactionReport = { ...emptyPart(), minted, degraded };
  const reasons = new Set<string>();
  for (const part of parts) {
    if (!part) continue;
    sum.level = maxLevel(sum.level, part.level);
    sum.mediaWithheld += part.mediaWithheld;
    for (const [type, count] of Object.entries(part.counts))
      sum.counts[type] = (sum.counts[type] ?? 0) + count;
    for (const reason of part.reasons) if (reasons.size < MAX_REASONS) reasons.add(reason);
  }
  sum.reasons = [...reasons];
  return sum;
}

/** @throws RefusedError when the policy keeps what was found from the cloud */
export function refuseByPolicy(report: PartReport, policy: EgressPolicy): void {
  const why = report.reasons.join(", ");
  if (report.level === "S3" && policy.s3 === "block") {
    throw new RefusedError("policy-s3", why || "private content of an earlier turn");
  }
  if (report.level === "S2" && policy.s2 === "block") {
    throw new RefusedError("policy-s2", why || "sensitive content of an earlier turn");
  }
}
