/** The statements that write: each event as a row and into the sums. Called within a transaction. */
import type { DatabaseSync } from "node:sqlite";
import type { EndEvent, ForwardEvent, RefusedEvent } from "../egress/types.ts";
import { bucketOf } from "./latency.ts";
import { cutText, type DecisionRow, type LatencyKind, MAX_TEXT, rulesOf } from "./rows.ts";
import { type Statements, statements } from "./statements.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Prices of a finished request in USD; undefined where one is unknown. */
export interface Priced {
  usd: number | undefined;
  /** The same tokens at the default model. */
  baselineUsd: number | undefined;
}

interface Sum {
  at: number;
  kind: string;
  level: string;
  route: string;
  provider?: string | undefined;
  model?: string | undefined;
  tier?: string | undefined;
  failed?: boolean;
  usage?: EndEvent["usage"];
  priced?: Priced;
  ms: number;
}

export class LedgerWrites {
  private readonly sql: Statements;

  constructor(db: DatabaseSync) {
    this.sql = statements(db);
  }

  decision(row: DecisionRow): void {
    const rules = rulesOf(row.reason);
    const isTurn = row.checkpoint === "onUserMessage";
    this.sql.decision.run(
      row.at,
      text(row.session),
      text(row.agent),
      text(row.run),
      row.checkpoint,
      row.level,
      row.action,
      text(row.router),
      row.route,
      text(row.provider),
      text(row.model),
      text(row.tier),
      text(row.tool),
      row.reason,
      text(row.degraded),
      row.ms,
      JSON.stringify(row.routers),
      JSON.stringify(rules),
      row.text === undefined ? null : cutText(row.text),
      row.truncated === true || (row.text?.length ?? 0) > MAX_TEXT ? 1 : 0,
    );
    const { at, level, route, tier, ms } = row;
    // Models are summed by requests, which know what was really asked.
    this.sum({ at, kind: row.checkpoint, level, route, tier, ms });
    for (const rule of rules) this.sql.rule.run(rule);
    if (isTurn) {
      for (const { router, durationMs } of row.routers) {
        if (router === "privacy") this.latency(at, "privacy", durationMs);
        if (router === "token-saver") this.latency(at, "judge", durationMs);
      }
    }
    if (row.session === undefined) return;
    const [s1, s2, s3] = ["S1", "S2", "S3"].map((name) => (isTurn && name === level ? 1 : 0));
    this.sql.sessionDecision.run(
      row.session,
      text(row.agent),
      at,
      at,
      level,
      isTurn ? 1 : 0,
      s1 ?? 0,
      s2 ?? 0,
      s3 ?? 0,
    );
  }

  request(
    forward: ForwardEvent,
    end: EndEvent,
    run: string | undefined,
    priced: Priced,
    keepText: boolean,
  ): void {
    const { usage } = end;
    const route = routeOf(forward);
    const { changes } = this.sql.request.run(
      forward.requestId,
      forward.at,
      text(forward.session),
      text(run),
      text(forward.providerId),
      text(forward.model),
      forward.api,
      forward.endpoint,
      route,
      forward.level,
      JSON.stringify(forward.replaced),
      null,
      end.status ?? null,
      end.outcome,
      end.restored,
      usage?.inputTokens ?? null,
      usage?.outputTokens ?? null,
      usage?.cacheReadTokens ?? null,
      usage?.cacheWriteTokens ?? null,
      priced.usd ?? null,
      forward.inspectMs,
      end.ttfbMs ?? null,
      end.durationMs,
      text(forward.degraded),
      forward.reasons.join("; "),
      keepText && !forward.local
        ? text(forward.newest === undefined ? undefined : cutText(forward.newest))
        : null,
    );
    // Told twice: counted once.
    if (changes === 0) return;
    this.sum({
      at: forward.at,
      kind: "request",
      level: forward.level,
      route,
      provider: forward.providerId,
      model: forward.model,
      failed: end.outcome !== "ok",
      usage,
      priced,
      ms: end.durationMs,
    });
    if (priced.usd !== undefined && priced.usd > 0) this.sql.spend.run(hourOf(forward.at), priced.usd);
    if (!forward.local) this.latency(forward.at, "proxy", forward.inspectMs);
    if (end.ttfbMs !== undefined) this.latency(forward.at, "firstToken", end.ttfbMs);
    if (forward.session === undefined) return;
    this.sql.sessionRequest.run(
      forward.session,
      forward.at,
      forward.at,
      usage?.inputTokens ?? 0,
      usage?.outputTokens ?? 0,
      usage?.cacheReadTokens ?? 0,
      usage?.cacheWriteTokens ?? 0,
      priced.usd ?? 0,
      priced.usd === undefined ? 1 : 0,
    );
  }

  refused(event: RefusedEvent, run: string | undefined): void {
    const nothing = null;
    const { changes } = this.sql.request.run(
      event.requestId,
      event.at,
      text(event.session),
      text(run),
      text(event.providerId),
      nothing,
      nothing,
      nothing,
      "blocked",
      text(event.level),
      nothing,
      event.code,
      event.status,
      "refused",
      nothing,
      nothing,
      nothing,
      nothing,
      nothing,
      nothing,
      nothing,
      nothing,
      nothing,
      nothing,
      event.detail,
      nothing,
    );
    if (changes === 0) return;
    this.sum({
      at: event.at,
      kind: "refused",
      level: event.level ?? "",
      route: "blocked",
      provider: event.providerId,
      ms: 0,
    });
  }

  /** Notes what a user said of a decision. */
  feedback(id: number, what: string): void {
    this.sql.feedback.run(what.slice(0, 200), id);
  }

  audit(at: number, action: string, source: string, detail: string): void {
    this.sql.audit.run(at, action, source, detail.slice(0, 1_000));
  }

  private sum({ at, kind, level, route, provider, model, tier, failed, usage, priced, ms }: Sum): void {
    const usd = priced?.usd;
    const baseline = priced?.baselineUsd;
    const compared = usd !== undefined && baseline !== undefined;
    const values = [
      kind,
      level,
      route,
      provider ?? "",
      model ?? "",
      tier ?? "",
      failed === true ? 1 : 0,
      usage?.inputTokens ?? 0,
      usage?.outputTokens ?? 0,
      usage?.cacheReadTokens ?? 0,
      usage?.cacheWriteTokens ?? 0,
      usd ?? 0,
      priced !== undefined && usd === undefined ? 1 : 0,
      compared ? 1 : 0,
      compared ? usd : 0,
      compared ? baseline : 0,
      ms,
    ] as const;
    this.sql.hourly.run(hourOf(at), ...values);
    this.sql.daily.run(dayOf(at), ...values);
  }

  private latency(at: number, kind: LatencyKind, ms: number): void {
    this.sql.latency.run(hourOf(at), kind, bucketOf(ms), ms, ms);
    this.sql.latencyDaily.run(dayOf(at), kind, bucketOf(ms), ms, ms);
  }
}

/** `redacted`: it left with placeholders in the place of private values. */
function routeOf(forward: ForwardEvent): string {
  if (forward.local) return "local";
  return (forward.placeholders ?? 0) > 0 || Object.keys(forward.replaced).length > 0 ? "redacted" : "cloud";
}

export function hourOf(at: number): number {
  return at - (at % HOUR);
}

/** Days are UTC days, whatever the user's clock: they are for sums of long ranges. */
export function dayOf(at: number): number {
  return at - (at % DAY);
}

function text(value: string | undefined): string | null {
  return value ?? null;
}
