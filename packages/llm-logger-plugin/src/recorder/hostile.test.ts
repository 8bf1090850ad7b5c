/** Traffic beside the model calls, odd traffic of the calls themselves, and what a reload leaves behind. */
import { createHash } from "node:crypto";
import diagnosticsChannel from "node:diagnostics_channel";
import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { isSilent, statusText } from "../cli/status.ts";
import { ConfigError, parseConfig } from "../config.ts";
import { onAfterCompaction, onBeforeCompaction } from "../hooks/compaction.ts";
import { onLlmInput } from "../hooks/llm-input.ts";
import { onModelCallStarted } from "../hooks/model-call.ts";
import { startLogger, stopLogger } from "../logger.ts";
import { announce, answering, chatStream, type Lab, post, SSE, wireLab } from "../testing/wire-lab.ts";
import { publicStatus } from "../web/status-page.ts";

let lab: Lab | undefined;
afterEach(async () => {
  await lab?.close();
  lab = undefined;
});
const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));
const SCOPE = Symbol.for("openclaw.diagnosticTraceScope.state.v1");

/** Runs as the host does within a call's trace scope. */
async function inScope<T>(trace: { traceId: string; spanId: string }, run: () => Promise<T>): Promise<T> {
  const host = globalThis as { [SCOPE]?: unknown };
  host[SCOPE] = { storage: { getStore: () => trace } };
  try {
    return await run();
  } finally {
    delete host[SCOPE];
  }
}

describe("traffic within a call's scope", () => {
  it("that is no model request is not the call's: token refresh, model lists, downloads", async () => {
    const secret = `1/${"/0"}refresh-${"a1".repeat(10)}`;
    lab = await wireLab({ handler: answering((_, __, response) => response.end("{}")) });
    const call = announce({ provider: "elsewhere" });
    const other = lab.origin.replace("127.0.0.1", "localhost");
    await inScope(call.ctx.trace, async () => {
      await (
        await fetch(`${other}/token`, {
          method: "POST",
          body: `grant_type=refresh_token&refresh_token=${secret}`,
        })
      ).text();
      await (await fetch(`${other}/v1beta/models`)).text();
      await (await fetch(`${lab?.origin}/v1/models`)).text();
      await (
        await fetch(`${other}/v1beta/models/g:streamGenerateContent?alt=sse`, { method: "POST", body: "{}" })
      ).text();
    });
    const [line, ...rest] = await lab.calls(1);
    expect(rest).toEqual([]);
    expect(line).toMatchObject({ attemptId: call.spanId, correlation: "scope", sessionId: "session-1" });
    expect(lab.lines("http_request").map(({ url }) => new URL(String(url)).pathname)).toEqual([
      "/v1beta/models/g:streamGenerateContent",
    ]);
    expect(lab.everything()).not.toContain(secret);
  });
});

