/** Ties traffic to what is known about its call: the common fields of its log lines. */
import { randomBytes } from "node:crypto";
import { PLUGIN_ID } from "../config.ts";
import type { CommonFields, Correlation, EventType, Purpose } from "../events.ts";
import type { CallInfo, RunInfo } from "./calls.ts";
import type { EndpointInfo } from "./endpoints.ts";
import type { TraceIds } from "./trace.ts";

/** Everything known about the origin of one request; filled in as facts arrive. */
export interface Binding {
  correlation: Correlation;
  trace?: TraceIds;
  call?: CallInfo;
  /** Session facts of a request that is part of a run but no announced call. */
  run?: Omit<RunInfo, "runId"> & { runId?: string };
  endpoint?: EndpointInfo;
  /** Attempt id of a request without a span, made when it is asked for. */
  ownId?: string;
  /** 1 for the first request of a span, 2 for a second one (an SDK's own retry) ... */
  ordinal: number;
  /** Model named by the request itself. */
  requestModel?: string;
  purpose?: Purpose;
}

export function newBinding(): Binding {
  return { correlation: "none", ordinal: 1 };
}

/** The attempt's id: its span, with a number when one span carried several requests. */
export function attemptId(binding: Binding): string {
  let span = binding.call?.spanId;
  if (span === undefined) {
    binding.ownId ??= `x${randomBytes(8).toString("hex").slice(1)}`;
    span = binding.ownId;
  }
  return binding.ordinal > 1 ? `${span}.${binding.ordinal}` : span;
}

export function sessionOf(binding: Binding): string | undefined {
  return binding.call?.sessionId ?? binding.run?.sessionId;
}

export function commonFields(binding: Binding, eventType: EventType, at: number): CommonFields {
  const { call, run } = binding;
  const sessionKey = call?.sessionKey ?? run?.sessionKey ?? null;
  return {
    ts: isoTime(at),
    plugin: PLUGIN_ID,
    eventType,
    callId: call?.callId ?? null,
    attemptId: attemptId(binding),
    traceId: call?.traceId ?? binding.trace?.traceId ?? null,
    runId: call?.runId ?? run?.runId ?? null,
    sessionId: sessionOf(binding) ?? null,
    sessionKey,
    agentId: call?.agentId ?? run?.agentId ?? agentOfKey(sessionKey),
    provider: call?.provider ?? binding.endpoint?.provider ?? null,
    model: call?.model ?? binding.requestModel ?? null,
    purpose: binding.purpose ?? call?.purpose ?? "unknown",
    correlation: binding.correlation,
  };
}

let lastTime = Number.NaN;
let lastIso = "";

/** ISO 8601 in UTC; the lines of a moment have the same. @param at milliseconds since 1970. */
export function isoTime(at: number): string {
  if (at !== lastTime) {
    lastIso = new Date(at).toISOString();
    lastTime = at;
  }
  return lastIso;
}

/** The agent's name in a session key `agent:<name>:...`. */
export function agentOfKey(sessionKey: string | null | undefined): string | null {
  return /^agent:([^:]+):/.exec(sessionKey ?? "")?.[1] ?? null;
}
