/**
 * Tells the proxy which trace a request of this process comes from. The host gives its agents' model calls a
 * `traceparent`; embeddings have none, but are made in the async context of the turn that searches. Where undici makes
 * the request that context can still be read. Titles and recaps cannot be told so: the host's queue runs them in whatever
 * context it was started in, and the proxy does not take its word for those.
 */
import diagnostics from "node:diagnostics_channel";
import { TRACE_HEADER } from "../egress/headers.ts";
import { quietly } from "./fail-request.ts";

export interface HopDeps {
  /** Origin of our proxy, e.g. `http://127.0.0.1:8403`; undefined while it is not running. */
  proxyOrigin: () => string | undefined;
  /** The trace of the running code. */
  trace: () => { traceId: string; spanId?: string | undefined } | undefined;
}

/** The parts of undici's internal request that are used; everything is checked before it is touched. */
interface RequestLike {
  origin?: unknown;
  addHeader?: (name: string, value: string) => unknown;
}

const CHANNEL = "undici:request:create";
/** For a trace without a span; it is nobody's. */
const NO_SPAN = "0".repeat(16);

/** Starts it; the result ends it. */
export function startHop(deps: HopDeps): () => void {
  const onCreate = (message: unknown) => {
    // Without its trace a request is nobody's; an error here would end the gateway.
    quietly(() => {
      const { request } = message as { request?: RequestLike };
      const origin = deps.proxyOrigin();
      if (request === undefined || origin === undefined || originOf(request) !== origin) return;
      if (typeof request.addHeader !== "function") return;
      const trace = deps.trace();
      if (trace !== undefined) request.addHeader(TRACE_HEADER, `${trace.traceId}-${trace.spanId ?? NO_SPAN}`);
    });
  };
  diagnostics.subscribe(CHANNEL, onCreate);
  return () => {
    diagnostics.unsubscribe(CHANNEL, onCreate);
  };
}

/** A caller may give its origin as a URL, which ends with a slash. */
function originOf({ origin }: RequestLike): string {
  const told = String(origin ?? "");
  return URL.canParse(told) ? new URL(told).origin : told;
}
