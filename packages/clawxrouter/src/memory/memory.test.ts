import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { Vault } from "@clawx/shared-security";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { defaultConfig } from "../config-file/parse.ts";
import { Detector } from "../detection/detector.ts";
import { RuleDetector } from "../detection/rules.ts";
import { matches, merge3 } from "./diff3.ts";
import { Projection } from "./projection.ts";
import { MemorySync } from "./sync.ts";

const PHONE = `138${"0013".repeat(2)}`;
let dir: string;
let workspaceDir: string;
let fullDir: string;
let sync: MemorySync;
let bases: Map<string, string>;

beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), "clawx-memory-"));
  workspaceDir = path.join(dir, "workspace");
  fullDir = path.join(dir, "private");
  mkdirSync(workspaceDir);
  const { privacy } = defaultConfig();
  const detector = new Detector(privacy, new RuleDetector(privacy.rules), undefined, "1");
  bases = new Map();
  sync = new MemorySync(
    { workspaceDir, fullDir },
    new Projection(new Vault(), () => detector, "memory:main"),
    bases as never,
  );
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const clean = () => readFileSync(path.join(workspaceDir, "MEMORY.md"), "utf8");
const full = () => readFileSync(path.join(fullDir, "MEMORY-FULL.md"), "utf8");
const setClean = (text: string) => writeFileSync(path.join(workspaceDir, "MEMORY.md"), text);
const setFull = (text: string) => writeFileSync(path.join(fullDir, "MEMORY-FULL.md"), text);

