import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type Endpoint, endpointOf, isLocalUpstream, upstreamTarget } from "./endpoints.ts";
import type { RequestGuard, Route } from "./guards.ts";
import { responseHeaders, traceOf, upstreamHeaders, upstreamRequestId } from "./headers.ts";
import { asObject, asString, type JsonObject, parseJson } from "./json.ts";
import { refusalText } from "./messages.ts";
import { PROTOCOLS } from "./protocols/index.ts";
import type { Protocol } from "./protocols/types.ts";
import { BodyTooLargeError, readBody } from "./request/read-body.ts";
import { type RedactionReport, type Redactor, RefusedError } from "./request/redactor.ts";
import { restoreRequest } from "./request/restore-request.ts";
import { ResponseObserver } from "./response/observer.ts";
import { relay } from "./response/relay.ts";
import type { Restorer } from "./response/restorer.ts";
import { vaultRestorer } from "./response/vault-restorer.ts";
import { sendCompletion, sendJson } from "./synthetic.ts";
import type { EgressEvent, EgressPolicy, EgressProxyOptions, RefusalCode, Upstream } from "./types.ts";
import type { UpstreamPool, UpstreamResponse } from "./upstream.ts";

/** What all exchanges of one proxy share. */
export interface ExchangeContext {
  options: EgressProxyOptions;
  guard: RequestGuard;
  redactor: Redactor;
  pool: UpstreamPool;
  emit(event: EgressEvent): void;
}

/** A request on its way: what is known of it grows with each step. */
interface Passage {
  id: string;
  startedAt: number;
  started: number;
  route: Route;
  upstream: Upstream;
  endpoint: Endpoint;
  protocol: Protocol;
  session: string | undefined;
  abort: AbortController;
}

/** Serves one request from the first header to the last byte. Never throws. */
export async function exchange(
  context: ExchangeContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const id = randomUUID();
  const refuse = (status: number, code: RefusalCode, detail: string, providerId?: string): void => {
    context.emit({
      kind: "refused",
      requestId: id,
      at: Date.now(),
      providerId,
      session: undefined,
      code,
      status,
      detail,
      level: undefined,
    });
    response.setHeader("connection", "close");
    if (status === 401) response.writeHead(401).end();
    else sendJson(response, status, errorBody(code, detail));
  };

  const route = context.guard.check(request);
  if ("code" in route) return refuse(route.status, route.code, route.detail);
  const { providerId, tail } = route;
  const upstreams = context.options.upstreams();
  const upstream = Object.hasOwn(upstreams, providerId) ? upstreams[providerId] : undefined;
  if (!upstream) {
    return refuse(
      404,
      "unknown-provider",
      "this provider is not under ClawXRouter; run: openclaw clawxrouter setup",
    );
  }
  const endpoint = endpointOf(tail);
  if (!endpoint) return refuse(404, "unknown-endpoint", "this path is not on the allow-list", providerId);
  if (request.method !== endpoint.method) {
    return refuse(405, "bad-method", `use ${endpoint.method} for this path`, providerId);
  }
  const passage: Passage = {
    id,
    startedAt: Date.now(),
    started: performance.now(),
    route,
    upstream,
    endpoint,
    protocol: PROTOCOLS[endpoint.protocol],
    session: context.options.sessionOf?.({ providerId, ...traceOf(request.headers) }),
    abort: new AbortController(),
  };
  response.once("close", () => {
    if (!response.writableFinished) passage.abort.abort();
  });
  if (endpoint.method === "GET") return forward(context, passage, request, response, undefined, undefined);

  let body: JsonObject | undefined;
  try {
    const policy = context.options.policy();
    if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(request.headers["content-type"] ?? "")) {
      return refuse(
        415,
        "bad-content-type",
        "only JSON bodies can be checked; multipart and binary are not sent",
        providerId,
      );
    }
    if (request.headers["content-encoding"] !== undefined) {
      return refuse(415, "bad-content-type", "compressed request bodies are not served", providerId);
    }
    const bytes = await readBody(request, policy.maxBodyBytes);
    body = asObject(parseJson(bytes.toString("utf8")));
    if (!body) return refuse(400, "bad-body", "the body is not a JSON object", providerId);
    await serve(context, passage, request, response, body, bytes.length, policy);
  } catch (error) {
    if (error instanceof BodyTooLargeError) return refuse(413, "body-too-large", error.message, providerId);
    if (response.headersSent || response.destroyed) {
      response.destroy();
      return;
    }
    // What is not understood is not sent; only the error's name is safe to tell.
    if (error instanceof RefusedError) decline(context, passage, response, body, error.code, error.message);
    else if (!passage.abort.signal.aborted) {
      decline(
        context,
        passage,
        response,
        body,
        "bad-body",
        `internal error ${error instanceof Error ? error.name : ""}`,
      );
    }
  }
}

