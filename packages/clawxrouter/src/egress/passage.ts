import type { Chains } from "./chains.ts";
import type { Endpoint } from "./endpoints.ts";
import type { RequestGuard, Route } from "./guards.ts";
import type { Protocol } from "./protocols/types.ts";
import type { CloudBodies } from "./request/cloud-body.ts";
import type { HeaderCheck } from "./request/header-check.ts";
import type { SignatureLedger } from "./signatures.ts";
import type { EgressEvent, EgressProxyOptions, Upstream } from "./types.ts";
import type { UpstreamPool } from "./upstream.ts";

/** What all exchanges of one proxy share. */
export interface ExchangeContext {
  options: EgressProxyOptions;
  guard: RequestGuard;
  cloudBodies: CloudBodies;
  headers: HeaderCheck;
  signatures: SignatureLedger;
  chains: Chains;
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
  /** What was done besides the body, for the record; free of private text. */
  notes: string[];
  /** Fires when the caller hangs up. */
  abort: AbortController;
  /** Set when the body has been read. */
  asked: Asked | undefined;
  /** Placeholders that the answer may have restored, whoever asks: set when the body is ready for a cloud. */
  minted: ReadonlySet<string>;
}

/** What the caller wants, as far as it decides the form of an answer. */
export interface Asked {
  model: string | undefined;
  stream: boolean;
  /** A JSON document as the answer's text (structured output). */
  jsonText: boolean;
  /** Id of the answer that the request goes on from: what was said before it is kept by the provider. */
  after: string | undefined;
}

/** A body ready to leave. */
export interface Outgoing {
  bytes: Buffer;
  /** A local request that holds private text: no error may lead the host to a cloud model. */
  isPrivate: boolean;
}
