/** Rows of the ledger as the contract shows them. */
import { findPlaceholders } from "@clawx/shared-security";
import type { Engine } from "../engine/engine.ts";
import type { SessionRow, StoredDecision, StoredRequest } from "../ledger/rows.ts";
import {
  CHECKPOINT_NAMES,
  type Checkpoint,
  type Detection,
  LEVELS,
  type Level,
  type ModelRequest,
  ROUTE_NAMES,
  type Route,
  type Segment,
  type SessionItem,
  TIER_NAMES,
  type Tier,
} from "./contract.ts";

import { sessionKeysOf } from "./session-keys.ts";

const ACTIONS = ["passthrough", "transform", "redirect", "block"] as const;
const OUTCOMES = ["ok", "http-error", "network-error", "client-abort", "timeout", "refused"] as const;

export function detectionOf(row: StoredDecision, engine: Engine): Detection {
  const said = row.text === null ? null : segmentsOf(row.text);
  const route = pick(ROUTE_NAMES, row.route, "blocked");
  return {
    kind: "detection",
    id: row.id,
    at: row.at,
    session: hidden(row.session, engine),
    agent: row.agent,
    loopId: row.run,
    checkpoint: pick<Checkpoint>(CHECKPOINT_NAMES, row.checkpoint, "outbound"),
    level: levelOf(row.level),
    action: pick(ACTIONS, row.action, "passthrough"),
    route,
    router: row.router,
    reason: row.reason,
    rules: JSON.parse(row.rules) as string[],
    provider: row.provider,
    model: row.model,
    tier: tierOf(row.tier),
    tool: row.tool,
    degraded: row.degraded,
    ms: row.ms,
    routers: (
      JSON.parse(row.routers) as {
        router: string;
        level: string;
        action: string;
        reason?: string;
        durationMs: number;
      }[]
    ).map(({ router, level, action, reason, durationMs }) => ({
      router,
      level: levelOf(level),
      action: pick(ACTIONS, action, "passthrough"),
      reason: reason ?? null,
      ms: durationMs,
    })),
    said,
    cloud: row.text !== null && (route === "cloud" || route === "redacted") ? row.text : null,
    truncated: row.truncated === 1,
    revealable: said?.some((part) => "token" in part && isKept(part.token, engine)) ?? false,
    feedback: row.feedback,
  };
}

export function requestOf(row: StoredRequest, engine: Engine): ModelRequest {
  return {
    kind: "request",
    id: row.id,
    at: row.at,
    session: hidden(row.session, engine),
    loopId: row.run,
    provider: row.provider,
    model: row.model,
    api: row.api,
    route: pick<Route>(ROUTE_NAMES, row.route, "blocked"),
    level: row.level === null ? null : levelOf(row.level),
    replaced: row.replaced === null ? {} : (JSON.parse(row.replaced) as Record<string, number>),
    restored: row.restored ?? 0,
    outcome: pick(OUTCOMES, row.outcome, "network-error"),
    refusal: row.refused,
    status: row.status,
    input: row.input,
    output: row.output,
    cacheRead: row.cacheRead,
    cacheWrite: row.cacheWrite,
    usd: row.usd,
    inspectMs: row.inspectMs,
    firstTokenMs: row.ttfbMs,
    ms: row.ms,
    degraded: row.degraded,
    detail: row.detail ?? "",
    sent: row.sent,
  };
}

export function sessionItemOf(row: SessionRow, active: boolean, engine: Engine): SessionItem {
  return {
    key: sessionKeysOf(engine).hide(row.key),
    agent: row.agent,
    firstAt: row.firstAt,
    lastAt: row.lastAt,
    level: levelOf(row.level),
    turns: row.turns,
    requests: row.requests,
    byLevel: { S1: row.s1, S2: row.s2, S3: row.s3 },
    input: row.input,
    output: row.output,
    cacheRead: row.cacheRead,
    cacheWrite: row.cacheWrite,
    usd: row.usd,
    unpriced: row.unpriced,
    active,
  };
}

/** A masked text cut at its placeholders. An escaped look-alike (more than one colon) is text. */
export function segmentsOf(text: string): Segment[] {
  const segments: Segment[] = [];
  let at = 0;
  for (const match of findPlaceholders(text)) {
    if (match.colons > 1) continue;
    if (match.start > at) segments.push({ text: text.slice(at, match.start) });
    segments.push({ type: match.type, level: match.level, token: match.token });
    at = match.end;
  }
  if (at < text.length) segments.push({ text: text.slice(at) });
  return segments;
}

function hidden(session: string | null, engine: Engine): string | null {
  return session === null ? null : sessionKeysOf(engine).hide(session);
}

function isKept(token: string, engine: Engine): boolean {
  return engine.vault().vault.get(token) !== undefined;
}

function levelOf(value: string): Level {
  return pick(LEVELS, value, "S3");
}

function tierOf(value: string | null): Tier | null {
  return TIER_NAMES.find((tier) => tier === value) ?? null;
}

/** One of the contract's words; what is none is taken for `otherwise`. */
function pick<T extends string>(words: readonly T[], value: string, otherwise: T): T {
  return words.find((word) => word === value) ?? otherwise;
}
