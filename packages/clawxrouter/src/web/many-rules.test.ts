/** Long lists of rules: an import of thousands of names works, and none of it holds the gateway up. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ConfigDocument } from "./contract.ts";
import { type Served, serveDashboard } from "./testing/serve.ts";

let served: Served;
beforeAll(async () => {
  served = await serveDashboard();
  await served.signIn();
}, 60_000);
afterAll(async () => {
  await served?.close();
});

const withRules = (rules: unknown, base: Record<string, unknown> = {}) => ({ ...base, privacy: { rules } });

it("20,000 keywords are checked in no time, and a bad one among them is named", async () => {
  const S3 = Array.from({ length: 20_000 }, (_, i) => `Müller & Söhne ${i}`);
  const before = process.cpuUsage();
  const reply = await served.post("validateConfig", { raw: withRules({ keywords: { S3 } }) });
  const { user, system } = process.cpuUsage(before);
  expect(reply.json).toMatchObject({ ok: true });
  // One by one this took three seconds of the gateway's thread.
  expect((user + system) / 1e6).toBeLessThan(1.5);
  S3[12_345] = "";
  const bad = await served.post("validateConfig", { raw: withRules({ keywords: { S3 } }) });
  expect(bad.json).toMatchObject({ ok: false, faults: [{ path: "/privacy/rules/keywords/S3/12345" }] });
});

it("more than a thousand patterns are refused before one is compiled, in every way in", async () => {
  const S2 = Array.from({ length: 700 }, (_, i) => `word${i}\\d+`);
  const raw = {
    privacy: { rules: { patterns: { S2 } }, routers: { mine: { type: "configurable", patterns: { S2 } } } },
  };
  const { version } = (await served.get("config")).json as ConfigDocument;
  for (const [name, body] of [
    ["validateConfig", { raw }],
    ["previewConfig", { raw }],
    ["writeConfig", { raw, version }],
    ["validateConfig", { text: JSON.stringify(raw) }],
    ["importConfig", { text: JSON.stringify(raw), version }],
  ] as const) {
    const reply = await served.post(name, body);
    expect(reply.status, name).toBe(422);
    expect(reply.text).toContain("at most 1000 patterns, these are 1400");
  }
});

it("patterns that are fine one by one and too slow together are refused", async () => {
  const S2 = Array.from({ length: 900 }, (_, i) => `(?:[a-z]+ ){3}x${i}[0-9]{2,9}z|(?:\\w+[ ,.]){2,40}q${i}`);
  const reply = await served.post("previewConfig", { raw: withRules({ patterns: { S2 } }) });
  expect(reply.json).toMatchObject({ ok: false });
  expect(reply.text).toMatch(/too slow|together|more than \d+ ms/);
}, 30_000);

it("a disk that refuses the file is named, and the settings are as before", async () => {
  const { version, raw } = (await served.get("config")).json as ConfigDocument;
  const { config } = (served.dashboard as unknown as { dashboard: { api: { config: { write: unknown } } } })
    .dashboard.api;
  const { write } = config;
  config.write = () => {
    throw Object.assign(new Error("ENOSPC: no space left on device, write '/home/somebody/x'"), {
      code: "ENOSPC",
    });
  };
  const reply = await served.post("writeConfig", { version, raw: { ...raw, dashboard: { language: "zh" } } });
  config.write = write;
  expect(reply.status).toBe(500);
  expect(reply.json).toMatchObject({
    error: { code: "internal", message: expect.stringContaining("ENOSPC") },
  });
  expect(reply.text).not.toContain("somebody");
  expect(((await served.get("config")).json as ConfigDocument).version).toBe(version);
});
