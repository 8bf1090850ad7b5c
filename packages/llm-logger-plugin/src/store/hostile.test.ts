/** What may happen to log files while they are written, and what must never happen to others. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readStatusFile } from "../status.ts";
import { localDay, resolveLocation, sessionSegment } from "./paths.ts";
import { listLogFiles, prune } from "./retention.ts";
import { JsonlWriter } from "./writer.ts";

let dir: string;
let problems: string[];
beforeEach(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), "llm-logger-hostile-"));
  problems = [];
});
afterEach(() => {
  fs.chmodSync(dir, 0o700);
  fs.rmSync(dir, { recursive: true, force: true });
});

const location = (logFile?: string) => resolveLocation(logFile, dir);
function writer(now?: () => Date): JsonlWriter {
  return new JsonlWriter({
    location: location(),
    mode: "direct",
    batchMs: 20,
    onProblem: (message) => problems.push(message),
    ...(now && { now }),
  });
}
const today = () => localDay(new Date());
const fileOf = (session: string) =>
  path.join(dir, "logs", session, `llm-logger-openclaw-plugin-${today()}.jsonl`);
const linesOf = (file: string) => fs.readFileSync(file, "utf8").split("\n").filter(Boolean);
const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));

describe("a file under the writer", () => {
  it("deleted, with its folder or alone: the next line is in a new one", () => {
    const w = writer();
    w.write("s", { n: 1 });
    fs.rmSync(fileOf("s"));
    w.write("s", { n: 2 });
    expect(linesOf(fileOf("s"))).toEqual(['{"n":2}']);
    fs.rmSync(path.join(dir, "logs"), { recursive: true });
    w.write("s", { n: 3 });
    expect(linesOf(fileOf("s"))).toEqual(['{"n":3}']);
    expect(fs.statSync(path.dirname(fileOf("s"))).mode & 0o777).toBe(0o700);
    expect(w.openCount).toBe(1);
    w.close();
    expect(problems).toEqual([]);
  });

  it("moved away (logrotate): a second later lines go to the file of that name, none is lost", async () => {
    const w = writer();
    w.write("s", { n: 1 });
    const moved = `${fileOf("s")}.1`;
    fs.renameSync(fileOf("s"), moved);
    w.write("s", { n: 2 });
    await wait(1100);
    w.write("s", { n: 3 });
    expect(linesOf(fileOf("s"))).toEqual(['{"n":3}']);
    expect(linesOf(moved)).toEqual(['{"n":1}', '{"n":2}']);
    w.close();
  });

  it("truncated (copytruncate): lines go on at the start", () => {
    const w = writer();
    w.write("s", { n: 1 });
    fs.truncateSync(fileOf("s"), 0);
    w.write("s", { n: 2 });
    expect(fs.readFileSync(fileOf("s"), "utf8")).toBe('{"n":2}\n');
    w.close();
  });

  it("a log folder that is a symbolic link is followed, by the reader too", async () => {
    const real = path.join(dir, "elsewhere");
    fs.mkdirSync(real);
    fs.symlinkSync(real, path.join(dir, "logs"));
    const w = writer();
    w.write("s", { n: 1 });
    w.close();
    expect((await listLogFiles(location())).map(({ session }) => session)).toEqual(["s"]);
  });

  it.skipIf(process.getuid?.() === 0)("a read-only folder is told once and survived", () => {
    fs.mkdirSync(path.join(dir, "logs"), { mode: 0o500 });
    const w = writer();
    w.write("s", { n: 1 });
    w.write("s", { n: 2 });
    expect(problems).toHaveLength(1);
    expect(w.stats.dropped).toBe(2);
    w.close();
    fs.chmodSync(path.join(dir, "logs"), 0o700);
  });

  it("a disk that fails now and then is told once, not at every line", () => {
    const w = writer();
    for (let i = 0; i < 20; i++) {
      fs.rmSync(path.join(dir, "logs"), { recursive: true, force: true });
      fs.writeFileSync(path.join(dir, "logs"), "in the way");
      w.write("s", { i });
      fs.rmSync(path.join(dir, "logs"));
      w.write("s", { i });
    }
    expect(w.stats).toMatchObject({ dropped: 20, lines: 20 });
    expect(problems).toEqual([
      expect.stringContaining("cannot write"),
      expect.stringContaining("written again (1 were lost)"),
    ]);
    w.close();
  });

  it("a descriptor that broke is not used again", () => {
    const w = writer();
    w.write("s", { n: 1 });
    const fd = fs.readdirSync("/proc/self/fd").find((name) => {
      try {
        return fs.readlinkSync(`/proc/self/fd/${name}`) === fileOf("s");
      } catch {
        return false;
      }
    });
    fs.closeSync(Number(fd));
    w.write("s", { n: 2 });
    w.write("s", { n: 3 });
    expect(linesOf(fileOf("s"))).toEqual(['{"n":1}', '{"n":2}', '{"n":3}']);
    expect(problems).toEqual([]);
    w.close();
  });

  it("the clock set back over midnight, and over the end of summer time: the day is the clock's", () => {
    let now = new Date(2026, 2, 5, 0, 10);
    const w = writer(() => now);
    const day = () => path.basename(w.currentFiles.at(-1) ?? "").slice(-16, -6);
    w.write("s", { n: 1 });
    expect(day()).toBe("2026-03-05");
    now = new Date(2026, 2, 4, 23, 50);
    w.write("s", { n: 2 });
    expect(day()).toBe("2026-03-04");
    for (const at of [
      new Date(2026, 9, 25, 0, 30),
      new Date(2026, 9, 25, 23, 59),
      new Date(2026, 9, 26, 0, 0),
    ]) {
      now = at;
      w.write("s", { n: 3 });
      expect(day()).toBe(localDay(at));
    }
    w.close();
  });
});

describe("retention", () => {
  const old = "2020-01-01";
  const ours = '{"ts":"x","plugin":"llm-logger-openclaw-plugin","eventType":"llm_call"}\n';

  it("never deletes what others wrote, even under a name like ours", async () => {
    const place = location(path.join(dir, "app.jsonl"));
    const put = (name: string, content: string) => {
      fs.mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
      fs.writeFileSync(path.join(dir, name), content);
    };
    put(`nginx/app-${old}.jsonl`, '{"level":"info"}\n');
    put(`nginx/app-${old}.jsonl.gz`, "x");
    put(`empty/app-${old}.jsonl`, "");
    put(`s/app-${old}.jsonl`, `{"torn\n${ours}`);
    put(`s/notes.txt`, "mine");
    put(`app-${old}.jsonl`, ours);
    fs.mkdirSync(path.join(dir, `d/app-${old}.jsonl`), { recursive: true });
    fs.symlinkSync(path.join(dir, "nginx"), path.join(dir, "link"));
    const gone = await prune(place, { days: 1, maxBytes: 1 }, new Set());
    expect(gone.map(({ file }) => path.relative(dir, file))).toEqual([`s/app-${old}.jsonl`]);
    expect(fs.readdirSync(dir).sort()).toEqual([`app-${old}.jsonl`, "d", "empty", "link", "nginx", "s"]);
    expect(fs.readdirSync(path.join(dir, "s"))).toEqual(["notes.txt"]);
  });

  it.skipIf(process.getuid?.() === 0)(
    "goes on past a folder it may not read or change, and then says so",
    async () => {
      for (const session of ["a", "b", "c"]) {
        const folder = path.join(dir, "logs", session);
        fs.mkdirSync(folder, { recursive: true });
        fs.writeFileSync(path.join(folder, `llm-logger-openclaw-plugin-${old}.jsonl`), ours);
      }
      fs.chmodSync(path.join(dir, "logs", "a"), 0o500);
      fs.chmodSync(path.join(dir, "logs", "b"), 0o000);
      await expect(prune(location(), { days: 1, maxBytes: 0 }, new Set())).rejects.toThrow(/EACCES/);
      for (const session of ["a", "b"]) fs.chmodSync(path.join(dir, "logs", session), 0o700);
      expect(fs.readdirSync(path.join(dir, "logs")).sort()).toEqual(["a", "b"]);
    },
  );
});

it("ids: dots, devices, NUL, 300 characters, and case where the file system folds it", () => {
  for (const id of ["..", "CON", "com1.txt", "a\0b", "x".repeat(300), "a.", " "]) {
    expect(sessionSegment(id), JSON.stringify(id)).toMatch(/^[A-Za-z0-9][A-Za-z0-9._-]{0,59}~[0-9a-f]{16}$/);
  }
  expect(sessionSegment("ABC", false)).toBe("ABC");
  expect(sessionSegment("ABC", true).toLowerCase()).not.toBe(sessionSegment("abc", true));
  expect(sessionSegment("Abc", true).toLowerCase()).not.toBe(sessionSegment("aBc", true).toLowerCase());
});

it("a status file of another version, or a damaged one, is none", () => {
  const place = location();
  fs.mkdirSync(place.dir, { recursive: true });
  for (const content of [
    '{"counters":{}}',
    "{",
    "null",
    '{"counters":{"callsSeen":1},"writer":null}',
    "\0\0",
  ]) {
    fs.writeFileSync(path.join(place.dir, `.${place.stem}.status.json`), content);
    expect(readStatusFile(place)).toBeUndefined();
  }
});