describe("odd answers", () => {
  it("early hints, no content type, trailers, redirect: one pair a request, bodies whole", async () => {
    const stream = chatStream(["你", "好"], { prompt_tokens: 3, completion_tokens: 2 });
    lab = await wireLab({
      handler: answering((_, request, response) => {
        if (request.url?.startsWith("/v1/old")) {
          response.writeHead(307, { location: `/v1/chat/completions?api_key=${"s3".repeat(10)}` }).end();
          return;
        }
        response.writeEarlyHints({ link: "</x>; rel=preload" });
        response.writeHead(200, { trailer: "x-sum" });
        const bytes = Buffer.from(stream);
        for (let at = 0; at < bytes.length; at += 7) response.write(bytes.subarray(at, at + 7));
        response.addTrailers({ "x-sum": "1" });
        response.end();
      }),
    });
    const call = announce();
    expect(await (await post(`${lab.origin}/v1/old`, call)).text()).toBe(stream);
    const calls = await lab.calls(2);
    const last = calls.find(({ status }) => status === 200);
    expect(last).toMatchObject({
      outcome: "ok",
      complete: true,
      message: { text: "你好" },
      usage: { input: 3, output: 2 },
    });
    expect(lab.lines("http_response").find(({ status }) => status === 200)?.body).toBe(stream);
    expect(new Set(calls.map(({ attemptId }) => attemptId))).toEqual(
      new Set([call.spanId, `${call.spanId}.2`]),
    );
    expect(lab.everything()).not.toContain("s3".repeat(10));
  });

  it("a secret split over JSON lines without a content type", async () => {
    const secret = `gh${"p_"}${"A1b2C3d4E5f6".repeat(3)}`;
    const pieces = `key ${secret} end`.match(/.{1,5}/g) ?? [];
    const stream = pieces.map((content) => JSON.stringify({ message: { content } })).join("\n");
    lab = await wireLab({
      handler: answering((_, __, response) => response.end(`${stream}\n{"done":true,"eval_count":3}`)),
    });
    await (await post(`${lab.origin}/api/chat`, announce({ api: "ollama" }))).text();
    const [call] = await lab.calls(1);
    expect(call).toMatchObject({
      complete: true,
      usage: { output: 3 },
      message: { text: expect.stringMatching(/^key \[REDACTED:\w+\] end$/) },
    });
    const said = String(lab.lines("http_response")[0]?.body)
      .split("\n")
      .map((line) => JSON.parse(line).message?.content ?? "")
      .join("");
    expect(said).toMatch(/^key \[REDACTED:\w+\] end$/);
  });

  it("a content length that lies, and a stream that says nothing about usage", async () => {
    let turn = 0;
    lab = await wireLab({
      handler: answering((_, __, response) => {
        if (turn++ === 0) {
          response.writeHead(200, { ...SSE, "content-length": "100000" });
          response.write(chatStream(["a"]));
          setTimeout(() => response.destroy(), 20);
        } else response.writeHead(200, SSE).end(chatStream(["b"]));
      }),
    });
    await (await post(`${lab.origin}/v1/chat/completions`, announce())).text().catch(() => undefined);
    await (await post(`${lab.origin}/v1/chat/completions`, announce({ callId: "run-1:model:2" }))).text();
    const calls = await lab.calls(2);
    expect(calls.map(({ outcome, usage }) => [outcome, usage])).toEqual([
      ["ok", null],
      ["ok", null],
    ]);
    expect(calls[0]).toMatchObject({ message: { text: "a" }, costUsd: null });
  });

  it("gzip that is none, and gzip cut in the middle", async () => {
    let turn = 0;
    const document = JSON.stringify({
      choices: [{ index: 0, message: { content: "plain" }, finish_reason: "stop" }],
    });
    lab = await wireLab({
      handler: answering((_, __, response) => {
        response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
        if (turn++ === 0) response.end(document);
        else {
          response.write(
            zlib.gzipSync(chatStream(Array.from({ length: 500 }, (_x, i) => `w${i} `))).subarray(0, 600),
          );
          setTimeout(() => response.destroy(), 20);
        }
      }),
    });
    for (const n of [1, 2])
      await post(`${lab.origin}/v1/chat/completions`, announce({ callId: `run-1:model:${n}` }))
        .then((response) => response.text())
        .catch(() => undefined);
    const calls = await lab.calls(2);
    expect(calls[0]).toMatchObject({ message: { text: "plain" } });
    expect(lab.lines("http_response")[0]).toMatchObject({
      body: document,
      decodeError: "Z_DATA_ERROR",
      sha256: expect.any(String),
    });
    expect(calls[1]?.outcome).toBe("network_error");
    expect(JSON.stringify(calls[1]?.message)).toContain("w1 ");
  });

  it("a body nested so deep that walking it overflows the stack is still one request and one response", async () => {
    const deep = `{"model":"m1","messages":${"[".repeat(60_000)}${"]".repeat(60_000)}}`;
    const args = `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`;
    const answer = JSON.stringify({
      choices: [
        { index: 0, message: { tool_calls: [{ id: "t", function: { name: "f", arguments: args } }] } },
      ],
    });
    lab = await wireLab({
      handler: answering((_, __, response) =>
        response.setHeader("content-type", "application/json").end(answer),
      ),
    });
    await (await post(`${lab.origin}/v1/chat/completions`, announce(), deep)).text();
    await lab.calls(1);
    expect(lab.lines("http_request")[0]?.body).toBe(deep);
    expect(lab.lines("http_response")[0]?.body).toBe(answer);
    expect(lab.logger.recorder.counters.faults).toBe(0);
  });
});

