import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installLegacyHost, LEGACY_VERSION, type LegacyGateway, startLegacyGateway } from "./legacy-host.ts";
import { type LogLine, readLogs } from "./logger-lab.ts";
import { WsStub } from "./logger-ws-stub.ts";

/**
 * The design's acceptance list on the host it was written for. Installing that host takes 550 MB and half a minute, so it
 * runs by its own command: `pnpm e2e:legacy`.
 */
const wanted = process.env.E2E_LEGACY === "1";

describe.skipIf(!wanted)(`OpenClaw ${LEGACY_VERSION}`, () => {
  // A skipped suite leaves no folder behind.
  const dir = wanted ? mkdtempSync(path.join(os.tmpdir(), "clawx-legacy-logs-")) : "";
  let gateway: LegacyGateway;
  let lines: LogLine[];

  beforeAll(async () => {
    await installLegacyHost();
    gateway = await startLegacyGateway({ logFile: path.join(dir, "openclaw-llm.jsonl") });
    gateway.model.queue(
      { toolCalls: [{ name: "session_status", arguments: {} }] },
      { text: "done after the tool 完成" },
    );
    const turn = await gateway.turn("legacy-1", "please 请 use a tool");
    expect(turn.stdout, turn.stderr).toContain("done after the tool");
    await new Promise((done) => setTimeout(done, 2000));
    lines = readLogs(dir);
  }, 600_000);
  afterAll(async () => {
    await gateway?.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  it("writes to the configured path, one folder a session, one file a day", () => {
    const sessionId = String(lines[0]?.sessionId);
    expect(sessionId).toMatch(/^[0-9a-f-]{36}$/);
    for (const line of lines)
      expect(line.file).toMatch(new RegExp(`^${sessionId}/openclaw-llm-\\d{4}-\\d{2}-\\d{2}\\.jsonl$`));
  });

  it("shows one llm_input, one llm_output, and request, payload, response of each call", () => {
    const count = (type: string) => lines.filter((line) => line.eventType === type).length;
    const calls = gateway.model.requests.length;
    expect(calls).toBe(2);
    expect([count("llm_input"), count("llm_output")]).toEqual([1, 1]);
    for (const type of ["provider_request_payload", "http_request", "http_response", "llm_call"])
      expect(count(type), type).toBe(calls);
  });

  it("holds the bodies byte for byte, tied to their calls", () => {
    for (const request of gateway.model.requests) {
      const logged = lines.filter((line) => line.eventType === "http_request" && line.body === request.body);
      expect(logged).toHaveLength(1);
      expect(logged[0]).toMatchObject({
        seam: "fetch-patch",
        correlation: "scope",
        provider: "cloud",
        model: "main",
        purpose: "turn",
      });
      const response = lines.find(
        (line) => line.eventType === "http_response" && line.attemptId === logged[0]?.attemptId,
      );
      expect(response?.body).toBe(request.sent.toString("utf8"));
      const payload = lines.find(
        (line) => line.eventType === "provider_request_payload" && line.attemptId === logged[0]?.attemptId,
      );
      expect(payload?.payload).toEqual(JSON.parse(request.body));
    }
    expect(lines.filter((line) => line.eventType === "llm_call").at(-1)).toMatchObject({
      outcome: "ok",
      complete: true,
      message: { text: "done after the tool 完成" },
    });
    expect(JSON.stringify(lines)).not.toContain("legacy-test-key");
  });
});

describe.skipIf(!wanted)(`OpenClaw ${LEGACY_VERSION} over WebSocket`, () => {
  // A skipped suite leaves no folder behind.
  const dir = wanted ? mkdtempSync(path.join(os.tmpdir(), "clawx-legacy-ws-")) : "";
  let gateway: LegacyGateway;
  let stub: WsStub;

  beforeAll(async () => {
    await installLegacyHost();
    stub = await new WsStub(dir).start();
    const model = {
      id: "gpt-5.2",
      name: "gpt-5.2",
      contextWindow: 128_000,
      maxTokens: 4096,
      input: ["text"],
      reasoning: false,
      cost: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 },
    };
    gateway = await startLegacyGateway(
      { logFile: path.join(dir, "ws.jsonl") },
      {
        env: { NODE_EXTRA_CA_CERTS: stub.ca },
        config: (config) => {
          const settings = config as {
            agents: { defaults: { model: unknown; models: unknown } };
            models: { providers: Record<string, unknown> };
            plugins: { load: { paths: string[] }; allow: string[]; entries: Record<string, unknown> };
          };
          settings.agents.defaults.model = { primary: "openai/gpt-5.2" };
          settings.agents.defaults.models = { "openai/gpt-5.2": { params: { transport: "websocket" } } };
          settings.models.providers.openai = {
            baseUrl: "https://api.openai.com/v1",
            apiKey: "legacy-ws-key",
            api: "openai-responses",
            models: [model],
          };
          settings.plugins.load.paths.push(stub.plugin);
          settings.plugins.allow.push("socket-redirect");
          settings.plugins.entries["socket-redirect"] = { enabled: true };
        },
      },
    );
    for (const text of ["first 一", "second 二"]) {
      const turn = await gateway.turn("legacy-ws", text);
      expect(turn.stdout, `${turn.stderr}\n${await gateway.log()}`).toContain("over the socket");
    }
    await new Promise((done) => setTimeout(done, 2000));
  }, 600_000);
  afterAll(async () => {
    await gateway?.stop();
    stub?.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  it("logs every frame under the call that sent it", () => {
    const lines = readLogs(dir);
    const calls = lines.filter((line) => line.eventType === "llm_call" && line.via === "websocket");
    expect(stub.frames.length).toBeGreaterThanOrEqual(2);
    const sends = lines.filter((line) => line.eventType === "ws_send");
    expect(sends.map((line) => line.body)).toEqual(stub.frames.map((frame) => frame.received));
    expect(new Set(sends.map((line) => line.attemptId)).size).toBe(sends.length);
    for (const [index, frame] of stub.frames.entries()) {
      const sent = sends[index];
      expect(sent).toMatchObject({ seam: "ws-module", correlation: "scope", provider: "openai" });
      const received = lines.filter(
        (line) => line.eventType === "ws_message" && line.attemptId === sent?.attemptId,
      );
      expect(received.map((line) => line.body)).toEqual(frame.sent);
      expect(calls.filter((line) => line.attemptId === sent?.attemptId)).toEqual([
        expect.objectContaining({ outcome: "ok", complete: true }),
      ]);
    }
    expect(JSON.stringify(lines)).not.toContain("legacy-ws-key");
  });
});
