/** Readers on damaged, huge and hostile logs; what they print must harm no terminal, no shell, no memory. */
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { fit, visible, width, wrap } from "../cli/format.ts";
import { callTable } from "../cli/list.ts";
import { main } from "../cli/main.ts";
import { toCallRecord } from "./call-record.ts";
import { curlLine } from "./curl.ts";
import { parseSince } from "./filter.ts";
import { scanFile, scanFiles } from "./scan.ts";

const day = "2026-03-04";
let dir: string;
beforeEach(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), "llm-logger-read-hostile-"));
});
afterEach(() => fs.rmSync(dir, { recursive: true, force: true }));

const ESC = "\u001b";
function call(index: number, fields: object = {}): object {
  return {
    ts: `${day}T10:00:00.000Z`,
    plugin: "llm-logger-openclaw-plugin",
    eventType: "llm_call",
    callId: `run:${index}`,
    attemptId: `abcd${String(index).padStart(12, "0")}`,
    sessionId: "session-1",
    provider: "stub",
    model: "m1",
    purpose: "turn",
    outcome: "ok",
    complete: true,
    via: "http",
    status: 200,
    startedAt: new Date(Date.parse(`${day}T10:00:00.000Z`) + index).toISOString(),
    ttfbMs: 10,
    durationMs: 20,
    usage: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0, total: 3 },
    costUsd: 0.25,
    message: { text: `answer ${index}`, thinking: "", toolCalls: [] },
    ...fields,
  };
}
function write(lines: (object | string | Buffer)[], session = "session-1", end = "\n"): string {
  const folder = path.join(dir, "logs", session);
  fs.mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `llm-logger-openclaw-plugin-${day}.jsonl`);
  const parts = lines.map((line) =>
    Buffer.isBuffer(line) || typeof line === "string" ? line : JSON.stringify(line),
  );
  fs.writeFileSync(
    file,
    Buffer.concat([
      ...parts.flatMap((part, i) => [...(i > 0 ? [Buffer.from("\n")] : []), Buffer.from(part)]),
      Buffer.from(end),
    ]),
  );
  return file;
}

// The stand-alone program, run from its source as Node runs it.
const bin = path.join(import.meta.dirname, "../cli/bin.ts");
async function llmLogs(...args: string[]): Promise<{ status: number; stdout: string; stderr: string }> {
  let stdout = "";
  let stderr = "";
  const out = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    stdout += String(text);
    return true;
  });
  const err = vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    stderr += String(text);
    return true;
  });
  try {
    const status = await main(["--state-dir", dir, ...args]);
    return { status, stdout, stderr };
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
}

describe("damaged logs", () => {
  it("binary, torn, foreign, old and half records are skipped; the good ones are all there", async () => {
    const file = write(
      [
        call(1),
        Buffer.from([0, 255, 254, 10, 0xc3, 0x28]),
        '{"eventType":"llm_call"',
        "[1,2,3]",
        "null",
        '"eventType"',
        { eventType: "llm_call" },
        call(2, { startedAt: "not a time", usage: "many", message: [], status: "200" }),
        call(3, { ts: "never", startedAt: null }),
        call(4, { attemptId: undefined, message: { text: 5, toolCalls: [null, 1, { name: 2 }] } }),
        "{}".repeat(5000),
        call(5),
      ],
      "session-1",
      '\n{"eventType":"llm_call","ts":"torn',
    );
    const seen: string[] = [];
    await scanFiles([{ file, bytes: 0 }], { types: ["llm_call"] }, (record) => {
      const parsed = toCallRecord(record);
      if (parsed) seen.push(parsed.attemptId.slice(-1));
    });
    expect(seen).toEqual(["1", "2", "", "5"]);
    for (const command of ["list", "stats", "tail", "export"]) {
      const { status, stderr, stdout } = await llmLogs(command);
      expect(status, `${command} ${stderr}`).toBe(0);
      expect(stdout).not.toMatch(/NaN|Invalid|undefined/);
    }
    expect((await llmLogs("html", "session-1", "-o", path.join(dir, "p.html"))).status).toBe(0);
  }, 60_000);

  it("a line without an end does not fill the memory, the lines after it are read", async () => {
    const file = path.join(dir, "long");
    fs.writeFileSync(file, `a\n${"x".repeat(20_000_000)}\nb\n${"y".repeat(9_000_000)}\nc\n`);
    const seen: string[] = [];
    let overlong = 0;
    await scanFile(file, 0, (line, offset) => seen.push(`${line.toString()}@${offset}`) > 0, {
      maxLineBytes: 5_000_000,
      onOverlong: () => overlong++,
    });
    expect(seen).toEqual(["a@0", "b@20000003", "c@29000006"]);
    expect(overlong).toBe(2);
  });

  it("export of a log larger than its memory, to a slow reader, is whole", () => {
    const body = "x".repeat(100_000);
    const many = Array.from({ length: 600 }, (_, i) => [
      { ...call(i), eventType: "http_request", method: "POST", url: "http://a/v1", headers: {}, body },
      { ...call(i), eventType: "http_response", headers: {}, body },
      call(i),
    ]).flat();
    write(many);
    const out = path.join(dir, "out.har");
    execFileSync(
      "sh",
      [
        "-c",
        `"${process.execPath}" --max-old-space-size=48 "${bin}" --state-dir "${dir}" export | (sleep 1; cat) > "${out}"`,
      ],
      { stdio: ["ignore", "ignore", "ignore"], timeout: 60_000 },
    );
    const { log } = JSON.parse(fs.readFileSync(out, "utf8"));
    expect(log.entries).toHaveLength(600);
    expect(log.entries[599].response.content.text).toHaveLength(100_000);
  }, 90_000);
});