describe("hooks", () => {
  it("a compaction that is never announced as over ends with the session's next turn", async () => {
    lab = await wireLab({ handler: answering((_, __, response) => response.end("{}")) });
    const ctx = { sessionKey: "agent:main:s1", sessionId: "session-1", trigger: "user", runId: "run-2" };
    onBeforeCompaction({}, ctx);
    const during = announce({ callId: "c1" });
    onLlmInput(
      {
        runId: "run-2",
        sessionId: "session-1",
        provider: "stub",
        model: "m1",
        prompt: "hi",
        historyMessages: [],
        imagesCount: 0,
      },
      ctx,
    );
    const after = announce({ callId: "c2", runId: "run-2" });
    for (const call of [during, after]) await (await post(`${lab.origin}/v1/chat/completions`, call)).text();
    const purposes = new Map((await lab.calls(2)).map((line) => [line.callId, line.purpose]));
    expect(purposes.get("c1")).toBe("compaction");
    expect(purposes.get("c2")).toBe("turn");
    onAfterCompaction({}, ctx);
  });

  it("events of any shape reach no host", async () => {
    lab = await wireLab({ handler: answering((_, __, response) => response.end("{}")) });
    const loop: Record<string, unknown> = {};
    loop.self = loop;
    for (const event of [
      {},
      null,
      { runId: 1, callId: null },
      loop,
      { historyMessages: [loop], prompt: "x", runId: "r", provider: "p", model: "m" },
    ]) {
      expect(() => onModelCallStarted(event as never, {})).not.toThrow();
      expect(() => onLlmInput(event as never, { trace: loop })).not.toThrow();
    }
  });
});

describe("credentials in use", () => {
  it("of any shape are hidden wherever they are quoted: error, redirect, header, echo, pieces of a stream", async () => {
    const key = `plain-key-${"q7".repeat(6)}`;
    const cookie = `c${"0k1e".repeat(6)}`;
    const parameter = `parameter${"9z".repeat(6)}`;
    let turn = 0;
    lab = await wireLab({
      handler: answering((body, _, response) => {
        if (turn++ === 0)
          response
            .writeHead(401, {
              "content-type": "application/json",
              "x-note": `bad ${key}`,
              "set-cookie": `sid=${cookie}; Path=/`,
            })
            .end(
              JSON.stringify({
                error: {
                  message: `Incorrect API key provided: ${key} (${parameter})`,
                  sid: cookie,
                  echo: String(body),
                },
              }),
            );
        else
          response.writeHead(200, SSE).end(chatStream(`you sent ${key} didn't you`.match(/.{1,3}/g) ?? []));
      }),
    });
    for (const n of [1, 2]) {
      const headers = { authorization: `Bearer ${key}` };
      const body = { model: "m1", messages: [{ role: "user", content: `my key is ${key}` }] };
      await (
        await post(
          `${lab.origin}/v1/chat/completions?api_key=${parameter}`,
          announce({ callId: `c${n}` }),
          body,
          { headers },
        )
      ).text();
    }
    const calls = await lab.calls(2);
    const everything = lab.everything();
    for (const secret of [key, cookie, parameter]) expect(everything).not.toContain(secret);
    expect(calls[0]?.error).toMatch(/^Incorrect API key provided: \[REDACTED:CREDENTIAL\]/);
    expect(calls[1]).toMatchObject({ message: { text: "you sent [REDACTED:CREDENTIAL] didn't you" } });
    const said = [...String(lab.lines("http_response")[1]?.body).matchAll(/"content":"([^"]*)"/g)]
      .map((match) => match[1])
      .join("");
    expect(said).toBe("you sent [REDACTED:CREDENTIAL] didn't you");
  });

  it("that are words stay words", async () => {
    lab = await wireLab({
      handler: answering((_, __, response) =>
        response.writeHead(200, SSE).end(chatStream(["ollama-local is a word"])),
      ),
    });
    await (
      await post(`${lab.origin}/v1/chat/completions`, announce(), undefined, {
        headers: { authorization: "Bearer ollama-local" },
      })
    ).text();
    expect((await lab.calls(1))[0]).toMatchObject({ message: { text: "ollama-local is a word" } });
  });
});

