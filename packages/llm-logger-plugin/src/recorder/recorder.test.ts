import diagnosticsChannel from "node:diagnostics_channel";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { announceEgress } from "@clawx/shared-security";
import { afterEach, describe, expect, it, vi } from "vitest";
import { onAfterCompaction, onBeforeCompaction } from "../hooks/compaction.ts";
import { onLlmInput } from "../hooks/llm-input.ts";
import { onLlmOutput } from "../hooks/llm-output.ts";
import { onModelCallStarted } from "../hooks/model-call.ts";
import { startLogger, stopLogger } from "../logger.ts";
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

describe("correlation", () => {
  const ok = answering((_b, _q, r) => r.writeHead(200, SSE).end(chatStream(["x"])));

  it("binds late: the hook may come after the request", async () => {
    const lab = await open({ handler: ok });
    const call = announce({ announce: false });
    await (await post(chat(lab), call)).text();
    expect(lab.lines()).toHaveLength(0);
    onModelCallStarted(call.event, call.ctx);
    expect((await lab.calls(1))[0]).toMatchObject({
      attemptId: call.spanId,
      sessionId: "session-1",
      correlation: "traceparent",
    });
    expect(lab.lines("http_request")).toHaveLength(1);
  });

  it("logs model endpoints without a call, and nothing else of the process", async () => {
    const lab = await open({ handler: ok });
    await (await post(chat(lab), undefined)).text();
    await (await post(`${lab.origin}/v1/embeddings`, undefined)).text();
    await (await fetch(`${lab.origin}/v1/models`)).text();
    await (await post(`${lab.origin}/bot123:token/sendMessage`, undefined)).text();
    const strangers = announce({ announce: false });
    await (await post(`${lab.origin}/other/tool`, strangers)).text();
    const calls = await lab.calls(2);
    expect(
      calls.map(({ purpose, correlation, provider, model }) => [purpose, correlation, provider, model]),
    ).toEqual([
      ["utility", "none", "stub", "m1"],
      ["embedding", "none", "stub", "m1"],
    ]);
    await wait(1700);
    expect(lab.lines("http_request")).toHaveLength(2);
    expect(lab.logger.recorder.counters.ignored).toBe(1);
  });

  it("tells providers of one base URL apart by their key, and leaves side work without a session", async () => {
    const lab = await open({ handler: ok });
    const key = `k${"ey".repeat(8)}`;
    const shared = { baseUrl: `${lab.origin}/v1`, models: [] };
    lab.logger.recorder.correlator.endpoints.configure(
      {
        models: {
          providers: { first: { ...shared, apiKey: `other${key}` }, second: { ...shared, apiKey: key } },
        },
      },
      [],
    );
    announce();
    await (
      await post(chat(lab), undefined, undefined, { headers: { authorization: `Bearer ${key}` } })
    ).text();
    expect((await lab.calls(1))[0]).toMatchObject({
      provider: "second",
      sessionId: null,
      purpose: "utility",
      correlation: "none",
    });
    expect(lab.everything()).not.toContain(key);
  });

  it("takes the request that goes to the model, not the hop to ClawXRouter's proxy", async () => {
    const lab = await open({ handler: ok });
    const proxy = createServer((req, res) => {
      let body = "";
      req.on("data", (part: Buffer) => {
        body += part.toString();
      });
      req.on("end", () => {
        const { traceparent } = req.headers;
        const headers = {
          "content-type": "application/json",
          ...(typeof traceparent === "string" && { traceparent }),
        };
        void fetch(chat(lab), { method: "POST", headers, body: body.replace("hello", "[REDACTED:WORD_1]") })
          .then((answer) => answer.text())
          .then((text) => res.writeHead(200, SSE).end(text));
      });
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    const address = proxy.address();
    const origin = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
    // The host's own configuration names the proxy only, as after `clawxrouter setup`.
    const providers = { cloud: { baseUrl: `${origin}/k/key/p/cloud/v1`, models: [] } };
    lab.logger.recorder.correlator.endpoints.configure({ models: { providers } }, []);
    const takeBack = announceEgress({
      origin,
      upstreams: () => ({ cloud: { baseUrl: `${lab.origin}/v1`, api: "openai-completions" } }),
    });
    try {
      await (await post(`${origin}/k/key/p/cloud/v1/chat/completions`, undefined)).text();
      await (await post(`${origin}/k/key/p/cloud/v1/chat/completions`, announce())).text();
      const calls = await lab.calls(2);
      expect(calls.map(({ provider, purpose }) => [provider, purpose]).sort()).toEqual([
        ["cloud", "utility"],
        ["stub", "unknown"],
      ]);
      expect(lab.lines("http_request")).toHaveLength(2);
      expect(lab.everything()).not.toContain("/k/key/");
    } finally {
      takeBack();
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    }
  });

  it("case compaction: its call is no user turn", async () => {
    const lab = await open({ handler: ok });
    onBeforeCompaction({}, { sessionKey: "agent:main:s1", sessionId: "session-1" });
    await (await post(chat(lab), announce())).text();
    onAfterCompaction({}, { sessionKey: "agent:main:s1", sessionId: "session-1" });
    onLlmInput(
      { runId: "run-2", provider: "stub", model: "m1", prompt: "hi", historyMessages: [], imagesCount: 0 },
      { runId: "run-2", trigger: "user", sessionId: "session-1" },
    );
    await (await post(chat(lab), announce({ runId: "run-2" }))).text();
    expect((await lab.calls(2)).map((line) => line.purpose)).toEqual(["compaction", "turn"]);
  });

  it("case silent-zero: calls without captures are a loud warning", async () => {
    const lab = await open({ handler: ok });
    const call = announce();
    call.end();
    await wait(1700);
    expect(lab.lines("llm_call")).toEqual([
      expect.objectContaining({ outcome: "no_http", attemptId: call.spanId }),
    ]);
    expect(lab.told.filter((line) => line.startsWith("WARN"))).toEqual([
      expect.stringContaining("none was captured"),
    ]);
    expect(lab.logger.status().warnings.join()).toContain("EMPTY");
  });
});

describe("hooks", () => {
  it("write llm_input and llm_output, redacted, to the session's file", async () => {
    const lab = await open({ handler: () => undefined });
    const secret = `gh${"p_"}${"A1b2C3d4E5f6".repeat(3)}`;
    const ctx = { runId: "r", sessionId: "session-9", sessionKey: "agent:ops:x", trigger: "user" };
    onLlmInput(
      {
        runId: "r",
        provider: "stub",
        model: "m1",
        prompt: `use ${secret}`,
        historyMessages: [{ role: "user", content: secret }],
        imagesCount: 0,
        tools: [{ name: "read" }],
      },
      ctx,
    );
    onLlmOutput(
      { runId: "r", provider: "stub", model: "m1", assistantTexts: ["ok"], usage: { input: 1 } },
      ctx,
    );
    const [input, output] = lab.lines();
    expect(input).toMatchObject({
      eventType: "llm_input",
      sessionId: "session-9",
      agentId: "ops",
      purpose: "turn",
      historyCount: 1,
      tools: ["read"],
    });
    expect(output).toMatchObject({ eventType: "llm_output", assistantTexts: ["ok"], usage: { input: 1 } });
    expect(lab.everything()).not.toContain(secret);
  });

  it("take an event once that comes through two registrations", async () => {
    const lab = await open({ handler: () => undefined });
    const event = {
      runId: "r",
      provider: "stub",
      model: "m1",
      prompt: "p",
      historyMessages: [],
      imagesCount: 0,
    };
    onLlmInput(event, { runId: "r" });
    onLlmInput(event, { runId: "r" });
    expect(lab.lines("llm_input")).toHaveLength(1);
  });

  it("includeHooks:false and includeHttp:false leave their lines out", async () => {
    const lab = await open({
      config: { includeHooks: false, includeHttp: false },
      handler: answering((_b, _q, r) => r.end("{}")),
    });
    onLlmInput(
      { runId: "r", provider: "stub", model: "m1", prompt: "p", historyMessages: [], imagesCount: 0 },
      { runId: "r" },
    );
    await (await post(chat(lab), announce())).text();
    await wait(50);
    expect(lab.lines()).toEqual([]);
  });
});

describe("without conversation access", () => {
  it("only metadata is written, usage included, and status names the key", async () => {
    const words = Array.from({ length: 2000 }, (_, i) => `private${i} `);
    const lab = await open({
      conversationAccess: false,
      handler: answering((_b, _q, r) =>
        r.writeHead(200, SSE).end(chatStream(words, { prompt_tokens: 7, completion_tokens: 3 })),
      ),
    });
    await (
      await post(chat(lab), announce(), {
        model: "m1",
        messages: [{ role: "user", content: "private question" }],
      })
    ).text();
    const [call] = await lab.calls(1);
    expect(call).toMatchObject({
      outcome: "ok",
      complete: true,
      message: null,
      usage: { input: 7, output: 3 },
    });
    expect(lab.lines("http_request")[0]).toMatchObject({ body: null });
    expect(lab.everything()).not.toContain("private");
    expect(lab.logger.status().permissions[0]).toContain(
      "plugins.entries.llm-logger-openclaw-plugin.hooks.allowConversationAccess",
    );
  });
});

describe("safety", () => {
  const ok = answering((_b, _q, r) => r.writeHead(200, SSE).end(chatStream(["fine"])));

  it("a fault in the logger never reaches the model call", async () => {
    const lab = await open({ handler: ok });
    const { recorder } = lab.logger;
    const boom = () => {
      throw new Error("inside the logger");
    };
    recorder.correlator.bindRequest = boom;
    expect(await (await post(chat(lab), announce())).text()).toBe(chatStream(["fine"]));
    recorder.correlator.calls.started = boom;
    expect(() => announce()).not.toThrow();
    expect(recorder.counters.faults).toBeGreaterThanOrEqual(2);
    expect(lab.told.filter((line) => line.includes("internal fault"))).toHaveLength(1);
  });

  it("a fault while lines are made is counted, not thrown", async () => {
    const lab = await open({ handler: ok });
    lab.logger.recorder.context.wire.headers = () => {
      throw new Error("inside the redactor");
    };
    expect(await (await post(chat(lab), announce())).text()).toBe(chatStream(["fine"]));
    await wait(30);
    expect(lab.logger.recorder.counters.faults).toBeGreaterThan(0);
  });

  it("stop writes partial records, closes every descriptor, leaves no subscriber", async () => {
    const lab = await open({
      handler: answering((_b, _q, r) => r.writeHead(200, SSE).write(chatStream(["half"]).slice(0, 100))),
    });
    const response = await post(chat(lab), announce());
    await response.body?.getReader().read();
    await stopLogger();
    const [call] = lab.lines("llm_call");
    expect(call).toMatchObject({ outcome: "shutdown", complete: false });
    expect(lab.lines("http_response")[0]?.body).toBe(chatStream(["half"]).slice(0, 100));
    expect(lab.logger.writer.openCount).toBe(0);
    expect(lab.logger.recorder.inFlight).toBe(0);
    for (const channel of ["create", "headers", "bodyChunkReceived", "trailers", "error"]) {
      expect(diagnosticsChannel.hasSubscribers(`undici:request:${channel}`)).toBe(false);
    }
    expect(diagnosticsChannel.hasSubscribers("undici:websocket:open")).toBe(false);
    onLlmOutput(
      { runId: "r", provider: "stub", model: "m1", assistantTexts: ["late"] },
      { runId: "r", sessionId: "session-1" },
    );
    expect(lab.lines("llm_output")).toHaveLength(1);
    expect(lab.logger.writer.openCount).toBe(0);
  });

  it("a second start replaces the first: everything is logged once", async () => {
    const lab = await open({ handler: ok });
    await startLogger(lab.logger.options);
    const call = announce();
    onModelCallStarted(call.event, call.ctx);
    await (await post(chat(lab), call)).text();
    await lab.calls(1);
    await wait(30);
    expect(lab.lines()).toHaveLength(3);
  });

  it("warns when the header rule is off", async () => {
    const lab = await open({ config: { redactAuthorization: false }, handler: ok });
    expect(lab.told.join()).toContain("redactAuthorization is false");
    expect(existsSync(`${lab.stateDir}/logs`)).toBe(true);
  });
});
