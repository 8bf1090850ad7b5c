import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import vm from "node:vm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commands } from "../cli/commands.ts";
import { type CommandContext, UsageError } from "../cli/spec.ts";
import { resolveLocation } from "../store/paths.ts";
import { curlLine } from "./curl.ts";
import { parseSince } from "./filter.ts";
import { diffPrompts } from "./prompt-diff.ts";
import { scanFile } from "./scan.ts";
import { Histogram } from "./stats.ts";

let dir: string;
const day = "2026-03-04";

function record(index: number, fields: object = {}): object[] {
  const common = {
    ts: `${day}T10:00:0${index}.000Z`,
    plugin: "llm-logger-openclaw-plugin",
    eventType: "",
    callId: `run-${index}:model:1`,
    attemptId: `abcd00000000000${index}`,
    traceId: null,
    runId: `run-${index}`,
    sessionId: "session-1",
    sessionKey: "agent:main:s1",
    agentId: "main",
    provider: "stub",
    model: "m1",
    purpose: "turn",
    correlation: "traceparent",
    ...fields,
  };
  const messages = Array.from({ length: index + 1 }, (_, i) => ({
    role: "user",
    content: `message ${i} </script><img src=x onerror=alert(1)>`,
  }));
  return [
    {
      ...common,
      eventType: "http_request",
      method: "POST",
      url: "https://api.example/v1/chat/completions?key=[REDACTED]",
      headers: { authorization: "[REDACTED]", "content-type": "application/json" },
      truncated: false,
      body: JSON.stringify({ model: "m1", messages }),
    },
    {
      ...common,
      eventType: "http_response",
      status: 200,
      statusText: "OK",
      headers: { "content-type": "application/json" },
      originalLength: 10,
      wireBytes: 10,
      body: '{"ok":true}',
    },
    {
      ...common,
      eventType: "llm_call",
      outcome: index === 2 ? "http_error" : "ok",
      complete: true,
      via: "http",
      status: 200,
      startedAt: common.ts,
      ttfbMs: 100 * (index + 1),
      durationMs: 1000 * (index + 1),
      requestBytes: 100,
      responseBytes: 10,
      usage: { input: 10, output: 5, cacheRead: 2, cacheWrite: 0, total: 17 },
      costUsd: 0.5,
      message: {
        text: `answer ${index} ,"message": <b>x</b>`,
        thinking: "",
        toolCalls: [{ id: "t", name: "read", arguments: { path: "a" } }],
      },
    },
  ];
}

beforeAll(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), "llm-logger-read-"));
  const folder = path.join(dir, "logs", "session-1");
  fs.mkdirSync(folder, { recursive: true });
  const lines = [0, 1, 2].flatMap((index) => record(index)).map((line) => JSON.stringify(line));
  lines.splice(3, 0, '{"damaged": "eventType":"llm_call"', "not json at all");
  fs.writeFileSync(
    path.join(folder, `llm-logger-openclaw-plugin-${day}.jsonl`),
    `${lines.join("\n")}\n{"torn":"eventType":"llm_ca`,
  );
});
afterAll(() => fs.rmSync(dir, { recursive: true, force: true }));

async function run(
  name: string,
  args: string[] = [],
  options: CommandContext["options"] = {},
  columns?: number,
): Promise<{ code: number; out: string; err: string }> {
  const command = commands.find((one) => one.name === name);
  if (!command) throw new Error(`no command ${name}`);
  let out = "";
  let err = "";
  const context: CommandContext = {
    location: resolveLocation(undefined, dir),
    retention: { days: 30, maxBytes: 0 },
    args,
    options,
    out: (text) => {
      out += text;
    },
    raw: (text) => {
      out += text;
    },
    drained: async () => {},
    columns,
    err: (text) => {
      err += text;
    },
    tty: false,
    signal: new AbortController().signal,
  };
  return { code: await command.run(context), out, err };
}