describe("silence", () => {
  it("case silent-zero, of one provider only: told once, by its name, others being heard", async () => {
    lab = await wireLab({ handler: answering((_, __, response) => response.end("{}")) });
    await (await post(`${lab.origin}/v1/chat/completions`, announce())).text();
    for (const n of [1, 2]) announce({ provider: "harness", callId: `h${n}` }).end();
    announce({ provider: "broken", callId: "b" }).end("error");
    await wait(1700);
    const warnings = lab.told.filter((line) => line.startsWith("WARN"));
    expect(warnings).toEqual([expect.stringContaining("provider harness complete and none was captured")]);
  });
});

describe("a call that the host refused before the network", () => {
  const alarm = /NOTHING was captured/;
  const status = (of: Lab) => statusText(of.logger.status());

  it("is no alarm: its number and the host's reason are shown", async () => {
    lab = await wireLab({ handler: answering((_, __, response) => response.end("{}")) });
    announce({ callId: "a" }).end("error", "SsrFBlockedError");
    announce({ callId: "b" }).end("error", "SsrFBlockedError");
    announce({ callId: "c" }).end("error", "a text: of any kind");
    announce({ callId: "d" }).end("error");
    await lab.calls(4);
    expect(lab.logger.status().counters).toMatchObject({ callsUnmatched: 4, callsFailedEarly: 4 });
    expect(status(lab)).not.toMatch(alarm);
    expect(isSilent(lab.logger.status())).toBe(false);
    const said = "4 calls failed before the network (host SsrFBlockedError ×2, other ×1).";
    expect(status(lab)).toContain(said);
    // The open page cuts what stands behind a colon.
    expect(publicStatus(lab.logger.status()).warnings).toEqual([expect.stringContaining(said)]);
    expect(lab.told.filter((line) => line.startsWith("WARN"))).toEqual([]);
  });

  it("does not hide calls that completed unseen", async () => {
    lab = await wireLab({ handler: answering((_, __, response) => response.end("{}")) });
    announce({ callId: "a" }).end("error", "SsrFBlockedError");
    announce({ callId: "b" }).end();
    await lab.calls(2);
    expect(status(lab)).toMatch(/!! 1 model call\(s\) were made and NOTHING was captured/);
    expect(status(lab)).toContain("1 call failed before the network");
    expect(lab.told).toContainEqual(expect.stringMatching(/made 1 model call\(s\) and none was captured/));
  });
});

describe("stop and reload", () => {
  it("a call that ended without traffic just before the stop is written", async () => {
    lab = await wireLab({ handler: answering((_, __, response) => response.end("{}")) });
    announce().end("error");
    await stopLogger();
    expect(lab.lines("llm_call")).toMatchObject([{ outcome: "no_http", hostOutcome: "error" }]);
  });

  it("fifty times: no descriptor, no subscriber, no patch more than before", async () => {
    lab = await wireLab({
      handler: answering((_, __, response) => response.writeHead(200, SSE).end(chatStream(["a"]))),
    });
    const options = { ...lab.logger.options };
    const { default: ws } = await import("ws");
    const fds = () =>
      fs.readdirSync("/proc/self/fd").filter((fd) => {
        try {
          return fs.readlinkSync(`/proc/self/fd/${fd}`).startsWith(options.stateDir);
        } catch {
          return false;
        }
      }).length;
    const { send } = ws.prototype;
    for (let i = 0; i < 50; i++) {
      await startLogger(options);
      if (i % 10 === 0)
        await (await post(`${lab.origin}/v1/chat/completions`, announce({ callId: `c${i}` }))).text();
    }
    await lab.calls(5);
    expect(lab.lines("http_request")).toHaveLength(5);
    expect(Object.getOwnPropertyNames(ws.prototype).filter((name) => name === "emit")).toHaveLength(1);
    await stopLogger();
    expect(fds()).toBe(0);
    for (const channel of [
      "create",
      "bodyChunkSent",
      "bodySent",
      "headers",
      "bodyChunkReceived",
      "trailers",
      "error",
    ])
      expect(diagnosticsChannel.hasSubscribers(`undici:request:${channel}`), channel).toBe(false);
    expect(diagnosticsChannel.hasSubscribers("undici:websocket:open")).toBe(false);
    expect(Object.hasOwn(ws.prototype, "emit")).toBe(false);
    expect(ws.prototype.send).not.toBe(send);
    expect(
      fs.readdirSync(path.join(options.stateDir, "logs")).filter((name) => name.startsWith(".")).length,
    ).toBe(1);
  });
});

