import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { configSchema } from "../config/schema.ts";
import { closeIdleConnections } from "../net/http.ts";
import { type FakeAnswer, type FakeKnot, startFakeKnot } from "../testing/fake-knot.ts";
import { KnotClient } from "./client.ts";

const closers: (() => Promise<unknown> | unknown)[] = [];

afterEach(async () => {
  closeIdleConnections();
  for (const close of closers.splice(0)) await close();
});

function agentConfig(url: string, overrides: Record<string, unknown> = {}) {
  return configSchema.parse({
    agent: {
      knot_url: url,
      agent_id: "a/1",
      username: "张三",
      api_token_env: "T",
      model: "m",
      temperature: 0.3,
      agent_name: "n",
      retries: { max: 2, base_delay_ms: 1, max_delay_ms: 20 },
      kb_mcp: { url, api_token_env: "T", knowledge_uuid: "u" },
      llm: { base_url: url, api_key_env: "T", model: "m" },
      ...overrides,
    },
    report: { question_source: "q" },
  }).agent;
}

async function fake(answer: FakeAnswer | ((count: number) => FakeAnswer), token?: string): Promise<FakeKnot> {
  const knot = await startFakeKnot({
    answers: (_q, count) => (typeof answer === "function" ? answer(count) : answer),
    ...(token ? { token } : {}),
  });
  closers.push(() => knot.close());
  return knot;
}

async function rawServer(handler: Parameters<typeof createServer>[1]): Promise<string> {
  const server: Server = createServer(handler as never);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(
    () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("KnotClient", () => {
  it("sends the documented request", async () => {
    const knot = await fake({ text: "好" }, "tok");
    const result = await new KnotClient(agentConfig(`${knot.url}/`)).ask("问题", { token: "tok" });
    expect(result).toMatchObject({ status: "ok", answer: "好", attempts: 1, httpStatus: 200 });
    expect(result.firstTokenMs).not.toBeNull();
    const [request] = knot.requests;
    expect(request?.path).toBe("/apigw/api/v1/agents/agui/a%2F1");
    expect(request?.headers["x-knot-api-token"]).toBe("tok");
    expect(request?.headers["x-knot-api-user"]).toBe(encodeURIComponent("张三"));
    expect(request?.body).toEqual({
      input: {
        message: "问题",
        conversation_id: "",
        model: "m",
        stream: true,
        enable_web_search: false,
        temperature: 0.3,
        chat_extra: {},
      },
    });
  });

  it.each([429, 502, 503, 504])("asks again after %i, before the first event", async (status) => {
    const knot = await fake((count) =>
      count < 3 ? { http: { status, body: "{}", headers: { "retry-after": "0" } } } : { text: "好" },
    );
    const result = await new KnotClient(agentConfig(knot.url)).ask("q", { token: "t" });
    expect(result).toMatchObject({ status: "ok", attempts: 3 });
  });

  it.each([400, 401, 403, 404, 500])("does not ask again after %i", async (status) => {
    const knot = await fake({ http: { status, body: '{"msg":"no","code":7}' } });
    const result = await new KnotClient(agentConfig(knot.url)).ask("q", { token: "t" });
    expect(result).toMatchObject({ status: "error", attempts: 1, httpStatus: status });
    expect(result.error).toMatch(/no \(code 7\)/);
  });

  it("does not ask again once events came", async () => {
    const knot = await fake({ text: "一半的回答", cut: true });
    const result = await new KnotClient(agentConfig(knot.url)).ask("q", { token: "t" });
    expect(result).toMatchObject({ status: "error", truncated: true, answer: "一半的回答" });
    expect(knot.requests).toHaveLength(1);
  });

  it("gives up after the configured retries and says how often it tried", async () => {
    const knot = await fake({ http: { status: 503, body: "busy" } });
    const result = await new KnotClient(agentConfig(knot.url)).ask("q", { token: "t" });
    expect(result.error).toMatch(/HTTP 503: busy \(after 3 attempts\)/);
  });

  it("reports a refused connection after retrying", async () => {
    const url = await rawServer(() => undefined);
    await closers.pop()?.();
    const result = await new KnotClient(agentConfig(url)).ask("q", { token: "t" });
    expect(result).toMatchObject({ status: "error", attempts: 3, httpStatus: null });
    expect(result.error).toMatch(/ECONNREFUSED/);
  });

  it.each([301, 302, 303, 307, 308])("never follows a %i with the token", async (status) => {
    const elsewhere = await fake({ text: "stolen" });
    const url = await rawServer((_request, reply) => {
      reply.writeHead(status, { location: `${elsewhere.url}/apigw/api/v1/agents/agui/x?ticket=secret` });
      reply.end();
    });
    const result = await new KnotClient(agentConfig(url)).ask("q", { token: "t" });
    expect(result.status).toBe("error");
    expect(result.error).toMatch(/redirect .* refused/);
    expect(result.error).not.toContain("secret");
    expect(elsewhere.requests).toHaveLength(0);
  });

  it("limits the time to the first event, the idle time and the whole answer", async () => {
    const silent = await rawServer(
      (_request, reply) =>
        void reply.writeHead(200, { "content-type": "text/event-stream" }).write(": ping\n\n"),
    );
    const first = await new KnotClient(
      agentConfig(silent, { timeouts: { total_ms: 5_000, first_token_ms: 60, idle_ms: 5_000 } }),
    ).ask("q", { token: "t" });
    expect(first.error).toMatch(/no first event in time/);
    const stalling = await rawServer(
      (_request, reply) => void reply.writeHead(200).write('data: {"type":"RUN_STARTED"}\n\n'),
    );
    const idle = await new KnotClient(
      agentConfig(stalling, { timeouts: { total_ms: 5_000, first_token_ms: 1_000, idle_ms: 60 } }),
    ).ask("q", { token: "t" });
    expect(idle).toMatchObject({ truncated: true });
    expect(idle.error).toMatch(/stood still/);
    const total = await new KnotClient(
      agentConfig(silent, { timeouts: { total_ms: 60, first_token_ms: 5_000, idle_ms: 5_000 } }),
    ).ask("q", { token: "t" });
    expect(total.error).toMatch(/no complete answer in time/);
  });

  it("takes an answer as complete when the server leaves the stream open after RUN_FINISHED", async () => {
    const url = await rawServer(
      (_request, reply) =>
        void reply
          .writeHead(200)
          .write('data: {"type":"TEXT_MESSAGE_CONTENT","delta":"好"}\n\ndata: {"type":"RUN_FINISHED"}\n\n'),
    );
    const result = await new KnotClient(agentConfig(url)).ask("q", { token: "t" });
    expect(result).toMatchObject({ status: "ok", answer: "好", truncated: false });
  });
});
