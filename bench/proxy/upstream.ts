/**
 * A model server that costs next to nothing: whole answers at once; streams as `x-bench-pieces` pieces,
 * `x-bench-gap` milliseconds apart, the words of the last user message (its placeholders included) cut into them.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { PORTS } from "./ports.ts";

const WHOLE = Buffer.from(
  JSON.stringify({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1,
    model: "bench",
    choices: [
      { index: 0, message: { role: "assistant", content: "A short answer." }, finish_reason: "stop" },
    ],
    usage: { prompt_tokens: 10, completion_tokens: 4, total_tokens: 14 },
  }),
);

createServer((request, response) => {
  if (request.headers["x-bench-pieces"] === undefined) {
    // The body is read to its end, as a model server would, but not kept.
    request.resume();
    request.on("end", () => {
      response.writeHead(200, { "content-type": "application/json", "content-length": WHOLE.length });
      response.end(WHOLE);
    });
    return;
  }
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => void stream(request, response, Buffer.concat(parts).toString("utf8")));
}).listen(PORTS.upstream, "127.0.0.1", () => process.send?.("ready"));

async function stream(request: IncomingMessage, response: ServerResponse, body: string): Promise<void> {
  const pieces = Number(request.headers["x-bench-pieces"]);
  const gap = Number(request.headers["x-bench-gap"] ?? 0);
  const asked: { messages?: Array<{ content?: string }> } = JSON.parse(body);
  const text = asked.messages?.at(-1)?.content ?? "";
  const size = Math.max(1, Math.ceil(text.length / pieces));
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (let at = 0; at < text.length; at += size) {
    if (at > 0 && gap > 0) await new Promise((resolve) => setTimeout(resolve, gap));
    if (response.destroyed) return;
    response.write(event({ content: text.slice(at, at + size) }, null));
  }
  response.write(event({}, "stop"));
  response.end("data: [DONE]\n\n");
}

function event(delta: { content?: string }, finish: string | null): string {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "bench", choices })}\n\n`;
}
