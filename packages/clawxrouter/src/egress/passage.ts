import type { Endpoint } from "./endpoints.ts";
import type { RequestGuard, Route } from "./guards.ts";
import type { JsonObject } from "./json.ts";
import type { Protocol } from "./protocols/types.ts";
import type { Redactor } from "./request/redactor.ts";
import type { WireCheck } from "./request/wire-check.ts";
import type { SignatureLedger } from "./signatures.ts";
import type { EgressEvent, EgressProxyOptions, Upstream } from "./types.ts";
import type { UpstreamPool } from "./upstream.ts";

/** What all exchanges of one proxy share. */
export interface ExchangeContext {
  options: EgressProxyOptions;
  guard: RequestGuard;
  redactor: Redactor;
  wireCheck: WireCheck;
  signatures: SignatureLedger;
  pool: UpstreamPool;
  emit(event: EgressEvent): void;
}

/** A request whose caller, provider and endpoint are known and allowed. */
export interface Passage {
  id: string;
  /** `performance.now()` at the first header. */
  started: number;
  route: Route;
  upstream: Upstream;
  endpoint: Endpoint;
  protocol: Protocol;
  session: string | undefined;
  /** Fires when the caller hangs up. */
  abort: AbortController;
}

/** A body ready to leave. */
export interface Outgoing {
  bytes: Buffer;
  /** The body that `bytes` were made from, for answers in its shape. */
  body: JsonObject;
  model: string | undefined;
  stream: boolean;
  /** A local request that holds private text: no error may lead the host to a cloud model. */
  isPrivate: boolean;
  /** The caller asked for a JSON document as the answer's text. */
  jsonText: boolean;
}
