/** What the ledger does when its disk, its file or the clock misbehaves: it costs statistics, never the page or a turn. */
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Ledger } from "./ledger.ts";
import { cutText, type DecisionRow, MAX_TEXT } from "./rows.ts";
import { findWithoutIndex, INDEX_SUFFIX, SearchIndex } from "./search-index.ts";

let dir: string;
let now = 1_800_000_000_000;
let ledger: Ledger;
const file = () => path.join(dir, "ledger.sqlite");
const settings = { keepText: true, retentionDays: 90, maxEvents: 1_000_000 };
const open = () => new Ledger(file(), { price: () => undefined, settings: () => settings, now: () => now });

beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), "clawx-breakage-"));
  now = 1_800_000_000_000;
  ledger = open();
});
afterEach(() => {
  ledger.close();
  rmSync(dir, { recursive: true, force: true });
});

const decision = (over: Partial<DecisionRow> = {}): DecisionRow => ({
  at: now,
  session: "agent:main:s",
  agent: "main",
  run: "r1",
  checkpoint: "onUserMessage",
  level: "S1",
  action: "passthrough",
  router: "privacy",
  route: "cloud",
  provider: undefined,
  model: undefined,
  tier: undefined,
  tool: undefined,
  reason: "nothing private found",
  degraded: undefined,
  ms: 3,
  routers: [],
  text: "hello",
  ...over,
});

/** Overwrites the middle of a file, page by page, and leaves its first page. */
function damage(target: string): void {
  const { size } = statSync(target);
  const fd = openSync(target, "r+");
  for (let at = 4_096; at < size; at += 4_096) writeSync(fd, Buffer.alloc(2_048, 0xa5), 0, 2_048, at);
  closeSync(fd);
}

describe("a ledger that somebody else has locked", () => {
  it("is read all the same, holds nobody up, refuses what must be on record, and catches up", async () => {
    ledger.decision(decision({ text: "before" }));
    ledger.flush();
    const other = new DatabaseSync(file());
    other.exec("BEGIN IMMEDIATE");
    ledger.decision(decision({ text: "during" }));
    const started = performance.now();
    for (let i = 0; i < 20; i += 1) {
      expect(ledger.decisions({}).map(({ text }) => text)).toEqual(["before"]);
      ledger.spentSince(0);
      ledger.noteFeedback(1, "allowed");
    }
    // Each of them would wait for a second.
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(() => ledger.audit("reveal", "here", "detection 1")).toThrow(/lock/);
    other.exec("ROLLBACK");
    other.close();
    await expect
      .poll(() => ledger.decisions({}).map(({ text, feedback }) => [text, feedback]), { timeout: 5_000 })
      .toEqual([
        ["during", null],
        ["before", "allowed"],
      ]);
    expect(ledger.auditTrail()).toHaveLength(1);
  });

  it("writes what waits by itself when the lock is gone, without another event", async () => {
    const other = new DatabaseSync(file());
    other.exec("BEGIN IMMEDIATE");
    ledger.decision(decision());
    await new Promise((resolve) => setTimeout(resolve, 800));
    other.exec("ROLLBACK");
    await expect
      .poll(() => (other.prepare("SELECT count(*) AS n FROM decisions").get() as { n: number }).n, {
        timeout: 5_000,
      })
      .toBe(1);
    other.close();
  });

  it("can be closed", () => {
    const other = new DatabaseSync(file());
    other.exec("BEGIN IMMEDIATE");
    ledger.decision(decision());
    expect(() => ledger.close()).not.toThrow();
    other.close();
  });
});

describe("what cannot be written", () => {
  it("does not hold up what comes behind it", () => {
    ledger.decision(decision({ text: "one" }));
    ledger.decision(decision({ at: Number.NaN, text: "no time" }));
    ledger.decision(decision({ ms: {} as number, text: "no number" }));
    ledger.decision(decision({ text: "two" }));
    ledger.flush();
    expect(ledger.decisions({}).map(({ text }) => text)).toEqual(["two", "one"]);
  });

  it("a full disk costs what is new, and nothing is lost when there is room again", () => {
    ledger.decision(decision({ text: "before" }));
    ledger.flush();
    const { page_count: pages } = new DatabaseSync(file()).prepare("PRAGMA page_count").get() as {
      page_count: number;
    };
    const db = (ledger as unknown as { db: DatabaseSync }).db;
    db.exec(`PRAGMA max_page_count = ${pages}`);
    for (let i = 0; i < 200; i += 1) ledger.decision(decision({ text: `${i} ${"x".repeat(1_500)}` }));
    expect(() => ledger.flush()).toThrow(/full/);
    const kept = ledger.decisions({ limit: 1_000 }).length;
    expect(kept).toBeGreaterThan(0);
    db.exec("PRAGMA max_page_count = 1000000");
    ledger.flush();
    expect(ledger.decisions({ limit: 1_000 })).toHaveLength(201);
  });
});

