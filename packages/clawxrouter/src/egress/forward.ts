import type { IncomingMessage, ServerResponse } from "node:http";
import { upstreamTarget } from "./endpoints.ts";
import { responseHeaders, upstreamHeaders, upstreamRequestId } from "./headers.ts";
import type { ExchangeContext, Outgoing, Passage } from "./passage.ts";
import { decline, errorBody } from "./refusals.ts";
import { ResponseObserver } from "./response/observer.ts";
import { relay } from "./response/relay.ts";
import type { Restorer } from "./response/restorer.ts";
import { modelFamily } from "./signatures.ts";
import { sendJson } from "./synthetic.ts";
import type { EndEvent } from "./types.ts";
import type { UpstreamResponse } from "./upstream.ts";

/**
 * Sends a prepared request once and passes the answer on. Never throws: failures become what the caller would
 * see without a proxy, or a completion where an error could lead private text to another model.
 *
 * @param outgoing undefined for requests without a body
 */
export async function forward(
  context: ExchangeContext,
  passage: Passage,
  request: IncomingMessage,
  response: ServerResponse,
  outgoing?: Outgoing,
  restorer?: Restorer,
): Promise<void> {
  const { upstream, route, endpoint, protocol, abort, asked } = passage;
  const family = asked?.model === undefined ? undefined : modelFamily(asked.model);
  const observer = new ResponseObserver(
    protocol,
    family === undefined ? undefined : (event) => context.signatures.learn(event, family),
    (id) => context.chains.learn(route.providerId, id, passage.session, passage.minted),
  );
  const seen: Pick<EndEvent, "status" | "ttfbMs" | "responseBytes" | "upstreamRequestId"> = {
    status: undefined,
    ttfbMs: undefined,
    responseBytes: 0,
    upstreamRequestId: undefined,
  };
  const end = (outcome: EndEvent["outcome"]): void =>
    context.emit({
      kind: "end",
      requestId: passage.id,
      at: Date.now(),
      providerId: route.providerId,
      session: passage.session,
      outcome,
      usage: observer.usage,
      restored: restorer?.count() ?? 0,
      durationMs: performance.now() - passage.started,
      ...seen,
    });
  const fail = (code: string): void => {
    if (outgoing?.isPrivate) {
      decline(context, passage, response, "upstream-unreachable", code);
    } else
      sendJson(
        response,
        502,
        errorBody("upstream-unreachable", `the provider could not be reached (${code})`),
      );
  };

  let answer: UpstreamResponse;
  try {
    const bytes = outgoing?.bytes;
    const target = upstreamTarget(upstream, route.tail, route.query);
    answer = await context.pool.send({
      ...target,
      method: endpoint.method,
      headers: upstreamHeaders(request.headers, bytes?.length, upstream.headers),
      body: bytes,
      local: upstream.local,
      signal: abort.signal,
    });
  } catch (error) {
    if (abort.signal.aborted) return end("client-abort");
    end(isTimeout(error) ? "timeout" : "network-error");
    return fail(errorCode(error));
  }

  seen.status = answer.status;
  seen.upstreamRequestId = upstreamRequestId(answer.headers);
  if (answer.status >= 300 && answer.status < 400) {
    answer.body.destroy();
    end("http-error");
    // Not passed on: a client that follows it would carry the key to a host the configuration does not name.
    sendJson(
      response,
      400,
      errorBody(
        "upstream-unreachable",
        "the provider answered with a redirect: set its final address as baseUrl",
      ),
    );
    return;
  }
  if (outgoing?.isPrivate && answer.status >= 500) {
    answer.body.destroy();
    end("http-error");
    return fail(`HTTP ${answer.status}`);
  }
  try {
    await relay(answer, response, responseHeaders(answer.headers), {
      protocol,
      observer,
      restorer,
      jsonText: asked?.jsonText ?? false,
      wantsStream: asked?.stream ?? false,
      onBytes: (count) => {
        seen.ttfbMs ??= performance.now() - passage.started;
        seen.responseBytes += count;
      },
    });
    end(answer.status < 400 ? "ok" : "http-error");
  } catch (error) {
    // The caller must see that the answer is cut, as it would without a proxy in between.
    response.destroy();
    end(isHangUp(error) ? "client-abort" : isTimeout(error) ? "timeout" : "network-error");
  }
}

/** Node's or undici's code of an error, which never quotes content. */
function errorCode(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "network error";
}

/** The caller closed its connection: the answer's stream ended early, or the upstream request was aborted for it. */
function isHangUp(error: unknown): boolean {
  const code = errorCode(error);
  return code === "ERR_STREAM_PREMATURE_CLOSE" || code === "UND_ERR_ABORTED" || code === "ABORT_ERR";
}

function isTimeout(error: unknown): boolean {
  return errorCode(error).includes("TIMEOUT");
}
