/** What `llm-logs` says to somebody who asked for something that is not there, in both languages. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { OUTCOMES } from "../events.ts";
import { main } from "./main.ts";

let dir: string;
beforeEach(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), "llm-logs-messages-"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  fs.rmSync(dir, { recursive: true, force: true });
});

async function llmLogs(...args: string[]): Promise<{ status: number; stdout: string; stderr: string }> {
  const said = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((name) =>
    vi.spyOn(process[name], "write").mockImplementation((text) => {
      said[name] += String(text);
      return true;
    }),
  );
  try {
    return { status: await main(args), ...said };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

const CHINESE = /\p{Script=Han}/u;

describe("a word that is none", () => {
  it.each(["list", "tail", "stats", "export"])(
    "%s --outcome and --purpose name the choices",
    async (name) => {
      const outcome = await llmLogs("--state-dir", dir, name, "--outcome", "oops");
      expect(outcome.status).toBe(2);
      for (const word of ["--outcome", '"oops"', ...OUTCOMES, "error"])
        expect(outcome.stderr).toContain(word);
      expect(outcome.stderr).toMatch(CHINESE);
      const purpose = await llmLogs("--state-dir", dir, name, "--purpose", "oops");
      expect(purpose).toMatchObject({
        status: 2,
        stderr: expect.stringContaining("turn, heartbeat, memory"),
      });
      for (const word of [...OUTCOMES, "error"])
        expect((await llmLogs("--state-dir", dir, name, "--outcome", word)).status, word).toBe(0);
    },
  );

  it("an unknown command is named with those that there are, and nothing else", async () => {
    const { status, stdout, stderr } = await llmLogs("foo\u001b[2J");
    expect(status).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toContain('unknown command "foo\\u001b[2J" / 没有此命令');
    expect(stderr).toMatch(/Commands 命令: list, show, .*status/);
    expect(stderr.split("\n")).toHaveLength(4);
  });

  it("an unknown option names the help", async () => {
    const { status, stderr } = await llmLogs("list", "--oops");
    expect(status).toBe(2);
    expect(stderr).toContain("'--oops'");
    expect(stderr).toContain("llm-logs list --help");
  });

  it.each([
    ["list", "--since", "soon"],
    ["list", "--limit", "0"],
    ["list", "--slower-than", "x"],
    ["show"],
    ["show", "nothing"],
    ["html"],
    ["html", "nothing"],
    ["replay", "x"],
  ])("%s %s %s: an error in both languages, exit code 2", async (...args) => {
    const { status, stderr } = await llmLogs("--state-dir", dir, ...args.filter(Boolean));
    expect(status).toBe(2);
    expect(stderr).toMatch(CHINESE);
  });
});

describe("a folder that is missing", () => {
  it("--state-dir and OPENCLAW_STATE_DIR: named, with what to do, exit code 2", async () => {
    const missing = path.join(dir, "no", "such");
    for (const command of ["list", "status", "stats", "export", "prune"]) {
      const { status, stdout, stderr } = await llmLogs("--state-dir", missing, command);
      expect(status, command).toBe(2);
      expect(stdout, command).toBe("");
      expect(stderr, command).toContain(`there is no folder ${missing} (--state-dir)`);
      expect(stderr, command).toMatch(CHINESE);
    }
    vi.stubEnv("OPENCLAW_STATE_DIR", missing);
    expect((await llmLogs("list")).stderr).toContain(`there is no folder ${missing} (OPENCLAW_STATE_DIR)`);
  });

  it("a base path of its own needs no state folder; a missing log folder is said", async () => {
    vi.stubEnv("OPENCLAW_STATE_DIR", path.join(dir, "none"));
    const { status, stderr } = await llmLogs("--log-file", path.join(dir, "logs", "x.jsonl"), "list");
    expect(status).toBe(0);
    expect(stderr).toContain(`below ${path.join(dir, "logs")}, which does not exist`);
    fs.mkdirSync(path.join(dir, "logs"));
    const there = await llmLogs("--log-file", path.join(dir, "logs", "x.jsonl"), "list");
    expect(there.stderr).not.toContain("does not exist");
  });
});

describe("export", () => {
  const line = (attempt: string, eventType: string, fields: object = {}) =>
    JSON.stringify({
      ts: "2026-03-04T10:00:00.000Z",
      plugin: "llm-logger-openclaw-plugin",
      eventType,
      callId: attempt,
      attemptId: attempt,
      sessionId: "s",
      provider: "p",
      model: "m",
      purpose: "turn",
      startedAt: "2026-03-04T10:00:00.000Z",
      ...fields,
    });
  const request = { method: "POST", url: "https://a/v1", headers: {}, body: "{}" };

  it("says how many calls it left out, and why", async () => {
    const folder = path.join(dir, "logs", "s");
    fs.mkdirSync(folder, { recursive: true });
    const lines = [
      line("a1", "http_request", request),
      line("a1", "llm_call", { outcome: "ok", via: "http" }),
      line("a2", "llm_call", { outcome: "ok", via: "websocket" }),
      line("a3", "llm_call", { outcome: "no_http", via: null }),
      line("a4", "llm_call", { outcome: "no_http", via: null }),
      line("a5", "llm_call", { outcome: "ok", via: "http" }),
      line("a6", "http_request", request),
      '{"eventType":"llm_call", damaged',
    ];
    fs.writeFileSync(
      path.join(folder, "llm-logger-openclaw-plugin-2026-03-04.jsonl"),
      `${lines.join("\n")}\n`,
    );
    const all = await llmLogs("--state-dir", dir, "export");
    expect(JSON.parse(all.stdout).log.entries).toHaveLength(1);
    expect(all.stderr).toContain("1 call(s) exported.");
    expect(all.stderr).toContain(
      "4 skipped 略过: 1 over WebSocket (no place in a HAR), 2 without HTTP traffic (no_http), 1 whose request is not in the log.",
    );
    expect(all.stderr).toContain("1 request(s) without a summary");
    expect(all.stderr).toContain("1 damaged line(s)");
    const { stderr } = await llmLogs("--state-dir", dir, "export", "--outcome", "no_http");
    expect(stderr).toContain("0 call(s) exported. 2 skipped 略过: 2 without HTTP traffic (no_http).");
  });
});