describe("a file that is damaged while it is in use", () => {
  it("is moved aside and begun anew; one old file is kept, and a reset deletes it", () => {
    for (let i = 0; i < 300; i += 1) ledger.decision(decision({ text: `${i} ${"word ".repeat(200)}` }));
    ledger.close();
    ledger = open();
    damage(file());
    const before = ledger.generation();
    expect(Array.isArray(ledger.decisions({ limit: 1_000 }))).toBe(true);
    for (let i = 0; i < 20; i += 1) ledger.decision(decision({ text: "after" }));
    ledger.flush();
    expect(ledger.generation()).toBeGreaterThan(before);
    expect(ledger.decisions({}).at(0)?.text).toBe("after");
    ledger.renew();
    const aside = () => readdirSync(dir).filter((name) => /\.old-\d+$/.test(name));
    expect(aside()).toHaveLength(1);
    ledger.close();
    Ledger.remove(file());
    expect(readdirSync(dir)).toEqual([]);
  });
});

describe("the search index", () => {
  const index = () => {
    ledger.flush();
    const reader = new DatabaseSync(file(), { readOnly: true });
    return { reader, index: new SearchIndex(reader, file() + INDEX_SUFFIX) };
  };

  it("is made anew when it is damaged while in use", () => {
    for (let i = 0; i < 2_000; i += 1)
      ledger.decision(decision({ text: `word${i} ${"filler ".repeat(40)}` }));
    const first = index();
    first.index.sync(10_000);
    expect(first.index.find({ text: "word77", limit: 300 }).length).toBeGreaterThan(1);
    first.index.close();
    first.reader.close();
    damage(file() + INDEX_SUFFIX);
    const second = index();
    ledger.decision(decision({ text: "newest" }));
    ledger.flush();
    for (let i = 0; i < 5; i += 1) {
      second.index.find({ text: "filler", limit: 10 });
      second.index.sync(10_000);
    }
    expect(second.index.find({ text: "newest", limit: 10 })).toHaveLength(1);
    expect(second.index.find({ text: "filler", limit: 3_000 })).toHaveLength(2_000);
    second.index.close();
    second.reader.close();
  });

  it("goes on after a write that failed in the middle", () => {
    ledger.decision(decision({ text: "one" }));
    const { reader, index: search } = index();
    const inner = search as unknown as { insert: { run: (...values: unknown[]) => unknown } };
    const { insert } = inner;
    inner.insert = {
      run: () => {
        throw new Error("database or disk is full");
      },
    };
    expect(() => search.sync(1_000)).toThrow(/full/);
    inner.insert = insert;
    expect(search.sync(1_000)).toBe(true);
    expect(search.find({ text: "one", limit: 10 })).toHaveLength(1);
    search.close();
    reader.close();
  });

  it("takes no word for the name of a property", () => {
    ledger.decision(decision({ text: "hello" }));
    const { reader, index: search } = index();
    search.sync(1_000);
    for (const text of ["z", "zl", "zlevel", "zsession", "le", "_level", "ro"])
      expect(search.find({ text, limit: 10 }), text).toEqual([]);
    search.close();
    reader.close();
  });

  it("finds signs and emoji, and does not show everything when there is no word in a query", () => {
    ledger.decision(decision({ text: "ship it 🚀🚀 now", level: "S2", reason: "rule a; rule b" }));
    ledger.decision(decision({ text: "plain", level: "S1" }));
    ledger.decision(decision({ text: "100 % sure", level: "S1" }));
    const { reader, index: search } = index();
    search.sync(1_000);
    const found = (text: string, over = {}) => search.find({ text, limit: 10, ...over });
    expect(found("🚀")).toEqual([1]);
    expect(found("%")).toEqual([3]);
    expect(found("!!!")).toEqual([]);
    expect(found("'; --")).toEqual([]);
    expect(found("🚀", { level: "S1" })).toEqual([]);
    expect(found("🚀", { level: "S2", rule: "b" })).toEqual([1]);
    expect(found("🚀", { rule: "c" })).toEqual([]);
    expect(findWithoutIndex(reader, { limit: 10 })).toEqual([3, 2, 1]);
    expect(findWithoutIndex(reader, { text: "plain", limit: 10 })).toBeUndefined();
    search.close();
    reader.close();
  });
});

describe("a clock that jumps", () => {
  it("set back, it does not put off retention", async () => {
    ledger.decision(decision());
    now -= 200 * 86_400_000;
    ledger.decision(decision({ at: now - 100 * 86_400_000, text: "old" }));
    ledger.flush();
    await expect
      .poll(() => ledger.decisions({}).map(({ text }) => text), { timeout: 3_000 })
      .toEqual(["hello"]);
  });
});

describe("a text that is cut", () => {
  it("ends with a whole character and no half placeholder", () => {
    expect(cutText("short")).toBe("short");
    expect(cutText(`${"a".repeat(MAX_TEXT - 1)}😀 more`)).toBe("a".repeat(MAX_TEXT - 1));
    expect(cutText(`${"a".repeat(MAX_TEXT - 8)}[REDACTED:PHONE_1]`)).toBe("a".repeat(MAX_TEXT - 8));
    expect(cutText(`${"a".repeat(MAX_TEXT - 18)}[REDACTED:PHONE_1] more`)).toHaveLength(MAX_TEXT);
  });
});

it("opens where an empty file stands", () => {
  ledger.close();
  for (const name of readdirSync(dir)) rmSync(path.join(dir, name));
  writeFileSync(file(), "");
  ledger = open();
  ledger.decision(decision());
  ledger.flush();
  expect(existsSync(file())).toBe(true);
  expect(ledger.decisions({})).toHaveLength(1);
});
