/** Which trace the running code belongs to, as the host keeps it for its own diagnostics. */

/** Ids of a W3C trace context: 32 and 16 lower-case hex digits. */
export interface TraceIds {
  traceId: string;
  spanId?: string | undefined;
}

/** Where OpenClaw keeps the AsyncLocalStorage of its current span (seen in 2026.9.6); on a symbol that all copies share. */
const SCOPE = Symbol.for("openclaw.diagnosticTraceScope.state.v1");

/** The trace of the running async context; undefined on a host without one, or outside of any. Never throws. */
export function currentTrace(): TraceIds | undefined {
  const storage = field(Reflect.get(globalThis, SCOPE), "storage");
  const getStore = field(storage, "getStore");
  if (typeof getStore !== "function") return undefined;
  const store: unknown = getStore.call(storage);
  const traceId = field(store, "traceId");
  const spanId = field(store, "spanId");
  if (typeof traceId !== "string" || !/^[0-9a-f]{32}$/.test(traceId)) return undefined;
  return {
    traceId,
    spanId: typeof spanId === "string" && /^[0-9a-f]{16}$/.test(spanId) ? spanId : undefined,
  };
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
