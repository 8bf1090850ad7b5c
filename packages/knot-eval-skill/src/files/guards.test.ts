import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { describeFileFault } from "./faults.ts";
import { makeFolder } from "./folder.ts";
import { lockFolder } from "./lock.ts";
import { decodeText } from "./text.ts";
import { visibleText } from "./visible.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), "knot-guards-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe("text files", () => {
  it("reads UTF-8 with and without a mark, and UTF-16 with one", () => {
    const text = 'agent_name: "制度助手"';
    expect(decodeText(Buffer.from(text), "f")).toBe(text);
    expect(decodeText(Buffer.from(`\ufeff${text}`), "f")).toBe(text);
    expect(decodeText(Buffer.from(`\ufeff${text}`, "utf16le"), "f")).toBe(text);
    expect(decodeText(Buffer.from(`\ufeff${text}`, "utf16le").swap16(), "f")).toBe(text);
  });

  it("refuses GBK instead of reading other words", () => {
    // 测试 in GBK.
    expect(() => decodeText(Buffer.from([0xb2, 0xe2, 0xca, 0xd4]), "q.json")).toThrow(/q\.json.*UTF-8/);
  });
});

describe("visible text", () => {
  it("writes out what a terminal or a reader's eye would obey", () => {
    expect(visibleText("\u001b[2J\u0007a\u202eb\u2066c\u0085\r\nd\te")).toBe(
      "\\u001b[2J\\u0007a\\u202eb\\u2066c\\u0085\nd\te",
    );
  });

  it("leaves JSON the same JSON (property)", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (value) => {
        const shown = visibleText(JSON.stringify(value, null, 2));
        expect(JSON.parse(shown)).toBe(value);
        expect(shown).not.toMatch(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/u);
      }),
      { numRuns: 500 },
    );
  });
});

describe("the lock of an output folder", () => {
  const lock = () => path.join(dir, ".knot-eval.lock");

  it("keeps a second run out until the first is done", () => {
    const unlock = lockFolder(dir);
    expect(() => lockFolder(dir)).toThrow(/Another run \(process \d+ .*--out/s);
    unlock();
    lockFolder(dir)();
    expect(readdirSync(dir)).toEqual([]);
  });

  it("takes over the lock of a killed process, and clears its half-written files away", () => {
    writeFileSync(lock(), JSON.stringify({ pid: 4_194_303, host: hostname(), started_at: "x" }));
    writeFileSync(path.join(dir, "eval_results.json.123.0a1b2c3d.tmp"), "{");
    writeFileSync(path.join(dir, "mine.tmp"), "stays");
    const unlock = lockFolder(dir);
    expect(readdirSync(dir).sort()).toEqual([".knot-eval.lock", "mine.tmp"]);
    unlock();
  });

  it("believes another machine's lock while it is kept fresh", () => {
    writeFileSync(lock(), JSON.stringify({ pid: 1, host: "elsewhere", started_at: "x" }));
    expect(() => lockFolder(dir)).toThrow(/on elsewhere/);
    const old = new Date(Date.now() - 120_000);
    utimesSync(lock(), old, old);
    lockFolder(dir)();
  });

  it("takes an unreadable lock for nobody's", () => {
    writeFileSync(lock(), "");
    lockFolder(dir)();
  });
});

describe("faults of the file system", () => {
  it("names the file itself and what to do", async () => {
    mkdirSync(path.join(dir, "eval_results.json"));
    const { writeFileAtomic } = await import("./atomic.ts");
    const error: unknown = await writeFileAtomic(path.join(dir, "eval_results.json"), "x").catch((e) => e);
    const fault = describeFileFault(error);
    expect(fault?.exitCode).toBe(2);
    expect(fault?.message).toMatch(/eval_results\.json: there is a folder of this name \(EISDIR\)/);
    expect(readdirSync(dir)).toEqual(["eval_results.json"]);
  });

  it("tells a full disk from a wrong path", () => {
    const full = Object.assign(new Error("x"), { code: "ENOSPC", syscall: "write" });
    expect(describeFileFault(full)).toMatchObject({ exitCode: 3 });
    expect(describeFileFault(full)?.message).toMatch(/no space left.*run the same command again/);
    expect(describeFileFault(new Error("x"))).toBeUndefined();
  });
});

describe("folders", () => {
  it("are made with every missing parent, once and again; a file in the way is named", () => {
    const folder = path.join(dir, "a", "b", "c");
    makeFolder(folder);
    makeFolder(folder);
    expect(existsSync(folder)).toBe(true);
    makeFolder(path.parse(dir).root);
    writeFileSync(path.join(dir, "file"), "");
    for (const taken of ["file", "file/x", "file/x/y"])
      expect(() => makeFolder(path.join(dir, taken)), taken).toThrow(/EEXIST|ENOTDIR/);
  });
});
