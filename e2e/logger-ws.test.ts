import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import https from "node:https";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { type Gateway, startGateway } from "./harness/index.ts";
import { type LogLine, readLogs } from "./logger-lab.ts";
import { selfSigned } from "./logger-tls.ts";

/**
 * OpenAI Responses over WebSocket. OpenClaw speaks it to the public host only, which no setting points elsewhere: a small
 * plugin leads the TLS socket to a stub on loopback, and the process trusts the stub's throw-away certificate.
 */
describe("llm-logger on Responses over WebSocket", () => {
  const dir = mkdtempSync(path.join(os.tmpdir(), "clawx-ws-"));
  const frames: { socket: number; sent: string[]; received: string }[] = [];
  let gateway: Gateway;
  let server: https.Server;
  let sockets: WebSocketServer;
  let connections = 0;
  let failed = true;
  let lines: LogLine[];

  beforeAll(async () => {
    const certificate = selfSigned("api.openai.com");
    writeFileSync(path.join(dir, "ca.pem"), certificate.cert);
    server = https.createServer(certificate, (_request, response) =>
      response
        .writeHead(503, { "content-type": "application/json" })
        .end('{"error":{"message":"WebSocket only"}}'),
    );
    sockets = new WebSocketServer({ server });
    sockets.on("connection", (socket) => {
      const number = connections++;
      socket.on("message", (data) => answer(socket, number, String(data)));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const redirect = path.join(dir, "redirect");
    writeRedirectPlugin(redirect, (server.address() as AddressInfo).port);
    const model = {
      id: "gpt-5.5",
      name: "gpt-5.5",
      contextWindow: 128_000,
      maxTokens: 4096,
      input: ["text"],
      reasoning: false,
      cost: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 },
    };
    gateway = await startGateway({
      plugins: { "llm-logger-plugin": {} },
      models: {},
      env: { NODE_EXTRA_CA_CERTS: path.join(dir, "ca.pem") },
      config: {
        agents: {
          defaults: {
            model: { primary: "openai/gpt-5.5" },
            skipBootstrap: true,
            utilityModel: "",
            models: { "openai/gpt-5.5": { agentRuntime: { id: "openclaw" }, params: { transport: "auto" } } },
          },
        },
        models: {
          providers: {
            openai: {
              baseUrl: "https://api.openai.com/v1",
              apiKey: `planted${"Zq7Xk2".repeat(5)}`,
              api: "openai-responses",
              models: [model],
            },
          },
        },
        plugins: { load: { paths: [redirect] }, entries: { "socket-redirect": { enabled: true } } },
      },
    });
    for (const text of ["first question 一", "second question 二"]) {
      const turn = await gateway.turn("ws", text, { timeoutMs: 120_000 });
      expect(turn, turn.error).toMatchObject({ ok: true });
      expect(turn.text).toContain("over the socket");
    }
    await wait(2_500);
    lines = readLogs(path.join(gateway.stateDir, "logs"));
  });
  afterAll(async () => {
    await gateway?.close(failed);
    for (const socket of sockets?.clients ?? []) socket.terminate();
    sockets?.close();
    server?.closeAllConnections();
    server?.close();
    rmSync(dir, { recursive: true, force: true });
  });

  function answer(socket: WebSocket, number: number, received: string): void {
    const request = JSON.parse(received) as { type: string };
    if (request.type !== "response.create") return;
    const id = `resp_${frames.length + 1}`;
    const item = {
      id: `msg_${frames.length + 1}`,
      type: "message",
      role: "assistant",
      status: "completed",
      content: [
        {
          type: "output_text",
          text: `answer ${frames.length + 1} over the socket 经由套接字`,
          annotations: [],
        },
      ],
    };
    const done = {
      id,
      object: "response",
      status: "completed",
      model: "gpt-5.5",
      output: [item],
      usage: {
        input_tokens: 50,
        input_tokens_details: { cached_tokens: 20 },
        output_tokens: 9,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 59,
      },
    };
    const at = { output_index: 0, content_index: 0, item_id: item.id };
    const text = item.content[0]?.text ?? "";
    const events = [
      { type: "response.created", response: { ...done, status: "in_progress", output: [], usage: null } },
      {
        type: "response.output_item.added",
        output_index: 0,
        item: { ...item, status: "in_progress", content: [] },
      },
      {
        type: "response.content_part.added",
        ...at,
        part: { type: "output_text", text: "", annotations: [] },
      },
      ...(text.match(/.{1,7}/gsu) ?? []).map((delta) => ({
        type: "response.output_text.delta",
        ...at,
        delta,
      })),
      { type: "response.output_text.done", ...at, text },
      { type: "response.output_item.done", output_index: 0, item },
      { type: "response.completed", response: done },
    ].map((event, sequence_number) => JSON.stringify({ ...event, sequence_number }));
    frames.push({ socket: number, sent: events, received });
    for (const event of events) socket.send(event);
  }

  it("two turns share one cached socket", () => {
    expect(frames).toHaveLength(2);
    expect(frames.map((frame) => frame.socket)).toEqual([0, 0]);
    expect(connections).toBe(1);
  });

  it("logs every frame byte for byte under the right call", () => {
    const calls = lines.filter((line) => line.eventType === "llm_call" && line.via === "websocket");
    expect(calls).toHaveLength(2);
    expect(new Set(calls.map((call) => call.callId)).size).toBe(2);
    for (const [index, frame] of frames.entries()) {
      const attemptId = calls[index]?.attemptId;
      const sent = lines.filter((line) => line.eventType === "ws_send" && line.attemptId === attemptId);
      const received = lines.filter(
        (line) => line.eventType === "ws_message" && line.attemptId === attemptId,
      );
      expect(sent.map((line) => line.body)).toEqual([frame.received]);
      expect(received.map((line) => line.body)).toEqual(frame.sent);
      for (const line of [...sent, ...received])
        expect(line).toMatchObject({ seam: "ws-module", correlation: "scope", sessionKey: "agent:main:ws" });
    }
  });

  it("assembles the answers, with tokens, and counts the calls as matched", async () => {
    const calls = lines.filter((line) => line.eventType === "llm_call" && line.via === "websocket");
    expect(calls[1]).toMatchObject({
      outcome: "ok",
      complete: true,
      provider: "openai",
      model: "gpt-5.5",
      responseId: "resp_2",
      message: { text: "answer 2 over the socket 经由套接字" },
      usage: { input: 30, cacheRead: 20, output: 9 },
    });
    const status = await gateway.cli(["llm-logs", "status"]);
    expect(status.stdout).toMatch(/2 with WebSocket, 0 without traffic/);
    expect(JSON.stringify(lines)).not.toContain("Zq7Xk2Zq7Xk2");
    failed = false;
  });
});

/** A plugin that leads TLS connections to api.openai.com to a port on loopback. */
function writeRedirectPlugin(dir: string, port: number): void {
  const code = `import { createRequire } from "node:module";
const tls = createRequire(import.meta.url)("node:tls");
const mark = Symbol.for("clawx-e2e.redirect");
if (!globalThis[mark]) {
  globalThis[mark] = true;
  const connect = tls.connect;
  tls.connect = function (options, ...rest) {
    const name = options && (options.servername || options.host || options.hostname);
    if (name !== "api.openai.com") return connect.call(this, options, ...rest);
    return connect.call(this, { ...options, host: "127.0.0.1", hostname: undefined, port: ${port}, servername: "api.openai.com", lookup: undefined, path: undefined, socket: undefined }, ...rest);
  };
}
export default { id: "socket-redirect", name: "Socket redirect", description: "Test only", register() {} };
`;
  const write = (file: string, text: string) => writeFileSync(path.join(dir, file), text);
  mkdirSync(dir);
  write("index.js", code);
  write(
    "package.json",
    JSON.stringify({
      name: "socket-redirect",
      version: "1.0.0",
      type: "module",
      openclaw: { extensions: ["./index.js"] },
    }),
  );
  write(
    "openclaw.plugin.json",
    JSON.stringify({
      id: "socket-redirect",
      name: "Socket redirect",
      description: "Test only",
      activation: { onStartup: true },
      configSchema: { type: "object", additionalProperties: false },
    }),
  );
}
