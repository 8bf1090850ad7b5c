/** An `llm_call` line as the readers use it: parsed at the boundary, wrong types become null. */
import type { AssembledMessage, Outcome, Purpose, Usage } from "../events.ts";
import type { LogRecord } from "./scan.ts";

export interface CallRecord {
  ts: string;
  /** Start of the attempt, milliseconds since the epoch. */
  at: number;
  callId: string | null;
  attemptId: string;
  sessionId: string | null;
  sessionKey: string | null;
  agentId: string | null;
  provider: string | null;
  model: string | null;
  purpose: Purpose;
  correlation: string;
  outcome: Outcome;
  complete: boolean;
  via: string | null;
  status: number | null;
  ttfbMs: number | null;
  durationMs: number | null;
  requestBytes: number;
  responseBytes: number;
  usage: Usage | null;
  costUsd: number | null;
  error: string | null;
  message: AssembledMessage | null;
}

/** @returns undefined for a record that is no call summary. */
export function toCallRecord(record: LogRecord): CallRecord | undefined {
  if (record.eventType !== "llm_call") return undefined;
  const ts = text(record.ts);
  if (ts === null) return undefined;
  const started = Date.parse(text(record.startedAt) ?? ts);
  const at = Number.isNaN(started) ? Date.parse(ts) : started;
  if (Number.isNaN(at)) return undefined;
  return {
    ts,
    at,
    callId: text(record.callId),
    attemptId: text(record.attemptId) ?? "",
    sessionId: text(record.sessionId),
    sessionKey: text(record.sessionKey),
    agentId: text(record.agentId),
    provider: text(record.provider),
    model: text(record.model),
    purpose: (text(record.purpose) ?? "unknown") as Purpose,
    correlation: text(record.correlation) ?? "none",
    outcome: (text(record.outcome) ?? "ok") as Outcome,
    complete: record.complete === true,
    via: text(record.via),
    status: number(record.status),
    ttfbMs: number(record.ttfbMs),
    durationMs: number(record.durationMs),
    requestBytes: number(record.requestBytes) ?? 0,
    responseBytes: number(record.responseBytes) ?? 0,
    usage: usage(record.usage),
    costUsd: number(record.costUsd),
    error: text(record.error),
    message: message(record.message),
  };
}

function usage(value: unknown): Usage | null {
  if (typeof value !== "object" || value === null) return null;
  const part = (name: string) => number(Reflect.get(value, name)) ?? 0;
  return {
    input: part("input"),
    output: part("output"),
    cacheRead: part("cacheRead"),
    cacheWrite: part("cacheWrite"),
    total: part("total"),
  };
}

function message(value: unknown): AssembledMessage | null {
  if (typeof value !== "object" || value === null) return null;
  const calls: unknown = Reflect.get(value, "toolCalls");
  const toolCalls = (Array.isArray(calls) ? calls : []).flatMap((call: unknown) => {
    if (typeof call !== "object" || call === null) return [];
    return [
      {
        id: text(Reflect.get(call, "id")),
        name: text(Reflect.get(call, "name")) ?? "",
        arguments: Reflect.get(call, "arguments") as unknown,
      },
    ];
  });
  return {
    text: text(Reflect.get(value, "text")) ?? "",
    thinking: text(Reflect.get(value, "thinking")) ?? "",
    toolCalls,
  };
}

function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function number(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}
