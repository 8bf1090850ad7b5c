import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { dayOfFile, localDay, logFilePath, resolveLocation, sessionSegment } from "./paths.ts";
import { chooseExpired, type LogFile, listLogFiles, prune } from "./retention.ts";
import { JsonlWriter } from "./writer.ts";

let dir: string;
beforeEach(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), "llm-logger-store-"));
});
afterEach(() => fs.rmSync(dir, { recursive: true, force: true }));

function writer(
  problems: string[] = [],
  mode: "direct" | "batched" = "direct",
  now?: () => Date,
): JsonlWriter {
  const location = resolveLocation(undefined, dir);
  return new JsonlWriter({
    location,
    mode,
    batchMs: 20,
    onProblem: (m) => problems.push(m),
    ...(now && { now }),
  });
}

describe("paths", () => {
  it("are the design's", () => {
    expect(logFilePath(resolveLocation(undefined, "/state"), "abc", "2026-03-04")).toBe(
      "/state/logs/abc/llm-logger-openclaw-plugin-2026-03-04.jsonl",
    );
    expect(logFilePath(resolveLocation("/x/openclaw-llm.jsonl", "/state"), "abc", "2026-03-04")).toBe(
      "/x/abc/openclaw-llm-2026-03-04.jsonl",
    );
    expect(logFilePath(resolveLocation("~/l/a.jsonl", "/state", "/home/u"), undefined, "2026-03-04")).toBe(
      "/home/u/l/_unknown_session/a-2026-03-04.jsonl",
    );
  });

  it("make any id one safe segment, no two the same", () => {
    const ids = fc.uniqueArray(fc.string({ unit: "binary", maxLength: 200 }), {
      minLength: 2,
      maxLength: 20,
    });
    fc.assert(
      fc.property(ids, (list) => {
        const segments = list.filter((id) => id !== "").map((id) => sessionSegment(id));
        expect(new Set(segments).size).toBe(segments.length);
        for (const segment of segments) {
          expect(segment).toMatch(/^[A-Za-z0-9._~-]+$/);
          expect(segment).not.toMatch(/^\.|\.$/);
          expect(segment.length).toBeLessThanOrEqual(120);
        }
      }),
    );
    for (const bad of ["..", ".", "../../etc/passwd", "a/b", "_unknown_session", "con", "agent:main:main"]) {
      expect(sessionSegment(bad)).toMatch(/~[0-9a-f]{16}$/);
    }
  });
});

