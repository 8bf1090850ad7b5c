import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { freePort, type Gateway, modelServer, openclawEntry, startGateway } from "./harness/index.ts";
import { setUp } from "./leak/set-up.ts";

const PHONE = `139${"2468".repeat(2)}`;

interface Row {
  path: string;
  leaked: string[];
  answered: boolean;
  notTried?: string;
}

/** A first-time user's gateway: an empty workspace that OpenClaw does not fill, and no utility model. */
describe("clawxrouter selftest leaves the gateway as it was", () => {
  let gateway: Gateway;
  let failed = false;
  const workspace = () => path.join(gateway.stateDir, "workspace");
  const count = (file: string, table: string) => {
    const db = new DatabaseSync(path.join(gateway.stateDir, "clawxrouter", file), { readOnly: true });
    try {
      return (db.prepare(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }).n;
    } finally {
      db.close();
    }
  };
  const traces = async () => {
    // What is written is gathered for half a second, and the gateway tidies every two.
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    return {
      values: count("vault.sqlite", "entries"),
      decisions: count("ledger.sqlite", "decisions"),
      requests: count("ledger.sqlite", "requests"),
      sessions: count("ledger.sqlite", "sessions"),
    };
  };
  const works = async (session: string) => {
    const result = await gateway.turn(session, "hello there");
    expect(result, result.error).toMatchObject({ ok: true });
  };

  beforeAll(async () => {
    gateway = await startGateway({
      plugins: { clawxrouter: {} },
      models: { cloud: modelServer("cloud"), local: modelServer("local") },
      files: { ".openclaw/clawxrouter.json": JSON.stringify({ privacy: { proxyPort: await freePort() } }) },
    });
    await setUp(gateway);
  }, 400_000);
  afterEach(({ task }) => {
    if (task.result?.state === "fail") failed = true;
  });
  afterAll(async () => {
    await gateway?.close(failed);
  });

  it("with an empty workspace, no utility model and the user's counts and numbers", async () => {
    await works("before");
    const before = await traces();
    expect(before).toMatchObject({ values: 0, decisions: 1 });
    const result = await gateway.cli(["clawxrouter", "selftest", "--json"], { timeoutMs: 300_000 });
    const rows = JSON.parse(result.stdout) as Row[];
    for (const row of rows) {
      expect(row, row.path).toMatchObject({ leaked: [] });
      expect(row.answered || row.notTried !== undefined, JSON.stringify(row)).toBe(true);
    }
    expect(rows.filter(({ notTried }) => notTried === "empty-workspace")).toHaveLength(2);
    expect(result.code).toBe(0);
    // A busy gateway tidies later.
    await expect.poll(traces, { timeout: 60_000 }).toEqual(before);
    await works("after");
    await gateway.turn("phone", `Who has the number ${PHONE}?`);
    const asked = (gateway.models.cloud?.everything() ?? "").match(/\[REDACTED:PHONE[A-Z_]*\d+\]/)?.[0];
    expect(asked).toBe("[REDACTED:PHONE_1]");
  }, 400_000);

  it("when it is broken off in the middle", async () => {
    const before = await traces();
    const child = spawn(process.execPath, [openclawEntry, "clawxrouter", "selftest"], {
      env: gateway.env,
      cwd: gateway.home,
    });
    let said = "";
    const heard = Promise.withResolvers<void>();
    child.stderr.on("data", (text: Buffer) => {
      said += text.toString();
      if (said.includes("existing chat.send session")) heard.resolve();
    });
    child.once("exit", () => heard.resolve());
    await heard.promise;
    const ended = once(child, "exit");
    child.kill("SIGINT");
    expect((await ended)[0], said).toBe(130);
    expect(said).toContain("existing chat.send session");
    expect(existsSync(path.join(gateway.stateDir, "clawxrouter", "selftest.json"))).toBe(false);
    expect(existsSync(workspace()) ? readdirSync(workspace()) : []).toEqual([]);
    await expect.poll(traces, { timeout: 20_000 }).toEqual(before);
    expect(JSON.stringify(await gateway.client.request("sessions.list", {}))).not.toContain("selftest");
    await works("after-all");
  }, 300_000);
});
