import type { ServerResponse } from "node:http";
import type { JsonObject } from "./json.ts";
import type { AnswerContext, Protocol } from "./protocols/types.ts";
import { sseBlock } from "./response/sse.ts";

/** Sends a JSON answer of the proxy's own. */
export function sendJson(response: ServerResponse, status: number, body: JsonObject): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, { "content-type": "application/json", "content-length": bytes.length });
  response.end(bytes);
}

/** A whole answer in the framing that the caller asked for. */
export function framed(protocol: Protocol, completion: JsonObject): { contentType: string; body: string } {
  const frames = protocol.streamOf(completion);
  if (protocol.framing === "ndjson") {
    return {
      contentType: "application/x-ndjson",
      body: frames.map(({ data }) => `${JSON.stringify(data)}\n`).join(""),
    };
  }
  return {
    contentType: "text/event-stream; charset=utf-8",
    body: frames
      .map(({ event, data }) => sseBlock(data === "[DONE]" ? data : JSON.stringify(data), event))
      .join(""),
  };
}

/**
 * Answers with a completion that says why nothing was sent. A status of 401 or 403 would make the host disable
 * the provider's key, 5xx would make it try up to eight times more, 400 would send the turn to the next model.
 */
export function sendCompletion(
  response: ServerResponse,
  protocol: Protocol,
  stream: boolean,
  text: string,
  context: AnswerContext,
): void {
  const completion = protocol.completion(text, context);
  const { contentType, body } = stream
    ? framed(protocol, completion)
    : { contentType: "application/json", body: JSON.stringify(completion) };
  response.writeHead(200, {
    "content-type": contentType,
    "cache-control": "no-store",
    "x-clawxrouter": "blocked",
  });
  response.end(body);
}
