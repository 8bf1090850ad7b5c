/** What the ledger keeps, row by row. Texts are masked before they get here; no private value is ever in it. */

/** A decision of the pipeline at a checkpoint. */
export interface DecisionRow {
  at: number;
  session: string | undefined;
  agent: string | undefined;
  run: string | undefined;
  checkpoint: string;
  level: string;
  action: string;
  router: string | undefined;
  /** `cloud`, `redacted`, `local`, `blocked`. */
  route: string;
  provider: string | undefined;
  model: string | undefined;
  tier: string | undefined;
  tool: string | undefined;
  reason: string;
  degraded: string | undefined;
  ms: number;
  routers: readonly {
    router: string;
    level: string;
    action: string;
    reason?: string | undefined;
    durationMs: number;
  }[];
  /** Masked text, at most {@link MAX_TEXT} characters; undefined when texts are not kept. */
  text?: string | undefined;
  truncated?: boolean;
}

/** Longest text kept of an event, in UTF-16 units. */
export const MAX_TEXT = 2_000;

export interface StoredDecision {
  id: number;
  at: number;
  session: string | null;
  agent: string | null;
  run: string | null;
  checkpoint: string;
  level: string;
  action: string;
  router: string | null;
  route: string;
  provider: string | null;
  model: string | null;
  tier: string | null;
  tool: string | null;
  reason: string;
  degraded: string | null;
  ms: number;
  /** JSON of {@link DecisionRow.routers}. */
  routers: string;
  /** JSON array of rule ids. */
  rules: string;
  text: string | null;
  truncated: number;
  feedback: string | null;
}

export interface StoredRequest {
  id: number;
  request: string;
  at: number;
  session: string | null;
  run: string | null;
  provider: string | null;
  model: string | null;
  api: string | null;
  endpoint: string | null;
  route: string;
  level: string | null;
  /** JSON: counts by type. */
  replaced: string | null;
  refused: string | null;
  status: number | null;
  outcome: string;
  restored: number | null;
  input: number | null;
  output: number | null;
  cacheRead: number | null;
  cacheWrite: number | null;
  usd: number | null;
  inspectMs: number | null;
  ttfbMs: number | null;
  ms: number | null;
  degraded: string | null;
  detail: string | null;
  sent: string | null;
}

/** Sums of an hour. `kind`: `request`, `refused`, or the checkpoint of decisions. */
export interface HourlyRow {
  hour: number;
  kind: string;
  level: string;
  route: string;
  provider: string;
  model: string;
  tier: string;
  n: number;
  failed: number;
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  usd: number;
  unpriced: number;
  /** Requests whose price and whose price at the default model are both known, and both sums of these. */
  compared: number;
  comparedUsd: number;
  baselineUsd: number;
  ms: number;
}

export interface SessionRow {
  key: string;
  agent: string | null;
  firstAt: number;
  lastAt: number;
  level: string;
  turns: number;
  requests: number;
  s1: number;
  s2: number;
  s3: number;
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  usd: number;
  unpriced: number;
}

export interface AuditRow {
  id: number;
  at: number;
  action: string;
  source: string;
  detail: string;
}

/** What is measured in histograms. */
export type LatencyKind = "judge" | "privacy" | "proxy" | "firstToken";

export interface LatencySummary {
  n: number;
  meanMs: number;
  p50Ms: number;
  p95Ms: number;
  maxMs: number;
}

/** A text cut to {@link MAX_TEXT}: not within a character, and not within a placeholder. */
export function cutText(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  return text
    .slice(0, MAX_TEXT)
    .replace(/[\ud800-\udbff]$/, "")
    .replace(/\[[A-Z]{1,12}(?::[A-Z0-9_:]{0,60})?$/, "");
}

const RULE_IN_REASON = /(?:^|; )(?:rule ([^;]+)|(path [^;]+)|(tool [^;]+))/g;

/** Ids of the rules that a decision's reason names. */
export function rulesOf(reason: string): string[] {
  return [
    ...new Set(
      [...reason.matchAll(RULE_IN_REASON)].map((match) =>
        (match[1] ?? match[2] ?? match[3] ?? "").slice(0, 300),
      ),
    ),
  ];
}