async function serve(
  context: ExchangeContext,
  passage: Passage,
  request: IncomingMessage,
  response: ServerResponse,
  body: JsonObject,
  requestBytes: number,
  policy: EgressPolicy,
): Promise<void> {
  const { options } = context;
  const { endpoint, route, upstream, session } = passage;
  const closed = options.closedBecause?.();
  if (closed !== undefined) throw new RefusedError("closed", closed);
  const local = upstream.local;
  if (local && !isLocalUpstream(upstream, options.localHosts?.() ?? [])) {
    throw new RefusedError("local-not-local", `provider ${route.providerId}`);
  }
  const model = asString(body.model) ?? endpoint.modelInPath;
  const stream = endpoint.kind === "generate" && passage.protocol.wantsStream(body, endpoint.id, route.query);
  if (endpoint.id === "streamGenerateContent" && route.query.get("alt") !== "sse") {
    throw new RefusedError("bad-path", "streamGenerateContent is served with alt=sse only");
  }

  let report: RedactionReport | undefined;
  let isPrivate = false;
  if (local) {
    isPrivate = restoreRequest(body, options.vault, session);
  } else {
    report = await context.redactor.redact(
      body,
      { requestId: passage.id, providerId: route.providerId, model, session, signal: passage.abort.signal },
      policy,
    );
  }
  const wire = JSON.stringify(body);
  if (!local) {
    const [hit] = options.vault.findKnown(wire);
    if (hit) {
      throw new RefusedError("final-check", `a value of type ${hit.type} stands where it cannot be replaced`);
    }
  }
  context.emit({
    kind: "forward",
    requestId: passage.id,
    at: Date.now(),
    providerId: route.providerId,
    session,
    api: upstream.api,
    endpoint: endpoint.id,
    model,
    local,
    stream,
    level: report?.level ?? (isPrivate ? "S3" : "S1"),
    replaced: report?.counts ?? {},
    mediaWithheld: report?.mediaWithheld ?? 0,
    signaturesStripped: 0,
    reasons: report?.reasons ?? [],
    degraded: report?.degraded,
    requestBytes,
    sentBytes: Buffer.byteLength(wire),
    inspectMs: performance.now() - passage.started,
  });
  const restorer =
    report && /REDACTED|PRIVATE/i.test(wire)
      ? vaultRestorer(options.vault, wire, report.minted, session)
      : undefined;
  await forward(context, passage, request, response, { wire, model, stream, isPrivate, body }, restorer);
}

interface Outgoing {
  wire: string;
  model: string | undefined;
  stream: boolean;
  /** A local request that holds private text: must not be answered by an error that leads to a cloud fallback. */
  isPrivate: boolean;
  body: JsonObject;
}

