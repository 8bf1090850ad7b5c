import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { request } from "undici";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { proxyBaseUrl } from "../egress/base-url.ts";
import { setDetour } from "../selftest/detour.ts";
import { startRecorder } from "../selftest/recorder.ts";
import { Engine } from "./engine.ts";
import { replaceSharedEngine, sharedEngine } from "./shared.ts";

const PHONE = `138${"0013".repeat(2)}`;
let dir: string;
let port: number;
let granted: boolean;
let lines: string[];
let engine: Engine;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const found = (server.address() as { port: number }).port;
  await new Promise((resolve) => server.close(resolve));
  return found;
}

beforeEach(async () => {
  dir = mkdtempSync(path.join(os.tmpdir(), "clawx-engine-"));
  port = await freePort();
  granted = true;
  lines = [];
  writeFileSync(
    path.join(dir, "clawxrouter.json"),
    JSON.stringify({
      privacy: { proxyPort: port },
      managed: { upstreams: { cloud: { baseUrl: "https://cloud.invalid/v1", api: "openai-completions" } } },
    }),
  );
  engine = new Engine(options());
});
afterEach(async () => {
  await engine.stop();
  rmSync(dir, { recursive: true, force: true });
});

function options() {
  const note = (message: string) => void lines.push(message);
  return {
    stateDir: dir,
    log: { info: note, warn: note, error: note },
    hostConfig: () => ({
      models: {
        providers: {
          cloud: {
            baseUrl: proxyBaseUrl(port, "k".repeat(40), "cloud", "https://cloud.invalid/v1"),
            api: "openai-completions",
            models: [{ id: "m" }],
          },
        },
      },
      agents: { defaults: { model: { primary: "cloud/m" } } },
      plugins: { entries: { clawxrouter: { hooks: { allowConversationAccess: granted } } } },
    }),
  };
}

async function chat(text: string) {
  const base = proxyBaseUrl(port, engine.installKey(), "cloud", "https://cloud.invalid/v1");
  const response = await request(`${base}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "m", messages: [{ role: "user", content: text }] }),
  });
  return { status: response.statusCode, body: await response.body.text() };
}

describe("engine", () => {
  it("passes its self-test in every protocol, and says so", { timeout: 30_000 }, async () => {
    await engine.start();
    const rows = await engine.egress.selfTest();
    expect(rows.length).toBe(7);
    for (const row of rows) expect(row).toMatchObject({ leaked: [], answered: true });
    expect(engine.egress.state().selfTest?.ok).toBe(true);
    expect(engine.vault().size()).toBe(0);
    expect(lines.join("\n")).toContain("posture yellow"); // there is no local model here
  });

  it("follows a detour to loopback only, and forgets it", { timeout: 30_000 }, async () => {
    await engine.start();
    const recorder = await startRecorder();
    const end = setDetour(engine.dataDir, {
      cloud: { baseUrl: `${recorder.origin}/v1`, api: "openai-completions", local: false },
      far: { baseUrl: "https://evil.example/v1", api: "openai-completions", local: false },
    });
    await new Promise((resolve) => setTimeout(resolve, 250));
    const answer = await chat(`call ${PHONE}`);
    expect(answer.body).toContain(PHONE);
    expect(recorder.bodies.join()).not.toContain(PHONE);
    // Nobody's conversation, and nobody's number: whoever started it may be killed, its values go all the same.
    expect(recorder.bodies.join()).toContain("[REDACTED:PHONE_SELFTEST_");
    expect(engine.vault().size()).toBe(1);
    end();
    await expect.poll(() => engine.vault().size(), { timeout: 10_000 }).toBe(0);
    recorder.bodies.length = 0;
    await chat("hello");
    expect(recorder.bodies).toEqual([]);
    await recorder.close();
  });

  it("forwards nothing while conversation access is missing, and names the key to set", {
    timeout: 30_000,
  }, async () => {
    granted = false;
    await engine.start();
    const { status, body } = await chat("hello");
    expect(status).toBe(200);
    expect(body).toContain("allowConversationAccess");
    expect(
      lines.filter((line) => line.includes("posture red") && line.includes("allowConversationAccess")).length,
    ).toBe(1);
  });

  it("is red, not down, when the port is taken", { timeout: 30_000 }, async () => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(port, "127.0.0.1", resolve));
    await engine.start();
    expect(engine.posture().state).toBe("red");
    expect(lines.join("\n")).toContain(`port ${port}`);
    await new Promise((resolve) => blocker.close(resolve));
    // It opens by itself once the port is free, and says it was not only once.
    await expect.poll(() => engine.egress.state().port, { timeout: 15_000 }).toBe(port);
    await expect.poll(() => engine.posture().state, { timeout: 15_000 }).toBe("yellow");
    expect(
      lines.filter((line) => line.includes(`port ${port} on`) && !line.includes("posture")),
    ).toHaveLength(1);
  });

  it("asks whoever listens to show the key, and tells it to nobody", { timeout: 30_000 }, async () => {
    const heard: string[] = [];
    const other = new Engine(options());
    const stranger = createHttpServer((asked, response) => {
      heard.push(asked.url ?? "");
      response.end("y".repeat(64));
    });
    await new Promise<void>((resolve) => stranger.listen(port, "127.0.0.1", resolve));
    expect(await other.proxyAnswers()).toBe(false);
    expect(heard.join()).not.toContain(other.installKey());
    // Inside of a gateway that could not have its port, the host's own request stays home as well.
    await engine.start();
    await expect(chat(`call ${PHONE}`)).rejects.toThrow(/refused a request/);
    expect(heard.length).toBe(1);
    await engine.stop();
    stranger.closeAllConnections();
    await new Promise((resolve) => stranger.close(resolve));
    expect(await other.proxyAnswers()).toBe(false);
    await engine.start();
    expect(await other.proxyAnswers()).toBe(true);
    other.closeFiles();
  });

  it("one engine a process; a new one stops the old", { timeout: 30_000 }, async () => {
    const first = sharedEngine(options);
    expect(sharedEngine(options)).toBe(first);
    await first.start();
    const second = await replaceSharedEngine(options());
    expect(sharedEngine(options)).toBe(second);
    await second.start();
    expect(second.egress.state().port).toBe(port);
    await second.stop();
  });
});