describe("the command line", () => {
  it("takes a command's name for an option's value where it stands as one", async () => {
    write([call(1, { message: { text: "please list it", thinking: "", toolCalls: [] } }), call(2)]);
    const { status, stdout } = await llmLogs("stats", "--text", "list", "--json");
    expect(status).toBe(0);
    expect(JSON.parse(stdout).all.calls).toBe(1);
    expect(await llmLogs("nonsense")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('unknown command "nonsense"'),
    });
    expect((await llmLogs("--state-dir", dir, "list", "--json")).stdout.trim().split("\n")).toHaveLength(2);
  }, 60_000);

  it("refuses numbers and times that are none", async () => {
    write([call(1)]);
    for (const args of [
      ["list", "-n", "0"],
      ["list", "--limit", "1.5"],
      ["tail", "-n", "x"],
      ["list", "--limit=-5"],
      ["list", "--slower-than", "fast"],
      ["list", "--since", "5"],
      ["html", "session-1", "-n", "0"],
    ])
      expect((await llmLogs(...args)).status, args.join(" ")).toBe(2);
  }, 60_000);

  it("says in a sentence what is wrong with the settings or the folder", async () => {
    fs.writeFileSync(
      path.join(dir, "openclaw.json"),
      JSON.stringify({ plugins: { entries: { "llm-logger-openclaw-plugin": { config: { nope: 1 } } } } }),
    );
    const { status, stderr } = await llmLogs("list");
    expect(status).toBe(2);
    expect(stderr).toContain('unknown key "nope"');
    expect(stderr).not.toContain("    at ");
    expect(await llmLogs("list", "--log-file", path.join(dir, "none/x.jsonl"))).toMatchObject({ status: 2 });
  }, 60_000);

  it("a reader that closes the pipe, and Ctrl-C, end it quietly", () => {
    write(Array.from({ length: 3000 }, (_, i) => call(i)));
    const script = `"${process.execPath}" "${bin}" --state-dir "${dir}" list -n 3000 | head -1; "${process.execPath}" "${bin}" --state-dir "${dir}" export | head -c 100 >/dev/null`;
    const { stderr, status } = spawnSync("sh", ["-c", script], { encoding: "utf8", timeout: 60_000 });
    expect(status).toBe(0);
    expect(stderr).not.toMatch(/EPIPE|Error|at /);
    const follow = spawnSync(
      "sh",
      [
        "-c",
        `"${process.execPath}" "${bin}" --state-dir "${dir}" tail -f >/dev/null & p=$!; sleep 2; kill -INT $p; wait $p; echo "code $?"`,
      ],
      { encoding: "utf8", timeout: 60_000 },
    );
    expect(follow.stdout).toMatch(/code (0|130)/);
    expect(follow.stderr).toBe("");
  }, 90_000);

  it("reads points in time as people write them, and nothing else", () => {
    const now = new Date(2026, 2, 4, 12).getTime();
    expect(parseSince("90min", now)).toBe(now - 5_400_000);
    expect(parseSince("today", now)).toBe(new Date(2026, 2, 4).getTime());
    expect(parseSince("yesterday", now)).toBe(new Date(2026, 2, 3).getTime());
    expect(parseSince("2026-03-04 10:30", now)).toBe(new Date(2026, 2, 4, 10, 30).getTime());
    expect(parseSince("2026-03-04T10:30:00Z", now)).toBe(Date.parse("2026-03-04T10:30:00Z"));
    for (const none of ["5", "1", "", "March", "2026", "2026-13-45", "10:30", "-2h", "2 hours ago"])
      expect(parseSince(none, now), none).toBeUndefined();
  });
});