describe("dual memory", () => {
  it("projects a memory with private values, and gives the full one back", () => {
    setClean(`# Notes\n- call ${PHONE}\n- 病历：高血压\n- likes tea\n`);
    sync.sync();
    expect(full()).toBe(`# Notes\n- call ${PHONE}\n- 病历：高血压\n- likes tea\n`);
    expect(clean()).toMatch(/^# Notes\n- call \[REDACTED:[A-Z_]+_1\]\n\[PRIVATE:TEXT_\d+\]\n- likes tea\n$/);
    expect(statSync(path.join(fullDir, "MEMORY-FULL.md")).mode & 0o777).toBe(0o600);
    const before = clean();
    expect(sync.sync()).toMatchObject([{ changed: { clean: false, full: false }, conflicts: [] }]);
    expect(clean()).toBe(before);
  });

  it("takes edits and deletions from both sides", () => {
    setClean(`a\nb ${PHONE}\nc\nd\n`);
    sync.sync();
    setClean(clean().replace("c\n", "").replace("a\n", "a\nadded on the clean side\n"));
    setFull(full().replace("d\n", "d changed\n"));
    const [report] = sync.sync();
    expect(report?.conflicts).toEqual([]);
    expect(full()).toBe(`a\nadded on the clean side\nb ${PHONE}\nd changed\n`);
    expect(clean()).not.toContain(PHONE);
  });

  it("keeps both sides of a conflict and reports it", () => {
    setClean("one\ntwo\nthree\n");
    sync.sync();
    setClean("one\ntwo (clean)\nthree\n");
    setFull("one\ntwo (full)\nthree\n");
    expect(sync.diff()[0]?.conflicts.length).toBe(1);
    const [report] = sync.sync();
    expect(report?.conflicts).toMatchObject([{ line: 2, left: ["two (full)"], right: ["two (clean)"] }]);
    expect(full()).toBe("one\ntwo (full)\ntwo (clean)\nthree\n");
    expect(sync.sync()[0]?.conflicts).toEqual([]);
  });

  it("a private value written into the clean file by a tool moves to the full one", () => {
    setClean("x\n");
    sync.sync();
    setClean(`x\nhost 10.20.30.40 and ${PHONE}\n`);
    sync.sync();
    expect(full()).toBe(`x\nhost 10.20.30.40 and ${PHONE}\n`);
    expect(clean()).not.toContain(PHONE);
    expect(clean()).not.toContain("10.20.30.40");
  });

  it("syncs days, and a file that exists on one side only", () => {
    mkdirSync(path.join(workspaceDir, "memory"));
    writeFileSync(path.join(workspaceDir, "memory", "2026-11-30.md"), `met ${PHONE}\n`);
    sync.sync();
    expect(readFileSync(path.join(fullDir, "memory", "2026-11-30.md"), "utf8")).toBe(`met ${PHONE}\n`);
    expect(existsSync(path.join(workspaceDir, "MEMORY.md"))).toBe(false);
    mkdirSync(fullDir, { recursive: true });
    setFull("only here\n");
    sync.sync();
    expect(clean()).toBe("only here\n");
  });

  /** Kills the process at a moment: when the base, or the clean file, is about to be written. */
  const killedAt = (moment: "base" | "clean") => {
    const set = bases.set.bind(bases);
    if (moment === "base") {
      bases.set = () => {
        throw new Error("killed");
      };
      expect(() => sync.sync()).toThrow("killed");
      bases.set = set;
    } else {
      const before = clean();
      sync.sync();
      // As if the file had not been replaced, nor what comes after it.
      setClean(before);
    }
  };

  it.each(["base", "clean"] as const)(
    "killed before the %s is written it loses no line of either side",
    (moment) => {
      setClean("one\ntwo\nthree\n");
      sync.sync();
      const base = new Map(bases);
      setFull(`one\nfull ${PHONE}\ntwo\nthree\n`);
      setClean("one\ntwo\nthree\nclean\n");
      killedAt(moment);
      if (moment === "clean") for (const [key, text] of base) bases.set(key, text);
      sync.sync();
      expect(full()).toBe(`one\nfull ${PHONE}\ntwo\nthree\nclean\n`);
      expect(clean().split("\n").length).toBe(full().split("\n").length);
    },
  );

  it("the base is never ahead of the clean file", () => {
    setClean("one\n");
    sync.sync();
    setFull("one\nprivate addition\n");
    const seen: string[] = [];
    const set = bases.set.bind(bases);
    bases.set = (key, text) => {
      seen.push(clean());
      return set(key, text);
    };
    sync.sync();
    expect(seen).toEqual(["one\nprivate addition\n"]);
  });

  it("an edit made while it merges is not written over", () => {
    setClean(`one ${PHONE}\n`);
    const own = new MemorySync(
      { workspaceDir, fullDir },
      {
        full: (text: string) => text,
        revived: (text: string) => text,
        tokensOf: () => [],
        clean: (text: string) => {
          setClean(`${clean()}agent\n`);
          return text.replaceAll(PHONE, "***");
        },
      } as never,
      bases as never,
    );
    own.sync();
    expect(clean()).toBe(`one ${PHONE}\nagent\n`);
    sync.sync();
    expect(full()).toBe(`one ${PHONE}\nagent\n`);
    expect(clean()).toMatch(/^one \[REDACTED:[A-Z_]+_1\]\nagent\n$/);
  });

  it("what vanished from the workspace keeps a copy on the full side; a workspace that is not there changes nothing", () => {
    setClean(`one ${PHONE}\n`);
    sync.sync();
    rmSync(workspaceDir, { recursive: true });
    expect(sync.sync()).toEqual([]);
    expect(full()).toBe(`one ${PHONE}\n`);
    mkdirSync(workspaceDir);
    sync.sync();
    expect(readFileSync(path.join(fullDir, "MEMORY-FULL.md.deleted"), "utf8")).toBe(`one ${PHONE}\n`);
  });

  it("leaves alone what is no text file, and takes in the others all the same", () => {
    const days = path.join(workspaceDir, "memory");
    mkdirSync(days);
    execFileSync("mkfifo", [path.join(days, "a-pipe.md")]);
    mkdirSync(path.join(days, "b-folder.md"));
    const chinese = Buffer.concat([Buffer.from(`call ${PHONE} `), Buffer.from([0xc4, 0xe3, 0xba, 0xc3])]);
    writeFileSync(path.join(days, "c-gbk.md"), chinese);
    writeFileSync(path.join(days, "d-huge.md"), "x".repeat(5 * 1024 * 1024));
    const own = path.join(dir, "notes.md");
    writeFileSync(own, `mine ${PHONE}\n`);
    symlinkSync(own, path.join(days, "e-link.md"));
    symlinkSync(path.join(dir, "nowhere"), path.join(days, "f-broken.md"));
    writeFileSync(path.join(days, "z-note.md"), `met ${PHONE}\n`);
    const skipped = sync.sync().filter((report) => report.skipped !== undefined);
    expect(skipped.map(({ name }) => name)).toEqual(
      ["a-pipe", "b-folder", "c-gbk", "d-huge", "e-link"].map((name) => `memory/${name}.md`),
    );
    expect(skipped.map((report) => report.skipped).join()).not.toContain(PHONE);
    expect(readFileSync(path.join(days, "c-gbk.md"))).toEqual(chinese);
    expect(readFileSync(own, "utf8")).toBe(`mine ${PHONE}\n`);
    expect(readFileSync(path.join(days, "z-note.md"), "utf8")).not.toContain(PHONE);
    expect(sync.diff().length).toBe(6);
  });

  it("keeps line ends and permissions", () => {
    setClean(`one\r\ncall ${PHONE}\r\n病历：高血压\r\n`);
    chmodSync(path.join(workspaceDir, "MEMORY.md"), 0o664);
    sync.sync();
    expect(full()).toBe(`one\r\ncall ${PHONE}\r\n病历：高血压\r\n`);
    expect(clean().split("\r\n").length).toBe(4);
    expect(statSync(path.join(workspaceDir, "MEMORY.md")).mode & 0o777).toBe(0o664);
    setFull(full().replace("one", "one more"));
    sync.sync();
    expect(clean()).toMatch(/^one more\r\n/);
  });

  it("loses no line whatever happens on either side (property)", () => {
    const line = fc.constantFrom("a", "b", "c", "d", "e", "");
    const text = fc.array(line, { maxLength: 12 });
    fc.assert(
      fc.property(text, text, text, (base, left, right) => {
        const { lines } = merge3(base, left, right);
        const inBase = new Set(base);
        for (const added of [...left, ...right]) if (!inBase.has(added)) expect(lines).toContain(added);
        expect(merge3(base, left, base).lines).toEqual(left);
        expect(merge3(base, base, right).lines).toEqual(right);
        expect(merge3(base, left, left).lines).toEqual(left);
      }),
    );
  });

  it("two large sides with nothing in common cost neither memory nor time", () => {
    const side = (name: string) => Array.from({ length: 60_000 }, (_, i) => name + i);
    const before = process.memoryUsage().arrayBuffers;
    matches(side("a"), side("b"));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100e6);
  });

  it("finds a longest common subsequence", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(3), { maxLength: 9 }), fc.array(fc.nat(3), { maxLength: 9 }), (x, y) => {
        const [a, b] = [x.map(String), y.map(String)];
        const found = matches(a, b);
        let last = -1;
        let length = 0;
        found.forEach((j, i) => {
          if (j === undefined) return;
          expect(b[j]).toBe(a[i]);
          expect(j).toBeGreaterThan(last);
          last = j;
          length++;
        });
        const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
        for (let i = 1; i <= a.length; i++)
          for (let j = 1; j <= b.length; j++)
            (table[i] as number[])[j] =
              a[i - 1] === b[j - 1]
                ? (table[i - 1]?.[j - 1] ?? 0) + 1
                : Math.max(table[i - 1]?.[j] ?? 0, table[i]?.[j - 1] ?? 0);
        // Common heads and tails are taken first, which keeps the length a longest one.
        expect(length).toBe(table[a.length]?.[b.length]);
      }),
    );
  });
});
