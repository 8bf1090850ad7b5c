import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isProxyBaseUrl } from "./base-url.ts";
import { endpointOf } from "./endpoints.ts";
import { forward } from "./forward.ts";
import { traceOf } from "./headers.ts";
import type { ExchangeContext, Passage } from "./passage.ts";
import { prepare } from "./prepare.ts";
import { PROTOCOLS } from "./protocols/index.ts";
import { decline, refuse } from "./refusals.ts";
import { isPrivate } from "./request/names.ts";
import { BodyTooLargeError, readBody } from "./request/read-body.ts";
import { RefusedError } from "./request/refused-error.ts";
import { Turns } from "./request/turns.ts";
import type { RefusalCode, Upstream } from "./types.ts";

/** Serves one request from the first header to the last byte. Never throws. */
export async function exchange(
  context: ExchangeContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const proof = context.guard.proof(request);
  if (proof !== undefined) {
    response.writeHead(200, { "content-type": "text/plain", "cache-control": "no-store" }).end(proof);
    return;
  }
  // Many may come at once: what each costs is little, all of it together would hold up everybody.
  const turns = new Turns();
  await turns.pause();
  if (response.destroyed) return;
  const passage = admit(context, request, response);
  if (!passage) return;
  response.once("close", () => {
    if (!response.writableFinished) passage.abort.abort();
  });
  try {
    const refusal = passage.upstream.local ? undefined : await dropPrivateHeaders(context, passage, request);
    if (passage.endpoint.method === "GET") {
      if (refusal) throw refusal;
      return await forward(context, passage, request, response);
    }
    const bytes = await readBody(request, context.options.policy().maxBodyBytes);
    await turns.pause();
    const { outgoing, restorer } = await prepare(context, passage, bytes, refusal);
    await forward(context, passage, request, response, outgoing, restorer);
  } catch (error) {
    if (response.headersSent || passage.abort.signal.aborted) response.destroy();
    else if (error instanceof BodyTooLargeError) {
      const { id: requestId, route } = passage;
      const detail = error.message;
      refuse(context, response, {
        requestId,
        status: 413,
        code: "body-too-large",
        detail,
        providerId: route.providerId,
      });
    } else if (error instanceof RefusedError) {
      decline(context, passage, response, error.code, error.message);
    } else if (isStoreError(error)) {
      // SQLite's messages name what is wrong (a full disk, a lock), never a value.
      const detail = `the vault of ClawXRouter cannot be used: ${error.message}`;
      decline(context, passage, response, "inspect-failed", detail);
    } else {
      // What fails is not sent. The message may quote the body, so only the kind of error is told.
      const name = error instanceof Error ? error.name : "error";
      decline(context, passage, response, "bad-body", `the request could not be checked (${name})`);
    }
  }
}

function isStoreError(error: unknown): error is Error {
  return error instanceof Error && "code" in error && error.code === "ERR_SQLITE_ERROR";
}

/**
 * Takes headers out of a request that hold private text: a session's name with a telephone number, a quoted prompt.
 * @returns why the request must not go, when they could not be judged: the body says in what form to refuse it
 */
async function dropPrivateHeaders(
  context: ExchangeContext,
  passage: Passage,
  { headers }: IncomingMessage,
): Promise<RefusedError | undefined> {
  const inspected = {
    requestId: passage.id,
    providerId: passage.route.providerId,
    model: undefined,
    session: passage.session,
    signal: passage.abort.signal,
  };
  try {
    const timeoutMs = context.options.policy().inspectTimeoutMs;
    for (const { name, type } of await context.headers.find(headers, inspected, timeoutMs)) {
      // A body without its type would not be read.
      if (name === "content-type") headers[name] = "application/json";
      else delete headers[name];
      passage.notes.push(`header ${/^[a-z-]{1,40}$/.test(name) ? name : "?"} withheld: ${type}`);
    }
    return undefined;
  } catch (error) {
    if (error instanceof RefusedError) return error;
    throw error;
  }
}

/** Checks all that can be checked before the body is read. @returns undefined when the request has been refused */
function admit(
  context: ExchangeContext,
  request: IncomingMessage,
  response: ServerResponse,
): Passage | undefined {
  const id = randomUUID();
  const started = performance.now();
  const no = (status: number, code: RefusalCode, detail: string, providerId?: string): undefined => {
    refuse(context, response, { requestId: id, status, code, detail, providerId });
    return undefined;
  };
  const route = context.guard.check(request);
  if ("code" in route) return no(route.status, route.code, route.detail);
  const { providerId } = route;
  const upstreams = context.options.upstreams();
  const upstream = Object.hasOwn(upstreams, providerId) ? upstreams[providerId] : undefined;
  if (!upstream) {
    return no(
      404,
      "unknown-provider",
      "this provider is not under ClawXRouter; run: openclaw clawxrouter setup",
    );
  }
  if (isProxyBaseUrl(upstream.baseUrl)) {
    // It would call itself without end.
    return no(
      400,
      "unknown-provider",
      "the provider's own address is lost; run: openclaw clawxrouter setup",
      providerId,
    );
  }
  const endpoint = endpointOf(route.tail);
  if (!endpoint) return no(404, "unknown-endpoint", "this path is not on the allow-list", providerId);
  if (request.method !== endpoint.method) {
    return no(405, "bad-method", `this path is served with ${endpoint.method} only`, providerId);
  }
  const name = privateIn(context, upstream, route.tail, endpoint.modelInPath, route.query);
  if (name !== undefined) {
    const detail = `the path or the query holds a value of type ${name}; it was not sent`;
    return no(400, "final-check", detail, providerId);
  }
  if (endpoint.method === "POST") {
    if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(request.headers["content-type"] ?? "")) {
      const detail = "only JSON bodies can be checked; multipart, text and binary bodies are not sent";
      return no(415, "bad-content-type", detail, providerId);
    }
    const encoding = request.headers["content-encoding"];
    if (encoding !== undefined && encoding !== "identity") {
      return no(415, "bad-content-type", "compressed request bodies are not served", providerId);
    }
  }
  return {
    id,
    started,
    route,
    upstream,
    endpoint,
    protocol: PROTOCOLS[endpoint.protocol],
    session: context.options.sessionOf?.({ providerId, ...traceOf(request.headers, endpoint.kind) }),
    notes: [],
    abort: new AbortController(),
    asked: undefined,
    minted: new Set(),
  };
}

/** Type of a private value in what leaves beside the body: the path and the query, the provider's key aside. */
function privateIn(
  { options }: ExchangeContext,
  upstream: Upstream,
  tail: string,
  model: string | undefined,
  query: URLSearchParams,
): string | undefined {
  if (upstream.local) return undefined;
  const isKnownModel = model !== undefined && upstream.models?.includes(model) === true;
  const told = [isKnownModel ? tail.replace(model, "") : tail];
  for (const [name, value] of query) if (name !== "key") told.push(value);
  const text = told.join("\n");
  return options.vault.findKnown(text).find(({ start, end, type }) => isPrivate(text.slice(start, end), type))
    ?.type;
}
