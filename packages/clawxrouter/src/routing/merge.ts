/**
 * One decision out of many: the strictest level wins; at that level an opinion beats none, then the higher weight,
 * then the stricter action (block > redirect > transform > passthrough). Findings of all routers are kept.
 */
import type { Finding, Level } from "@clawx/shared-security";
import type { PipelineResult, RoutedDecision, RouterAction } from "./types.ts";

const LEVELS: Record<Level, number> = { S1: 0, S2: 1, S3: 2 };
const ACTIONS: Record<RouterAction, number> = { passthrough: 0, transform: 1, redirect: 2, block: 3 };

/** Negative when `a` wins over `b`. */
function precedence(a: RoutedDecision, b: RoutedDecision): number {
  return (
    LEVELS[b.level] - LEVELS[a.level] ||
    Number(a.action === "passthrough") - Number(b.action === "passthrough") ||
    b.weight - a.weight ||
    ACTIONS[b.action] - ACTIONS[a.action]
  );
}

/** @param skipped routers that did not run, for the record */
export function mergeDecisions(
  decisions: readonly RoutedDecision[],
  skipped: readonly string[],
): PipelineResult {
  const winner = [...decisions].sort(precedence)[0];
  const level = winner?.level ?? "S1";
  const reasons = decisions.filter((d) => d.level === level && d.reason !== undefined).map((d) => d.reason);
  return {
    level,
    action: winner?.action ?? "passthrough",
    target: winner?.target,
    reason: winner?.reason ?? reasons[0] ?? "no router had an opinion",
    router: winner?.router,
    findings: disjoint(decisions.flatMap((d) => d.findings ?? [])),
    tier: winner?.tier ?? decisions.find((d) => d.tier !== undefined)?.tier,
    degraded: decisions.map((d) => d.degraded).find((d) => d !== undefined),
    decisions,
    skipped,
  };
}

/** Two routers may find overlapping parts: the stricter stays, then the longer. */
function disjoint(findings: readonly Finding[]): Finding[] {
  const ordered = [...findings].sort(
    (a, b) => LEVELS[b.level] - LEVELS[a.level] || b.end - b.start - (a.end - a.start),
  );
  const kept: Finding[] = [];
  for (const finding of ordered) {
    if (!kept.some((other) => finding.start < other.end && other.start < finding.end)) kept.push(finding);
  }
  return kept.sort((a, b) => a.start - b.start);
}
