import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Gateway, startGateway } from "./harness/index.ts";

/** What the other e2e files stand on: a real gateway, every way in, exact recordings, restart, no way out. */
describe("harness on a bare gateway", () => {
  let gateway: Gateway;
  let failed = true;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(async () => {
    await gateway?.close(failed);
    expect(existsSync(gateway.home)).toBe(false);
  });

  it("answers on each entry path and records the exact bodies", async () => {
    for (const via of ["agent", "chat.send", "http", "cli"] as const) {
      const seen = gateway.models.cloud?.requests.length ?? 0;
      const result = await gateway.turn(`entry-${via}`, `marker-${via}-四`, { via });
      expect(result, `${via}: ${result.error}`).toMatchObject({ ok: true });
      expect(result.text).toContain(`marker-${via}-四`);
      const body = gateway.models.cloud?.requests
        .slice(seen)
        .map((r) => r.body)
        .join("\n");
      expect(body).toContain(`marker-${via}-四`);
    }
  });

  it("scripts tool calls, errors and cut connections", async () => {
    const { cloud } = gateway.models;
    if (!cloud) throw new Error("no cloud server");
    cloud.queue({ toolCalls: [{ name: "ls", arguments: { path: "." } }] }, { text: "done after the tool" });
    const result = await gateway.turn("tools", "call a tool", { via: "agent" });
    expect(result.text).toContain("done after the tool");
    expect(cloud.requests.at(-1)?.body).toContain('"role":"tool"');
  });

  it("restarts on the same home and runs `agent --local` while it is down", async () => {
    await gateway.kill();
    const result = await gateway.turn("entry-local", "marker-local", { via: "local" });
    expect(result, result.error).toMatchObject({ ok: true });
    expect(result.text).toContain("marker-local");
    await gateway.start();
    expect((await gateway.turn("entry-agent", "again")).ok).toBe(true);
  });

  it("lets the gateway reach loopback only", () => {
    const log = path.join(path.dirname(gateway.home), "cut.log");
    const attempts = existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];
    for (const host of attempts) expect(host).not.toMatch(/^127\./);
    failed = false;
  });
});
