import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Engine } from "./engine.ts";

let dir: string;
let engine: Engine;
let detector: Server;
let isUp: boolean;
let runs = 0;

beforeEach(async () => {
  dir = mkdtempSync(path.join(os.tmpdir(), "clawx-unjudged-"));
  isUp = false;
  detector = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += String(chunk);
    });
    request.on("end", () => {
      if (!isUp) return void response.writeHead(503).end();
      const level = body.includes("clinic") ? "S3" : "S1";
      const content = JSON.stringify({ level, reason: "r", entities: [] });
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ choices: [{ message: { role: "assistant", content } }] }));
    });
  });
  await new Promise<void>((resolve) => detector.listen(0, "127.0.0.1", resolve));
  const endpoint = `http://127.0.0.1:${(detector.address() as AddressInfo).port}/v1`;
  writeFileSync(
    path.join(dir, "clawxrouter.json"),
    JSON.stringify({
      privacy: {
        failClosed: "S3",
        localModel: { enabled: true, type: "openai-compatible", endpoint, model: "m", breakerFailures: 100 },
      },
    }),
  );
  engine = new Engine({
    stateDir: dir,
    log: { info: () => {}, warn: () => {}, error: () => {} },
    hostConfig: () => ({
      models: {
        providers: { local: { baseUrl: endpoint, api: "openai-completions", models: [{ id: "m" }] } },
      },
    }),
  });
});
afterEach(async () => {
  await engine.stop();
  detector.close();
  detector.closeAllConnections();
  rmSync(dir, { recursive: true, force: true });
});

const say = (prompt: string) =>
  engine.router.decide({
    runId: `r${++runs}`,
    sessionKey: "agent:main:main",
    agentId: "main",
    prompt,
    currentModel: { provider: "cloud", model: "big" },
  });
const isKnown = (text: string) => engine.conversation("agent:other:main").findKnown(text).length > 0;

it("what is said while the detector is down is private until it is back, and only what it finds private stays so", async () => {
  for (const text of ["thanks", "continue", "Summarise the news of the day", "I was at the clinic"]) {
    expect(await say(text)).toMatchObject({ level: "S3" });
    expect(isKnown(`Title for: ${text}`)).toBe(true);
  }
  expect(await say("thanks")).toMatchObject({ level: "S3" });
  isUp = true;
  expect(await say("thanks")).toMatchObject({ level: "S1" });
  for (let i = 0; i < 100 && isKnown("continue"); i++) await sleep(20);
  for (const text of ["thanks", "continue", "Summarise the news of the day"])
    expect(isKnown(text)).toBe(false);
  expect(isKnown("I was at the clinic")).toBe(true);
  expect(await say("Please continue, thanks")).toMatchObject({ level: "S1" });
});
