import { createHash } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import zlib from "node:zlib";
import { afterEach, describe, expect, it, vi } from "vitest";
import { announce, answering, chatStream, type Lab, post, SSE, wireLab } from "../testing/wire-lab.ts";

// Real sockets on a machine that may be busy with other tests.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

let lab: Lab | undefined;
afterEach(async () => {
  await lab?.close();
  lab = undefined;
});

async function open(options: Parameters<typeof wireLab>[0]): Promise<Lab> {
  lab = await wireLab(options);
  return lab;
}

const chat = (lab: Lab) => `${lab.origin}/v1/chat/completions`;

describe("HTTP attempts", () => {
  it("are one request, one response, one call line, byte for byte, tied by traceparent", async () => {
    const answer = chatStream(["你", "好"], {
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 15,
      prompt_tokens_details: { cached_tokens: 4 },
    });
    const lab = await open({
      handler: answering((_b, _q, r) => r.writeHead(200, { ...SSE, "x-request-id": "req-1" }).end(answer)),
    });
    const call = announce();
    const body = '{ "model":"m1", "messages":[{"role":"user","content":"h\\u00e9llo 世界"}] }';
    await (await post(chat(lab), call, body)).text();
    const [summary] = await lab.calls(1);
    const [request, response] = [lab.lines("http_request")[0], lab.lines("http_response")[0]];
    expect(lab.lines()).toHaveLength(3);
    expect(request).toMatchObject({
      body,
      correlation: "traceparent",
      attemptId: call.spanId,
      callId: "run-1:model:1",
      sessionId: "session-1",
      agentId: "main",
      truncated: false,
    });
    expect(request?.sha256).toBe(createHash("sha256").update(body).digest("hex"));
    expect(response).toMatchObject({ body: answer, status: 200, originalLength: Buffer.byteLength(answer) });
    expect(summary).toMatchObject({
      outcome: "ok",
      complete: true,
      providerRequestId: "req-1",
      usage: { input: 6, output: 5, cacheRead: 4, total: 15 },
      message: { text: "你好" },
      finishReason: "stop",
    });
    expect(summary?.costUsd).toBeCloseTo((6 + 5 * 2 + 4 * 0.1) / 1e6, 12);
  });

  it("case early-stop: a stream the caller stops is one record, aborted, with what came", async () => {
    const lab = await open({
      handler: answering((_b, _q, r) =>
        r
          .writeHead(200, SSE)
          .write(
            chatStream(["first "]).split(
              'data: {"id":"c1","object":"chat.completion.chunk","model":"m1","choices":[{"index":0,"delta":{}',
            )[0],
          ),
      ),
    });
    const abort = new AbortController();
    const response = await post(chat(lab), announce(), undefined, { signal: abort.signal });
    const reader = response.body?.getReader();
    await reader?.read();
    abort.abort();
    const [call] = await lab.calls(1);
    expect(call).toMatchObject({ outcome: "aborted", complete: false, message: { text: "first " } });
    expect(lab.lines("http_response")).toHaveLength(1);
    expect(lab.lines("http_response")[0]?.body).toContain("first ");
    await reader?.cancel().catch(() => undefined);
  });

  it("an abort after the protocol's end is a success", async () => {
    const lab = await open({
      handler: answering((_b, _q, r) => r.writeHead(200, SSE).write(chatStream(["done"]))),
    });
    const abort = new AbortController();
    const response = await post(chat(lab), announce(), undefined, { signal: abort.signal });
    let text = "";
    const reader = response.body?.getReader();
    while (!text.includes("[DONE]")) text += Buffer.from((await reader?.read())?.value ?? []).toString();
    abort.abort();
    expect((await lab.calls(1))[0]).toMatchObject({
      outcome: "ok",
      complete: true,
      message: { text: "done" },
    });
    await reader?.cancel().catch(() => undefined);
  });

  it("case include-usage: the extra usage chunk does not make a second record", async () => {
    const lab = await open({
      handler: answering((_b, _q, r) =>
        r.writeHead(200, SSE).end(chatStream(["x"], { prompt_tokens: 3, completion_tokens: 1 })),
      ),
    });
    await (
      await post(chat(lab), announce(), {
        model: "m1",
        stream: true,
        stream_options: { include_usage: true },
        messages: [],
      })
    ).text();
    await lab.calls(1);
    await wait(50);
    expect(lab.lines("llm_call")).toHaveLength(1);
    expect(lab.lines("llm_call")[0]).toMatchObject({ usage: { input: 3, output: 1, total: 4 } });
  });

  it("case responses-completed: a streamed Responses answer is assembled", async () => {
    const events = [
      { type: "response.output_text.delta", delta: "hel" },
      { type: "response.output_text.delta", delta: "lo" },
      {
        type: "response.completed",
        response: {
          id: "r1",
          status: "completed",
          output: [{ type: "message", content: [{ type: "output_text", text: "hello" }] }],
          usage: { input_tokens: 2, output_tokens: 1 },
        },
      },
    ];
    const stream = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
    const lab = await open({ handler: answering((_b, _q, r) => r.writeHead(200, SSE).end(stream)) });
    await (await post(`${lab.origin}/v1/responses`, announce({ api: "openai-responses" }))).text();
    expect((await lab.calls(1))[0]).toMatchObject({
      complete: true,
      responseId: "r1",
      message: { text: "hello" },
    });
  });

  it("case utf8-split: a character over two chunks stays whole", async () => {
    const bytes = Buffer.from(chatStream(["漢字 😀"]));
    const lab = await open({
      handler: answering(async (_b, _q, r) => {
        r.writeHead(200, SSE);
        for (const byte of bytes) {
          r.write(Buffer.from([byte]));
          if (byte > 0x7f) await new Promise((done) => setImmediate(done));
        }
        r.end();
      }),
    });
    await (await post(chat(lab), announce())).text();
    expect((await lab.calls(1))[0]).toMatchObject({ message: { text: "漢字 😀" } });
    expect(lab.everything()).not.toContain("\uFFFD");
  });

  it("case gemini-key: the key is in no file, neither from the URL nor from the header", async () => {
    const key = `AI${"za"}Sy${"b3d5f7h9".repeat(4)}x`;
    const lab = await open({
      config: { endpoints: [] },
      handler: answering((_b, _q, r) => r.writeHead(200, { "content-type": "application/json" }).end("{}")),
    });
    const call = announce({ api: "google-generative-ai" });
    await (
      await post(
        `${lab.origin}/v1beta/models/g:generateContent?key=${key}&alt=sse`,
        call,
        {},
        { headers: { "x-goog-api-key": key } },
      )
    ).text();
    await lab.calls(1);
    expect(lab.everything()).not.toContain(key);
    expect(lab.lines("http_request")[0]?.url).toContain(":generateContent?key=[REDACTED]&alt=sse");
  });

  it("case true-size: a 5 MB body under a 256 kB cap keeps length and hash of the whole", async () => {
    const lab = await open({
      handler: answering((_b, _q, r) => r.writeHead(200, { "content-type": "application/json" }).end("{}")),
    });
    const body = JSON.stringify({
      model: "m1",
      messages: [{ role: "user", content: "字".repeat(5_000_000 / 3) }],
    });
    await (await post(chat(lab), announce(), body)).text();
    await lab.calls(1);
    const [request] = lab.lines("http_request");
    const sha256 = createHash("sha256").update(body).digest("hex");
    expect(request).toMatchObject({
      truncated: true,
      capturedBytes: 262_144,
      originalLength: Buffer.byteLength(body),
      sha256,
    });
    expect(Buffer.byteLength(String(request?.body))).toBeLessThanOrEqual(262_144);
    expect(body.startsWith(String(request?.body))).toBe(true);
  });

  it("case retry-id: 429 then 200 with one callId are two attempts", async () => {
    let count = 0;
    const lab = await open({
      handler: answering((_b, _q, r) =>
        count++ === 0
          ? r.writeHead(429, { "content-type": "application/json" }).end('{"error":{"message":"slow down"}}')
          : r.writeHead(200, SSE).end(chatStream(["ok"])),
      ),
    });
    const [first, second] = [announce(), announce()];
    await (await post(chat(lab), first)).text();
    await (await post(chat(lab), second)).text();
    const calls = await lab.calls(2);
    expect(
      calls.map(({ callId, attemptId, outcome, status }) => [callId, attemptId, outcome, status]),
    ).toEqual([
      ["run-1:model:1", first.spanId, "http_error", 429],
      ["run-1:model:1", second.spanId, "ok", 200],
    ]);
    expect(calls[0]?.error).toBe("slow down");
  });

  it("two requests of one span (a client's own retry) are two attempts too", async () => {
    const lab = await open({
      handler: answering((_b, _q, r) => r.writeHead(200, SSE).end(chatStream(["ok"]))),
    });
    const call = announce();
    await (await post(chat(lab), call)).text();
    await (await post(chat(lab), call)).text();
    expect((await lab.calls(2)).map((line) => line.attemptId)).toEqual([call.spanId, `${call.spanId}.2`]);
  });

  it.each(["gzip", "deflate", "br", "zstd"] as const)("decode %s and count wire bytes", async (coding) => {
    const answer = chatStream(Array.from({ length: 200 }, (_, i) => `word${i} `));
    const encode = {
      gzip: zlib.gzipSync,
      deflate: zlib.deflateSync,
      br: zlib.brotliCompressSync,
      zstd: zlib.zstdCompressSync,
    }[coding];
    const wire = encode(Buffer.from(answer));
    const lab = await open({
      handler: answering((_b, _q, r) => r.writeHead(200, { ...SSE, "content-encoding": coding }).end(wire)),
    });
    await (await post(chat(lab), announce())).arrayBuffer().catch(() => undefined);
    const [call] = await lab.calls(1);
    expect(lab.lines("http_response")[0]).toMatchObject({
      body: answer,
      wireBytes: wire.length,
      originalLength: Buffer.byteLength(answer),
      contentEncoding: coding,
    });
    expect(call).toMatchObject({ responseWireBytes: wire.length, responseBytes: Buffer.byteLength(answer) });
  });

  it("keep what came when the connection is cut, and say network_error", async () => {
    const lab = await open({
      handler: answering((_b, _q, r) => {
        r.writeHead(200, SSE).write(chatStream(["part"]).slice(0, 90));
        setTimeout(() => r.socket?.destroy(), 20);
      }),
    });
    await (await post(chat(lab), announce())).text().catch(() => undefined);
    expect((await lab.calls(1))[0]).toMatchObject({ outcome: "network_error", complete: false });
    expect(lab.lines("http_response")[0]?.body).toBe(chatStream(["part"]).slice(0, 90));
  });

  it("say network_error when nobody listens", async () => {
    const lab = await open({ handler: answering(() => undefined) });
    const closed = createServer().listen(0, "127.0.0.1");
    await once(closed, "listening");
    const { port } = closed.address() as AddressInfo;
    closed.close();
    await post(`http://127.0.0.1:${port}/v1/chat/completions`, announce()).catch(() => undefined);
    const [call] = await lab.calls(1);
    expect(call).toMatchObject({ outcome: "network_error", status: null });
    expect(String(call?.error)).toContain("ECONNREFUSED");
  });
});