describe("settings", () => {
  it("an endpoint that is no URL is refused by name, and so is every wrong key", () => {
    for (const endpoints of [["nonsense"], ["https://ok.example", "ftp://x"], ["/v1"]])
      expect(() => parseConfig({ endpoints })).toThrow(/"endpoints\.\d": expected a base URL/);
    expect(parseConfig({ endpoints: ["https://ok.example/v1"] }).endpoints).toHaveLength(1);
    for (const wrong of [
      { maxBodyBytes: 1023 },
      { maxBodyBytes: "4096" },
      { retentionDays: -1 },
      { maxBodyByte: 1 },
      JSON.parse('{"__proto__":1}'),
      [],
    ])
      expect(() => parseConfig(wrong), JSON.stringify(wrong)).toThrow(ConfigError);
  });
});

describe("odd ends of requests", () => {
  it("case true-size, of an answer: 5 MB under the cap keep length, hash and what was said", async () => {
    const answer = chatStream(
      Array.from({ length: 50_000 }, (_, i) => `w${i} `),
      { prompt_tokens: 1, completion_tokens: 9 },
    );
    lab = await wireLab({
      handler: answering((_, __, response) => response.writeHead(200, SSE).end(answer)),
    });
    await (await post(`${lab.origin}/v1/chat/completions`, announce())).text();
    const [call] = await lab.calls(1);
    const [response] = lab.lines("http_response");
    expect(response).toMatchObject({
      truncated: true,
      capturedBytes: 262_144,
      originalLength: Buffer.byteLength(answer),
      sha256: createHash("sha256").update(answer).digest("hex"),
    });
    expect(Buffer.byteLength(answer)).toBeGreaterThan(5_000_000);
    expect(answer.startsWith(String(response?.body))).toBe(true);
    expect(call).toMatchObject({
      complete: true,
      usage: { output: 9 },
      message: { text: expect.stringMatching(/w49999 $/) },
    });
  });

  it("a forward proxy's request is the target's, not the proxy's", async () => {
    lab = await wireLab({ handler: answering((_, __, response) => response.end("{}")) });
    const request = {
      origin: "http://proxy.test:3128",
      path: `${lab.origin}/v1/chat/completions`,
      method: "POST",
      headers: [],
    };
    const publish = (name: string, rest: object = {}) =>
      diagnosticsChannel.channel(`undici:request:${name}`).publish({ request, ...rest });
    publish("create");
    publish("bodySent");
    publish("headers", { response: { statusCode: 200, headers: [] } });
    publish("trailers");
    await lab.calls(1);
    expect(lab.lines("http_request")[0]).toMatchObject({
      url: `${lab.origin}/v1/chat/completions`,
      provider: "stub",
    });
  });

  it("two hundred requests that never end are records at the stop", async () => {
    lab = await wireLab({ handler: () => undefined });
    const abort = new AbortController();
    const all = Array.from({ length: 200 }, (_, i) =>
      post(`${lab?.origin}/v1/chat/completions`, announce({ callId: `c${i}` }), undefined, {
        signal: abort.signal,
      }).catch(() => undefined),
    );
    await wait(800);
    await stopLogger();
    abort.abort();
    await Promise.all(all);
    expect(lab.lines("llm_call").filter(({ outcome }) => outcome === "shutdown")).toHaveLength(200);
  });
});
