import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Gateway, startGateway } from "./harness/index.ts";
import { type LogLine, readLogs } from "./logger-lab.ts";
import { WsStub } from "./logger-ws-stub.ts";

/**
 * OpenAI Responses over WebSocket. OpenClaw speaks it to the public host only, which no setting points elsewhere: a small
 * plugin leads the TLS socket to a stub on loopback, and the process trusts the stub's throw-away certificate.
 */
describe("llm-logger on Responses over WebSocket", () => {
  const dir = mkdtempSync(path.join(os.tmpdir(), "clawx-ws-"));
  let gateway: Gateway;
  let stub: WsStub;
  let failed = true;
  let lines: LogLine[];

  beforeAll(async () => {
    stub = await new WsStub(dir).start();
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
      env: { NODE_EXTRA_CA_CERTS: stub.ca },
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
        plugins: { load: { paths: [stub.plugin] }, entries: { "socket-redirect": { enabled: true } } },
      },
    });
    for (const text of ["first question 一", "second question 二"]) {
      const turn = await gateway.turn("ws", text, { timeoutMs: 120_000 });
      expect(turn, turn.error).toMatchObject({ ok: true });
      expect(turn.text).toContain("over the socket");
    }
    await wait(2_500);
    lines = readLogs(path.join(gateway.stateDir, "logs"));
  }, 500_000);
  afterAll(async () => {
    await gateway?.close(failed);
    stub?.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  it("two turns share one cached socket", () => {
    expect(stub.frames).toHaveLength(2);
    expect(stub.frames.map((frame) => frame.socket)).toEqual([0, 0]);
    expect(stub.connections).toBe(1);
  });

  it("logs every frame byte for byte under the right call", () => {
    const calls = lines.filter((line) => line.eventType === "llm_call" && line.via === "websocket");
    expect(calls).toHaveLength(2);
    expect(new Set(calls.map((call) => call.callId)).size).toBe(2);
    for (const [index, frame] of stub.frames.entries()) {
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
