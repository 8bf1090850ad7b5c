/**
 * A model server that costs next to nothing: whole answers at once. The model `echo-<pieces>-<gap>` streams the last
 * user message back (its placeholders included), in so many pieces, so many milliseconds apart.
 */
import { createServer, type ServerResponse } from "node:http";
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
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => {
    // A body is read to its end, as a model server would; only one to be echoed is kept.
    if (parts.length === 0 || /"stream":true/.test(parts[0]?.toString("latin1") ?? "")) parts.push(part);
  });
  request.on("end", () => {
    const echo = /"model":"echo-(\d+)-(\d+)"/.exec(parts[0]?.toString("latin1") ?? "");
    if (echo) void stream(response, Buffer.concat(parts).toString("utf8"), Number(echo[1]), Number(echo[2]));
    else {
      response.writeHead(200, { "content-type": "application/json", "content-length": WHOLE.length });
      response.end(WHOLE);
    }
  });
}).listen(PORTS.upstream, "127.0.0.1", () => process.send?.("ready"));

async function stream(response: ServerResponse, body: string, pieces: number, gap: number): Promise<void> {
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

// Ends with the benchmark, however that ends.
process.on("disconnect", () => process.exit());
