import { afterEach, describe, expect, it, vi } from "vitest";
import { announce, answering, chatStream, type Lab, post, SSE, wireLab } from "../testing/wire-lab.ts";

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

let lab: Lab | undefined;
afterEach(async () => {
  await lab?.close();
  lab = undefined;
});

/** Sends one call to a server that answers with the stream in small writes. */
async function callOf(path: string, stream: string): Promise<Lab> {
  const opened = await wireLab({
    config: { includeBodies: false },
    handler: answering((_b, _q, response) => {
      response.writeHead(200, SSE);
      const size = 20_000;
      for (let at = 0; at < stream.length; at += size) response.write(stream.slice(at, at + size));
      response.end();
    }),
  });
  lab = opened;
  await (await post(`${opened.origin}${path}`, announce())).text();
  return opened;
}

describe("a log without bodies", () => {
  it("counts a long chat stream by its ends and keeps none of its words", async () => {
    const usage = { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 };
    const stream = chatStream(
      Array.from({ length: 4000 }, (_, i) => `word${i} `),
      usage,
    );
    const opened = await callOf("/v1/chat/completions", stream);
    const [call] = await opened.calls(1);
    expect(call).toMatchObject({
      outcome: "ok",
      complete: true,
      finishReason: "stop",
      usage: { input: 7, output: 5, total: 12 },
      responseBytes: Buffer.byteLength(stream),
      message: null,
    });
    expect(opened.lines("http_response")[0]).toMatchObject({
      body: null,
      originalLength: Buffer.byteLength(stream),
    });
    expect(opened.everything()).not.toContain("word1");
  });

  it("reads the usage of a Responses stream whose last event repeats answer, instructions and tools", async () => {
    const text = "answer ".repeat(15_000);
    const events = [
      { type: "response.created", response: { id: "resp_1", model: "m1", status: "in_progress" } },
      { type: "response.output_text.delta", output_index: 0, item_id: "i", delta: text },
      {
        type: "response.completed",
        response: {
          id: "resp_1",
          model: "m1",
          status: "completed",
          instructions: "follow ".repeat(8000),
          output: [{ type: "message", content: [{ type: "output_text", text }] }],
          usage: { input_tokens: 11, output_tokens: 13, total_tokens: 24 },
        },
      },
    ];
    const stream = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
    const opened = await callOf("/v1/responses", stream);
    const [call] = await opened.calls(1);
    expect(call).toMatchObject({
      outcome: "ok",
      complete: true,
      usage: { input: 11, output: 13, total: 24 },
      message: null,
    });
  });

  const filler = (event: (text: string) => object, named = true): string =>
    Array.from({ length: 3000 }, (_, i) => sse(event(`word${i} `), named)).join("");
  const sse = (event: object, named = true): string => {
    const type: unknown = Reflect.get(event, "type");
    return `${named && typeof type === "string" ? `event: ${type}\n` : ""}data: ${JSON.stringify(event)}\n\n`;
  };
  const text = (words: string) => ({
    type: "content_block_delta",
    index: 0,
    delta: { type: "text_delta", text: words },
  });
  const started = sse({
    type: "message_start",
    message: { id: "msg_1", model: "m1", usage: { input_tokens: 70, output_tokens: 1 } },
  });
  const stopped =
    sse({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 5 } }) +
    sse({ type: "message_stop" });
  const ping = sse({ type: "ping" });

  it.each([
    ["start first", started + filler(text) + stopped],
    ["a ping first", ping + started + filler(text) + stopped],
    [
      "pings before the end mark",
      started + filler(text) + stopped.replace("event: message_stop", `${ping.repeat(6)}event: message_stop`),
    ],
    ["CRLF", (ping + started + filler(text) + stopped).replaceAll("\n", "\r\n")],
  ])("counts both halves of an Anthropic usage: %s", async (_name, stream) => {
    const opened = await callOf("/v1/messages", stream);
    const [call] = await opened.calls(1);
    expect(call).toMatchObject({ outcome: "ok", complete: true, usage: { input: 70, output: 5 } });
  });

  const delta = (content: string) => ({ id: "c", choices: [{ index: 0, delta: { content } }] });
  const finish = { id: "c", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
  const usage = { id: "c", choices: [], usage: { prompt_tokens: 7, completion_tokens: 5 } };
  it.each([
    ["in the middle", filler(delta) + sse(usage) + filler(delta) + sse(finish)],
    ["then pings", filler(delta) + sse(finish) + sse(usage) + ": ping\n\n".repeat(9)],
    ["with the finish", filler(delta) + sse({ ...finish, usage: usage.usage })],
    ["before the finish", filler(delta) + sse(usage) + sse(finish)],
  ])("counts a chat stream's usage %s", async (_name, stream) => {
    const opened = await callOf("/v1/chat/completions", `${stream}data: [DONE]\n\n`);
    const [call] = await opened.calls(1);
    expect(call).toMatchObject({ outcome: "ok", finishReason: "stop", usage: { input: 7, output: 5 } });
  });

  it("sees an error that ends a stream, after answers that looked well", async () => {
    const stream = `${filler(delta) + sse({ error: { message: "overloaded" } })}data: [DONE]\n\n`;
    const [call] = await (await callOf("/v1/chat/completions", stream)).calls(1);
    expect(call).toMatchObject({ outcome: "http_error", error: "overloaded" });
  });
});
