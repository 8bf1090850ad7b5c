import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { freePort, type Gateway, modelServer, startGateway } from "./harness/index.ts";

// Made up, and built from parts so that no scanner takes this file for a leak.
const PHONE = `138${"0013".repeat(2)}`;
const INTRANET = ["10", "20", "30", "41"].join(".");
const PRIVATE_KEY = [
  `-----BEGIN OPENSSH ${"PRIVATE"} KEY-----`,
  "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW",
  "QyNTUxOQAAACDTgzJ0ZXN0LWtleS1mb3ItY2xhd3hyb3V0ZXItb25seS1ub3QtYS1yZWFs",
  `-----END OPENSSH ${"PRIVATE"} KEY-----`,
].join("\n");
const KEY_BODY = "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ";

/** A private message stays home, on every way in; values are redacted and restored; safe turns see tokens only. */
describe("clawxrouter on a real gateway", () => {
  let gateway: Gateway;
  let failed = false;
  let proxyPort = 0;
  let configBefore = "";

  const cloud = () => {
    const server = gateway.models.cloud;
    if (server === undefined) throw new Error("no cloud");
    return server;
  };
  const local = () => {
    const server = gateway.models.local;
    if (server === undefined) throw new Error("no local");
    return server;
  };
  const configFile = () => path.join(gateway.stateDir, "openclaw.json");

  beforeAll(async () => {
    proxyPort = await freePort();
    gateway = await startGateway({
      plugins: { clawxrouter: {} },
      grant: false,
      models: { cloud: modelServer("cloud"), local: modelServer("local") },
      config: { agents: { defaults: { utilityModel: "cloud/cheap" } } },
      files: {
        ".openclaw/clawxrouter.json": JSON.stringify({
          privacy: { proxyPort },
          tokenSaver: { tiers: { SIMPLE: { provider: "cloud", model: "cheap" } } },
        }),
      },
    });
  });
  afterEach(({ task }) => {
    if (task.result?.state === "fail") failed = true;
  });
  afterAll(async () => {
    await gateway?.close(failed);
  });

  it("says what is missing before setup, in one clear message", async () => {
    const log = await gateway.log();
    const lines = log
      .split("\n")
      .filter((line) => line.includes("allowConversationAccess") && line.includes("clawxrouter:"));
    expect(lines.length, log.slice(-3000)).toBeGreaterThan(0);
    expect(lines[0]).toContain("plugins.entries.clawxrouter.hooks.allowConversationAccess");
  });

  it("setup shows the changes, makes them on --yes, and the gateway takes them over", async () => {
    configBefore = await readFile(configFile(), "utf8");
    const shown = await gateway.cli(["clawxrouter", "setup"], { check: true });
    expect(shown.stdout).toContain("/models/providers/cloud/baseUrl");
    expect(shown.stdout).toContain("allowConversationAccess");
    expect(await readFile(configFile(), "utf8")).toBe(configBefore);
    await gateway.cli(["clawxrouter", "setup", "--yes"], { check: true });
    const after = JSON.parse(await readFile(configFile(), "utf8")) as {
      models: { providers: { cloud: { baseUrl: string } } };
    };
    expect(after.models.providers.cloud.baseUrl).toContain(`127.0.0.1:${proxyPort}/k/`);
    await gateway.restart();
    cloud().reset();
  });

  it("a safe question goes to the cloud", async () => {
    const result = await gateway.turn("safe", "What is the difference between HTTP 401 and 403?");
    expect(result, result.error).toMatchObject({ ok: true });
    expect(cloud().everything()).toContain("HTTP 401 and 403");
    expect(local().requests.length).toBe(0);
  });

  it("a phone and an intranet address: the cloud sees placeholders, the user sees the values", async () => {
    cloud().reset();
    const result = await gateway.turn("s2", `请给 ${PHONE} 发短信，说服务器 ${INTRANET} 已恢复`);
    expect(result, result.error).toMatchObject({ ok: true });
    expect(cloud().requests.length).toBeGreaterThan(0);
    expect(cloud().everything()).not.toContain(PHONE);
    expect(cloud().everything()).not.toContain(INTRANET);
    expect(cloud().everything()).toMatch(/\[REDACTED:[A-Z_]*PHONE[A-Z_]*_\d+\]/);
    expect(result.text).toContain(PHONE);
    expect(result.text).toContain(INTRANET);
  });

  for (const via of ["agent", "chat.send", "http", "cli"] as const) {
    it(`a private key by ${via}: local model only, then two safe turns whose history holds tokens`, async () => {
      cloud().reset();
      local().reset();
      const session = `s3-${via}`;
      const first = await gateway.turn(session, `What is wrong with this key?\n${PRIVATE_KEY}`, { via });
      expect(first, first.error).toMatchObject({ ok: true });
      expect(first.text).toContain("local answers");
      expect(local().everything()).toContain(KEY_BODY);
      for (const question of ["Thanks. And what is a symlink?", "And a hard link?"]) {
        const next = await gateway.turn(session, question, { via });
        expect(next, next.error).toMatchObject({ ok: true });
        expect(next.text).toContain("cloud answers");
      }
      expect(cloud().requests.length).toBeGreaterThan(1);
      expect(cloud().everything()).not.toContain(KEY_BODY);
      if (via !== "http") expect(cloud().everything()).toContain("[PRIVATE:TEXT_");
    });
  }

  it("a private turn in an existing chat.send session still reaches the local model in full", async () => {
    cloud().reset();
    local().reset();
    const via = "chat.send" as const;
    await gateway.turn("late", "hello there", { via });
    const result = await gateway.turn("late", `Please look at\n${PRIVATE_KEY}`, { via });
    expect(result, result.error).toMatchObject({ ok: true });
    expect(local().everything()).toContain(KEY_BODY);
    expect(cloud().everything()).not.toContain(KEY_BODY);
  });

  it("with the local model stopped the user gets a clear reason and the cloud nothing", async () => {
    cloud().reset();
    await local().stop();
    const result = await gateway.turn("down", `And this one?\n${PRIVATE_KEY}`);
    await local().start();
    expect(`${result.text}${result.error}`).toMatch(/local|本地/i);
    expect(cloud().everything()).not.toContain(KEY_BODY);
  });

  it("a private key by `agent --local`: without the gateway there is no proxy, and nothing goes out; nor later", async () => {
    cloud().reset();
    local().reset();
    await gateway.kill();
    const result = await gateway.turn("s3-local", `What is wrong with this key?\n${PRIVATE_KEY}`, {
      via: "local",
    });
    expect(`${result.text}${result.error}`).toMatch(/proxy is not running|代理没有运行/);
    await gateway.start();
    for (const question of ["What is a symlink?", "And a hard link?"]) {
      const next = await gateway.turn("s3-local", question);
      expect(next, next.error).toMatchObject({ ok: true });
    }
    expect(cloud().requests.length).toBeGreaterThan(1);
    expect(cloud().everything()).not.toContain(KEY_BODY);
  });

  it("unset puts openclaw.json back byte for byte", async () => {
    const result = await gateway.cli(["clawxrouter", "unset"], { check: true });
    expect(result.stdout).toContain("byte for byte");
    const hash = (text: string) => createHash("sha256").update(text).digest("hex");
    expect(hash(await readFile(configFile(), "utf8"))).toBe(hash(configBefore));
  });
});