async function forward(
  context: ExchangeContext,
  passage: Passage,
  request: IncomingMessage,
  response: ServerResponse,
  outgoing: Outgoing | undefined,
  restorer: Restorer | undefined,
): Promise<void> {
  const { upstream, route, endpoint, protocol, abort } = passage;
  const observer = new ResponseObserver(protocol);
  const target = upstreamTarget(upstream, route.tail, route.query);
  const bytes = outgoing === undefined ? undefined : Buffer.from(outgoing.wire, "utf8");
  let status: number | undefined;
  let ttfbMs: number | undefined;
  let responseBytes = 0;
  let upstreamId: string | undefined;
  const end = (outcome: "ok" | "http-error" | "network-error" | "client-abort" | "timeout"): void => {
    context.emit({
      kind: "end",
      requestId: passage.id,
      at: Date.now(),
      providerId: route.providerId,
      session: passage.session,
      status,
      outcome,
      usage: observer.usage,
      restored: restorer?.count() ?? 0,
      ttfbMs,
      durationMs: performance.now() - passage.started,
      responseBytes,
      upstreamRequestId: upstreamId,
    });
  };
  let answer: UpstreamResponse;
  try {
    answer = await context.pool.send({
      origin: target.origin,
      path: target.path,
      method: endpoint.method,
      headers: upstreamHeaders(request.headers, bytes?.length, upstream.headers),
      body: bytes,
      local: upstream.local,
      signal: abort.signal,
    });
  } catch (error) {
    if (abort.signal.aborted) return end("client-abort");
    end(isTimeout(error) ? "timeout" : "network-error");
    return unreachable(context, passage, response, outgoing, networkCode(error));
  }
  status = answer.status;
  upstreamId = upstreamRequestId(answer.headers);
  if (status >= 300 && status < 400 && status !== 304) {
    answer.body.destroy();
    end("http-error");
    return redirected(context, passage, response);
  }
  if (outgoing?.isPrivate && status >= 500) {
    answer.body.destroy();
    end("http-error");
    return unreachable(context, passage, response, outgoing, `HTTP ${status}`);
  }
  try {
    await relay(answer, response, responseHeaders(answer.headers), {
      protocol,
      observer,
      restorer,
      wantsStream: outgoing?.stream ?? false,
      onBytes: (count) => {
        ttfbMs ??= performance.now() - passage.started;
        responseBytes += count;
      },
    });
    end(status < 400 ? "ok" : "http-error");
  } catch (error) {
    const aborted = abort.signal.aborted;
    // The caller must see that the answer is cut, as it would without a proxy in between.
    response.destroy();
    end(aborted ? "client-abort" : isTimeout(error) ? "timeout" : "network-error");
  }
}

/** A provider that cannot be reached: as a network error for the host, or as an answer when text is private. */
function unreachable(
  context: ExchangeContext,
  passage: Passage,
  response: ServerResponse,
  outgoing: Outgoing | undefined,
  code: string,
): void {
  if (outgoing?.isPrivate) {
    decline(context, passage, response, outgoing.body, "upstream-unreachable", code);
    return;
  }
  sendJson(response, 502, errorBody("upstream-unreachable", `the provider could not be reached (${code})`));
}

function redirected(context: ExchangeContext, passage: Passage, response: ServerResponse): void {
  const detail =
    "the provider answered with a redirect, which is not followed: set its final address as baseUrl";
  context.emit({
    kind: "refused",
    requestId: passage.id,
    at: Date.now(),
    providerId: passage.route.providerId,
    session: passage.session,
    code: "upstream-unreachable",
    status: 400,
    detail,
    level: undefined,
  });
  sendJson(response, 400, errorBody("upstream-unreachable", detail));
}

/** Refuses after the body is known: a completion where the caller waits for one, else an error it does not retry. */
function decline(
  context: ExchangeContext,
  passage: Passage,
  response: ServerResponse,
  body: JsonObject | undefined,
  code: RefusalCode,
  detail: string,
): void {
  const { endpoint, protocol, route, session, id } = passage;
  const completes = endpoint.kind === "generate" && body !== undefined && code !== "bad-path";
  context.emit({
    kind: "refused",
    requestId: id,
    at: Date.now(),
    providerId: route.providerId,
    session,
    code,
    status: completes ? 200 : 400,
    detail,
    level: code === "policy-s3" ? "S3" : code === "policy-s2" ? "S2" : undefined,
  });
  if (!completes) {
    sendJson(response, 400, errorBody(code, detail));
    return;
  }
  sendCompletion(
    response,
    protocol,
    protocol.wantsStream(body, endpoint.id, route.query),
    refusalText(code, detail),
    {
      model: asString(body.model) ?? endpoint.modelInPath ?? "unknown",
      endpoint: endpoint.id,
      now: Date.now(),
      requestId: id.replaceAll("-", ""),
    },
  );
}

function errorBody(code: RefusalCode, detail: string): JsonObject {
  return { error: { message: `ClawXRouter: ${detail}`, type: "clawxrouter_error", code } };
}

function networkCode(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "network error";
}

function isTimeout(error: unknown): boolean {
  return networkCode(error).includes("TIMEOUT");
}