describe("what is printed", () => {
  const evil = `${ESC}]0;title\u0007${ESC}[2J\u009b31m\u202etxt.exe\r\nnext\u0000`;

  it("drives no terminal: list, show, tail, diff, stats, and JSON stays JSON", async () => {
    write([
      {
        ...call(1),
        eventType: "http_request",
        method: "POST",
        url: `http://a/${evil}`,
        headers: { x: evil },
        body: JSON.stringify({ messages: [{ role: evil, content: evil }] }),
      },
      call(1, {
        model: `m${evil}`,
        error: evil,
        message: { text: evil, thinking: evil, toolCalls: [{ id: evil, name: evil, arguments: { evil } }] },
      }),
      {
        ...call(2),
        eventType: "http_request",
        method: "POST",
        url: "http://a/",
        headers: {},
        body: JSON.stringify({ messages: [{ role: "user", content: `x${evil}` }] }),
      },
      call(2, { model: `m${evil}` }),
    ]);
    const control = /(?![\n\t])[\p{Cc}\u202a-\u202e]/u;
    for (const args of [
      ["list"],
      ["list", "--json"],
      ["show", "abcd000000000001"],
      ["tail"],
      ["tail", "--json"],
      ["diff", "abcd000000000002"],
      ["stats"],
      ["show", "--json", "abcd000000000001"],
    ]) {
      const { status, stdout } = await llmLogs(...args);
      expect(status, args.join(" ")).toBe(0);
      expect(control.test(stdout), args.join(" ")).toBe(false);
    }
    const [first] = (await llmLogs("list", "--json")).stdout.split("\n");
    expect(JSON.parse(first ?? "").message.text).toBe(evil);
    expect((await llmLogs("list")).stdout.trim().split("\n")).toHaveLength(3);
  }, 60_000);

  it("fits the terminal", () => {
    const calls = [
      call(1, {
        model: "claude-sonnet-4-5-20250929",
        provider: "anthropic",
        message: { text: "上海今天多云 😀 ".repeat(20), thinking: "", toolCalls: [] },
      }),
      call(2, {
        outcome: "http_error",
        status: 429,
        usage: { input: 123_456, output: 12_345, cacheRead: 0, cacheWrite: 0, total: 1 },
      }),
    ].map((record) => toCallRecord(record as { eventType: string }));
    const good = calls.filter((record) => record !== undefined);
    for (const columns of [40, 80, 100, 160, 200])
      for (const line of callTable(good, columns).split("\n"))
        expect(width(line), `${columns}: ${line}`).toBeLessThanOrEqual(columns);
    const [head, first, second] = callTable(good, 80).split("\n");
    expect(head).toMatch(/time .*attempt .*outcome .*whole .*in\/out .*cost/);
    expect(first).toContain("abcd000000000001");
    expect(first).toContain("$0.25");
    expect(second).toContain("anthropic/claude-sonnet-4-5-20250929: 上海");
    expect(callTable(good, undefined).split("\n")[0]).toContain("answer");
  });

  it("helpers keep what they say", () => {
    expect(width("a两😀e\u0301")).toBe(6);
    expect(fit("两两两两", 5)).toBe("两两…");
    expect(visible("a\tb\n\u0007\u{1f600}")).toBe("a\tb\n\\u0007\u{1f600}");
    expect(wrap("aaa bbb ccc", 8, 2)).toBe("aaa bbb\n  ccc");
    expect(wrap("aaa bbb ccc", undefined, 2)).toBe("aaa bbb ccc");
  });
});

describe("a replayed call", () => {
  const request = {
    eventType: "http_request",
    method: "POST",
    url: "https://api.example/v1/chat",
    headers: {
      "content-type": "application/json",
      "content-encoding": "gzip",
      expect: "100-continue",
      "x-two": ["a", "b"],
    },
    truncated: false,
  };
  const to = { to: "https://other.example", keyEnv: "K" };

  it("sends no file, says nothing of a coding that is undone, globs nothing", () => {
    const line = curlLine({ ...request, body: "@/etc/passwd" }, to);
    expect(line).toContain("--data-raw @/etc/passwd");
    expect(line).not.toMatch(/--data-binary @\/|content-encoding|expect:/);
    expect(line).toContain("-sSgN");
    expect(line).toContain("-H 'x-two: a' -H 'x-two: b'");
    expect(() => curlLine({ ...request, body: "AAEC", bodyEncoding: "base64" }, to)).toThrow(/binary/);
  });

  it("a prompt longer than an argument may be is piped, byte for byte", () => {
    const body = JSON.stringify({ messages: [{ role: "user", content: "it's % \\n 两 ".repeat(30_000) }] });
    const line = curlLine({ ...request, body }, to);
    expect(line.endsWith("--data-binary @-")).toBe(true);
    const shown = execFileSync("sh", { input: line.replace(/\| curl .*$/s, "| cat"), maxBuffer: 1 << 24 });
    expect(shown.toString()).toBe(body);
  });
});
