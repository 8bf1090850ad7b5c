/** W3C trace context and the host's own trace scope. */

/** Ids of a trace context: 32 and 16 lower-case hex digits. */
export interface TraceIds {
  traceId: string;
  spanId: string;
}

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}/i;

/** Parses a `traceparent` header (W3C Trace Context level 1, section 3.2); undefined when absent or malformed. */
export function parseTraceparent(value: string | undefined): TraceIds | undefined {
  const match = value === undefined ? null : TRACEPARENT.exec(value);
  if (!match?.[1] || !match[2] || /^0+$/.test(match[1]) || /^0+$/.test(match[2])) return undefined;
  return { traceId: match[1].toLowerCase(), spanId: match[2].toLowerCase() };
}

/** Where OpenClaw keeps the AsyncLocalStorage of its current span (seen on 2026.9.6). */
const SCOPE_KEY = Symbol.for("openclaw.diagnosticTraceScope.state.v1");

/** The host's trace scope of the running async context; undefined on hosts without one. Never throws. */
export function currentTraceScope(): TraceIds | undefined {
  const state: unknown = Reflect.get(globalThis, SCOPE_KEY);
  const storage = field(state, "storage");
  const getStore = field(storage, "getStore");
  if (typeof getStore !== "function") return undefined;
  const store: unknown = getStore.call(storage);
  return traceIds(store) ?? traceIds(field(store, "trace")) ?? traceIds(field(store, "context"));
}

/** Whether the host has a trace scope at all; status shows it. */
export function hasTraceScope(): boolean {
  return Reflect.get(globalThis, SCOPE_KEY) !== undefined;
}

/** Reads `{traceId, spanId}` off an untyped value, e.g. `ctx.trace` of a hook. */
export function traceIds(value: unknown): TraceIds | undefined {
  const traceId = field(value, "traceId");
  const spanId = field(value, "spanId");
  return typeof traceId === "string" && typeof spanId === "string" ? { traceId, spanId } : undefined;
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