describe("writer", () => {
  it("writes one line an event, 0600 in 0700", () => {
    const w = writer();
    w.write("s1", { a: 1 });
    w.write("s1", { a: "两" });
    const file = w.currentFiles[0] ?? "";
    expect(fs.readFileSync(file, "utf8")).toBe('{"a":1}\n{"a":"两"}\n');
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(fs.statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
    w.close();
    expect(w.openCount).toBe(0);
  });

  it("starts a new line after a torn one and reopens for late events", () => {
    const w = writer();
    w.write("s1", { a: 1 });
    const file = w.currentFiles[0] ?? "";
    w.close();
    fs.appendFileSync(file, '{"torn":');
    w.write("s1", { late: true });
    expect(w.openCount).toBe(0);
    expect(fs.readFileSync(file, "utf8").split("\n")).toEqual(['{"a":1}', '{"torn":', '{"late":true}', ""]);
  });

  it("rolls at local midnight and closes yesterday", () => {
    let now = new Date(2026, 2, 4, 23, 59, 59, 900);
    const w = writer([], "direct", () => now);
    w.write("s1", { n: 1 });
    now = new Date(2026, 2, 5, 0, 0, 0, 10);
    w.write("s1", { n: 2 });
    expect(w.currentFiles.map((f) => path.basename(f))).toEqual([
      "llm-logger-openclaw-plugin-2026-03-05.jsonl",
    ]);
    w.close();
  });

  it("warns once when it cannot write, goes on counting, recovers", () => {
    const problems: string[] = [];
    fs.writeFileSync(path.join(dir, "logs"), "a file where the folder should be");
    const w = writer(problems);
    for (let i = 0; i < 5; i++) w.write("s1", { i });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/cannot write/);
    expect(w.stats.dropped).toBe(5);
    fs.rmSync(path.join(dir, "logs"));
    w.write("s1", { ok: true });
    expect(problems[1]).toMatch(/written again \(5 were lost\)/);
    w.close();
  });

  it("never throws on what cannot be serialised", () => {
    const problems: string[] = [];
    const loop: Record<string, unknown> = {};
    loop.self = loop;
    writer(problems).write("s1", loop);
    expect(problems).toHaveLength(1);
  });

  it("groups lines in batched mode and loses none at close", async () => {
    const w = writer([], "batched");
    for (let i = 0; i < 3; i++) w.write("s1", { i });
    expect(w.openCount).toBe(0);
    await new Promise((done) => setTimeout(done, 60));
    const file = w.currentFiles[0] ?? "";
    expect(fs.readFileSync(file, "utf8").trim().split("\n")).toHaveLength(3);
    w.write("s1", { last: true });
    w.close();
    expect(fs.readFileSync(file, "utf8").trim().split("\n")).toHaveLength(4);
  });

  it.skipIf(!fs.existsSync("/dev/full"))("survives a full disk", () => {
    const problems: string[] = [];
    const w = writer(problems);
    const folder = path.join(dir, "logs", "full");
    fs.mkdirSync(folder, { recursive: true });
    fs.symlinkSync(
      "/dev/full",
      path.join(folder, `llm-logger-openclaw-plugin-${localDay(new Date())}.jsonl`),
    );
    w.write("full", { a: 1 });
    w.write("full", { a: 2 });
    expect(problems).toEqual([expect.stringContaining("ENOSPC")]);
    expect(w.stats.dropped).toBe(2);
    w.write("other", { a: 3 });
    expect(w.stats.lines).toBe(1);
    w.close();
  });
});

describe("retention", () => {
  const today = new Date(2026, 2, 31, 12);
  const make = (day: string, bytes: number): LogFile => ({
    file: `/l/s/x-${day}.jsonl`,
    session: "s",
    day,
    bytes,
    modifiedAt: 0,
  });

  it("drops by age, then by total size, never the current file", () => {
    const files = [
      make("2026-02-01", 10),
      make("2026-03-10", 10),
      make("2026-03-30", 10),
      make("2026-03-31", 100),
    ];
    const current = new Set(["/l/s/x-2026-03-31.jsonl"]);
    const days = (policy: { days: number; maxBytes: number }) =>
      chooseExpired(files, policy, today, current).map((f) => f.day);
    expect(days({ days: 30, maxBytes: 0 })).toEqual(["2026-02-01"]);
    expect(days({ days: 30, maxBytes: 115 })).toEqual(["2026-02-01", "2026-03-10"]);
    expect(days({ days: 0, maxBytes: 1 })).toEqual(["2026-02-01", "2026-03-10", "2026-03-30"]);
    expect(days({ days: 0, maxBytes: 0 })).toEqual([]);
  });

  it("deletes only files of its own name and folders left empty", async () => {
    const location = resolveLocation(path.join(dir, "x.jsonl"), dir);
    for (const name of [
      "a/x-2020-01-01.jsonl",
      "b/x-2020-01-01.jsonl",
      "b/notes.jsonl",
      "c/y-2020-01-01.jsonl",
    ]) {
      fs.mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
      fs.writeFileSync(path.join(dir, name), '{"ts":"","plugin":"llm-logger-openclaw-plugin"}\n');
    }
    expect(dayOfFile(location, "x-2020-01-01.jsonl")).toBe("2020-01-01");
    expect(await prune(location, { days: 1, maxBytes: 0 }, new Set(), { dryRun: true })).toHaveLength(2);
    expect(await listLogFiles(location)).toHaveLength(2);
    await prune(location, { days: 1, maxBytes: 0 }, new Set());
    expect(fs.readdirSync(dir).sort()).toEqual(["b", "c"]);
    expect(fs.readdirSync(path.join(dir, "b"))).toEqual(["notes.jsonl"]);
  });
});