describe("commands", () => {
  it("list filters and skips damaged and torn lines", async () => {
    expect((await run("list", [], { json: true })).out.trim().split("\n")).toHaveLength(3);
    const ids = async (options: CommandContext["options"]) =>
      (await run("list", [], { json: true, ...options })).out.trim().split("\n").filter(Boolean).length;
    expect(await ids({ outcome: "error" })).toBe(1);
    expect(await ids({ "slower-than": "1500" })).toBe(2);
    expect(await ids({ "costlier-than": "1" })).toBe(0);
    expect(await ids({ text: "ANSWER 1" })).toBe(1);
    expect(await ids({ session: "session-1", model: "m1", provider: "stub", purpose: "turn" })).toBe(3);
    expect(await ids({ since: "2026-03-05" })).toBe(0);
    await expect(run("list", [], { since: "soon" })).rejects.toThrow(UsageError);
  });

  it("show finds by attempt, call id and prefix, and says when it cannot", async () => {
    expect((await run("show", ["abcd000000000001"])).out).toContain("answer 1");
    expect((await run("show", ["run-0:model:1"], { raw: true })).out).toContain('{"ok":true}');
    await expect(run("show", ["abcd"])).rejects.toThrow(/fits 3 calls/);
    await expect(run("show", ["nothing-here"])).rejects.toThrow(/no call/);
  });

  it("stats sums without reading the answers", async () => {
    const { out } = await run("stats", [], { json: true });
    const { all, groups, scanned } = JSON.parse(out);
    expect(all).toMatchObject({ calls: 3, errors: 1, input: 30, output: 15, cacheRead: 6, costUsd: 1.5 });
    expect(groups).toHaveLength(1);
    expect(scanned.lines).toBe(11);
  });

  it("diff compares with the call before", async () => {
    const { out } = await run("diff", ["abcd000000000001"], { json: true });
    expect(JSON.parse(out)).toMatchObject({
      from: "abcd000000000000",
      to: "abcd000000000001",
      verdict: "appended",
      items: { shared: 1, old: 1, new: 2 },
    });
  });

  it("export writes HAR 1.2 of the matching calls", async () => {
    const { log } = JSON.parse((await run("export", [], { har: true, outcome: "ok" })).out);
    expect(log.version).toBe("1.2");
    expect(log.entries).toHaveLength(2);
    expect(log.entries[0]).toMatchObject({
      request: { method: "POST" },
      response: { status: 200, content: { text: '{"ok":true}' } },
      timings: { wait: 100, receive: 900 },
    });
  });

  it("html is one page without network, with a policy, in which no answer is markup", async () => {
    const file = path.join(dir, "page.html");
    await run("html", ["session-1"], { out: file });
    const html = fs.readFileSync(file, "utf8");
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(html).toContain("default-src 'none'");
    expect(html).not.toMatch(/(src|href)="http/);
    expect(html.match(/<script/g)).toHaveLength(2);
    expect(html).not.toContain("<img src=x");
    const script = /<script>(.*)<\/script>/s.exec(html)?.[1] ?? "";
    expect(() => new vm.Script(script)).not.toThrow();
    const data = JSON.parse(/id="data">(.*?)<\/script>/s.exec(html)?.[1] ?? "");
    expect(
      data.calls.map((call: { diff: { verdict: string } | null }) => call.diff?.verdict ?? null),
    ).toEqual([null, "appended", "appended"]);
  });

  it("prune says what it would delete and deletes it", async () => {
    expect((await run("prune", [], { days: "1", "dry-run": true })).err).toContain("1 file(s)");
    expect(fs.existsSync(path.join(dir, "logs", "session-1"))).toBe(true);
  });

  it("status works before any logger ran", async () => {
    expect((await run("status")).out).toContain("has not run");
  });
});

describe("prompt diff", () => {
  const body = (messages: unknown[], more: object = {}) =>
    JSON.stringify({ model: "m", tools: [{ name: "a" }], messages, ...more });
  const hello = { role: "user", content: "hello 世界" };

  it("tells appended from changed, and where", () => {
    expect(diffPrompts(body([hello]), body([hello]))).toMatchObject({ verdict: "identical" });
    expect(diffPrompts(body([hello]), body([hello, hello]))).toMatchObject({ verdict: "appended" });
    const changed = diffPrompts(
      body([{ role: "system", content: "now 10:00" }, hello]),
      body([{ role: "system", content: "now 10:01" }, hello]),
    );
    expect(changed).toMatchObject({ verdict: "changed", path: ".messages[0].content", items: { shared: 0 } });
    expect(changed.commonBytes).toBe(body([{ role: "system", content: "now 10:00" }]).indexOf("10:00") + 4);
    expect(diffPrompts(body([hello]), body([hello], { tools: [] })).changedParts).toEqual(["tools"]);
  });
});

describe("curl line", () => {
  const [request] = record(0) as { body: string; url: string }[];

  it("is exactly the logged body for a shell, whatever stands in it", () => {
    const body = `it's "$HOME" \`id\` $(id) \\ \n ! '"$X"'`;
    const line = curlLine(
      { eventType: "http_request", ...request, body },
      { to: "https://other.example", keyEnv: "MY_KEY" },
    );
    const shown = execFileSync("sh", ["-c", line.replace(/^curl /, "printf '%s\\0' ")], {
      env: { MY_KEY: "k-123" },
    })
      .toString()
      .split("\0");
    expect(shown).toContain(body);
    expect(shown).toContain("authorization: Bearer k-123");
    expect(shown).toContain("https://other.example/v1/chat/completions?key=k-123");
  });

  it("refuses a cut body and a bad variable name", () => {
    expect(() =>
      curlLine(
        { eventType: "http_request", ...request, truncated: true, capturedBytes: 5, originalLength: 9 },
        { to: "https://x", keyEnv: "K" },
      ),
    ).toThrow(/maxBodyBytes/);
    expect(() =>
      curlLine({ eventType: "http_request", ...request }, { to: "https://x", keyEnv: "K; rm" }),
    ).toThrow(/name of an environment variable/);
  });
});

it("scanFile gives every complete line with its offset, longer than its buffer too", async () => {
  const file = path.join(dir, "long.jsonl");
  const lines = ["a", "b".repeat(9_000_000), "", "c", "d".repeat(4_194_304)];
  fs.writeFileSync(file, `${lines.join("\n")}\nunfinished`);
  const seen: [number, number][] = [];
  await scanFile(file, 0, (line, offset) => seen.push([line.length, offset]) > 0);
  expect(seen).toEqual([
    [1, 0],
    [9_000_000, 2],
    [1, 9_000_004],
    [4_194_304, 9_000_006],
  ]);
});

it("histogram quantiles are within two percent", () => {
  const histogram = new Histogram();
  for (let i = 1; i <= 10_000; i++) histogram.add(i);
  expect(histogram.quantile(0.5)).toBeGreaterThan(4900);
  expect(histogram.quantile(0.5)).toBeLessThan(5100);
  expect(histogram.quantile(0.95)).toBeGreaterThan(9310);
  expect(histogram.quantile(0.95)).toBeLessThan(9690);
});

it("reads points in time", () => {
  const now = Date.parse("2026-03-04T12:00:00Z");
  expect(parseSince("2h", now)).toBe(now - 7_200_000);
  expect(parseSince("2026-03-04", now)).toBe(new Date(2026, 2, 4).getTime());
  expect(parseSince("later", now)).toBeUndefined();
});
