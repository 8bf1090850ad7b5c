import type { ServerResponse } from "node:http";
import type { JsonObject } from "./json.ts";
import { refusalText } from "./messages.ts";
import type { ExchangeContext, Passage } from "./passage.ts";
import { sendCompletion, sendJson } from "./synthetic.ts";
import type { RefusalCode } from "./types.ts";

/** Refuses a request that no gateway of ours would send, or whose body cannot be read: a plain error. */
export function refuse(
  context: ExchangeContext,
  response: ServerResponse,
  refusal: { requestId: string; status: number; code: RefusalCode; detail: string; providerId?: string },
): void {
  const { requestId, status, code, detail, providerId } = refusal;
  emit(context, { requestId, providerId, session: undefined, status, code, detail });
  // The rest of the body is not read: the connection cannot be used again.
  response.setHeader("connection", "close");
  if (status === 401) response.writeHead(401).end();
  else sendJson(response, status, errorBody(code, detail));
}

/**
 * Refuses a request whose body is known: a completion where the caller waits for one, else an error that the
 * host does not repeat.
 */
export function decline(
  context: ExchangeContext,
  passage: Passage,
  response: ServerResponse,
  code: RefusalCode,
  detail: string,
): void {
  const { endpoint, protocol, route, session, id, asked } = passage;
  const completes = endpoint.kind === "generate" && asked !== undefined && code !== "bad-path";
  const status = completes ? 200 : 400;
  emit(context, { requestId: id, providerId: route.providerId, session, status, code, detail });
  if (!completes) {
    sendJson(response, 400, errorBody(code, detail));
    return;
  }
  sendCompletion(response, protocol, asked.stream, refusalText(code, detail), {
    model: asked.model ?? "unknown",
    endpoint: endpoint.id,
    now: Date.now(),
    requestId: id.replaceAll("-", ""),
  });
}

/** The proxy's own errors, in the shape that every SDK reads. */
export function errorBody(code: RefusalCode, detail: string): JsonObject {
  return { error: { message: `ClawXRouter: ${detail}`, type: "clawxrouter_error", code } };
}

function emit(
  context: ExchangeContext,
  refusal: {
    requestId: string;
    providerId: string | undefined;
    session: string | undefined;
    status: number;
    code: RefusalCode;
    detail: string;
  },
): void {
  const level = refusal.code === "policy-s3" ? "S3" : refusal.code === "policy-s2" ? "S2" : undefined;
  context.emit({ kind: "refused", at: Date.now(), level, ...refusal });
}
