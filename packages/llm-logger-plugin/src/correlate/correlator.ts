/** Decides which traffic is a model call's, and which call's. */
import { isCredentialHeader } from "../redaction/names.ts";
import type { HeaderList } from "../redaction/wire.ts";
import { type Binding, newBinding } from "./binding.ts";
import { scopedCall } from "./call-scope.ts";
import { type CallInfo, CallRegistry } from "./calls.ts";
import { EndpointIndex, type EndpointInfo, isModelPath } from "./endpoints.ts";
import { purposeOfPath } from "./purpose.ts";
import { currentTraceScope, parseTraceparent } from "./trace.ts";

export class Correlator {
  readonly calls = new CallRegistry();
  readonly endpoints = new EndpointIndex();

  /**
   * The binding of an HTTP request as far as it can be known when it starts; undefined when it is no model call's.
   * Correlation by traceparent span first, then by the async scope, then by the endpoint alone. Never by call id:
   * retries reuse it.
   */
  bindRequest(origin: string, path: string, method: string, headers: HeaderList): Binding | undefined {
    const binding = newBinding();
    const endpoint =
      method === "POST" ? this.endpoints.match(origin, path, () => credentialsOf(headers)) : undefined;
    if (endpoint) binding.endpoint = endpoint;
    const traceparent = parseTraceparent(headerOf(headers, "traceparent"));
    if (traceparent) {
      binding.correlation = "traceparent";
      binding.trace = traceparent;
      const call = this.calls.bySpan(traceparent.spanId);
      if (call) this.attach(binding, call);
      return call || method === "POST" ? binding : undefined;
    }
    // A call's scope also sees other traffic (token refresh, proxies, tools): only what can be a model request is taken.
    if (method !== "POST") return undefined;
    const call = endpoint || isModelPath(path) ? this.#scopeCall() : undefined;
    if (!endpoint && !call) return undefined;
    const scope = currentTraceScope();
    if (call && this.#isOwn(call, endpoint)) {
      if (scope) binding.trace = scope;
      this.attach(binding, call);
      binding.correlation = "scope";
      return binding;
    }
    if (!endpoint) return undefined;
    binding.purpose = purposeOfPath(path);
    // Recaps and titles run in whatever scope was there when their queue started, often another session's: what belongs
    // to no call stays without a session. Embeddings are made within the turn that searches.
    if (binding.purpose === "embedding" && scope) {
      binding.trace = scope;
      this.borrowSession(binding);
      if (binding.run) binding.correlation = "scope";
    }
    return binding;
  }

  /** Whether a request without a traceparent is the scope's call itself, and not side work done meanwhile. */
  #isOwn(call: CallInfo, endpoint: EndpointInfo | undefined): boolean {
    if (call === scopedCall()) return true;
    return (
      call.ended === undefined &&
      call.exchanges === 0 &&
      (endpoint === undefined || endpoint.provider === call.provider)
    );
  }

  /** The binding of one exchange on a WebSocket to a model endpoint. */
  bindSocketExchange(): Binding {
    const binding = newBinding();
    this.#bindByScope(binding);
    return binding;
  }

  /** Whether a WebSocket goes to a model endpoint, or is opened by a model call. */
  matchSocket(url: URL): { follow: boolean; endpoint?: ReturnType<EndpointIndex["match"]> } {
    const origin = url.origin === "null" ? `${url.protocol}//${url.host}` : url.origin;
    const endpoint =
      this.endpoints.match(origin.replace(/^ws/, "http"), url.pathname) ??
      this.endpoints.match(origin, url.pathname);
    const follow = endpoint !== undefined || this.#scopeCall() !== undefined;
    return { follow, ...(endpoint && { endpoint }) };
  }

  attach(binding: Binding, call: CallInfo): void {
    binding.call = call;
    call.exchanges++;
    binding.ordinal = call.exchanges;
  }

  /** A request without a call of its own still belongs to the session of its trace. */
  borrowSession(binding: Binding): void {
    const relative = binding.trace && this.calls.byTrace(binding.trace.traceId);
    if (!relative) return;
    const { runId, sessionId, sessionKey, agentId } = relative;
    binding.run = {
      runId,
      ...(sessionId !== undefined && { sessionId }),
      ...(sessionKey !== undefined && { sessionKey }),
      ...(agentId !== undefined && { agentId }),
    };
  }

  #scopeCall(): CallInfo | undefined {
    const scope = currentTraceScope();
    return scopedCall() ?? (scope && this.calls.bySpan(scope.spanId));
  }

  /**
   * A WebSocket frame carries no trace id, and is sent from a span within the call's: the call is then the one of the
   * same trace that is under way and has sent nothing yet. Calls of one run follow each other.
   */
  #bindByScope(binding: Binding): void {
    const scope = currentTraceScope();
    if (scope) binding.trace = scope;
    const waiting = scope && this.calls.byTrace(scope.traceId);
    const call = this.#scopeCall() ?? (waiting?.exchanges === 0 ? waiting : undefined);
    if (call && call.ended === undefined) this.attach(binding, call);
    else this.borrowSession(binding);
    binding.correlation = binding.call || binding.run ? "scope" : "none";
  }
}

function credentialsOf(headers: HeaderList): string[] {
  return headers.filter(([name]) => isCredentialHeader(name)).map(([, value]) => value);
}

function headerOf(list: HeaderList, name: string): string | undefined {
  return list.find(([key]) => key.toLowerCase() === name)?.[1];
}
