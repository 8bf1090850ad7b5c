import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { EndEvent, ForwardEvent } from "../egress/types.ts";
import { boundOf, bucketOf, summarise } from "./latency.ts";
import { type DecisionRow, Ledger } from "./ledger.ts";
import * as queries from "./queries.ts";
import { INDEX_SUFFIX, SearchIndex } from "./search-index.ts";

let dir: string;
let ledger: Ledger;
let settings: { keepText: boolean; retentionDays: number; maxEvents: number };
const file = () => path.join(dir, "ledger.sqlite");
const open = () =>
  new Ledger(file(), {
    price: ({ model }) => (model === "dear" ? 0.5 : model === "free" ? 0 : undefined),
    baseline: () => 1,
    settings: () => settings,
  });

beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), "clawx-ledger-"));
  settings = { keepText: true, retentionDays: 90, maxEvents: 1_000_000 };
  ledger = open();
});
afterEach(() => {
  ledger.close();
  rmSync(dir, { recursive: true, force: true });
});

function decision(over: Partial<DecisionRow> = {}): DecisionRow {
  return {
    at: Date.now(),
    session: "agent:main:s",
    agent: "main",
    run: "r1",
    checkpoint: "onUserMessage",
    level: "S2",
    action: "transform",
    router: "privacy",
    route: "redacted",
    provider: undefined,
    model: undefined,
    tier: undefined,
    tool: undefined,
    reason: "rule contact/phone; rule user/keyword",
    degraded: undefined,
    ms: 3,
    routers: [
      { router: "privacy", level: "S2", action: "transform", durationMs: 2 },
      { router: "token-saver", level: "S1", action: "redirect", durationMs: 1 },
    ],
    text: "call [REDACTED:PHONE_1]",
    ...over,
  };
}

function request(
  id: string,
  over: Partial<ForwardEvent> = {},
  usage: EndEvent["usage"] = { inputTokens: 10, outputTokens: 5 },
) {
  const forward: ForwardEvent = {
    kind: "forward",
    requestId: id,
    at: Date.now(),
    providerId: "cloud",
    session: "agent:main:s",
    api: "openai-completions",
    endpoint: "chat/completions",
    model: "dear",
    local: false,
    stream: true,
    level: "S1",
    replaced: {},
    mediaWithheld: 0,
    signaturesStripped: 0,
    reasons: [],
    degraded: undefined,
    requestBytes: 1,
    sentBytes: 1,
    inspectMs: 2,
    newest: "hello",
    ...over,
  };
  const end: EndEvent = {
    kind: "end",
    requestId: id,
    at: Date.now(),
    providerId: forward.providerId,
    session: forward.session,
    status: 200,
    outcome: "ok",
    usage,
    restored: 0,
    ttfbMs: 4,
    durationMs: 9,
    responseBytes: 1,
    upstreamRequestId: undefined,
  };
  ledger.egress(forward, "r1");
  ledger.egress(end);
}

function reader(): DatabaseSync {
  ledger.flush();
  return new DatabaseSync(file(), { readOnly: true });
}

describe("ledger", () => {
  it("adds up cost, and compares only what can be compared", () => {
    request("a");
    request("b", { model: "free", local: true, providerId: "local" });
    request("c", { model: "unknown" });
    const rows = ledger.hourly(Date.now() - 7_200_000, Date.now() + 7_200_000);
    const sum = (field: "usd" | "unpriced" | "compared" | "comparedUsd" | "baselineUsd") =>
      rows.reduce((total, row) => total + row[field], 0);
    expect([sum("usd"), sum("unpriced"), sum("compared"), sum("comparedUsd"), sum("baselineUsd")]).toEqual([
      0.5, 1, 2, 0.5, 2,
    ]);
    expect(ledger.spentSince(0)).toBe(0.5);
    expect(ledger.requests({ run: "r1" }).map((row) => [row.model, row.route, row.sent])).toEqual([
      ["unknown", "cloud", "hello"],
      ["free", "local", null],
      ["dear", "cloud", "hello"],
    ]);
  });

  it("counts a request once, however often its end is told", () => {
    request("a");
    request("a");
    expect(ledger.hourly(0, Date.now() + 1).reduce((sum, row) => sum + row.n, 0)).toBe(1);
  });

  it("keeps sessions, rules and latencies beside the rows", () => {
    ledger.decision(decision());
    ledger.decision(decision({ level: "S3", route: "local", reason: "rule user/keyword" }));
    ledger.decision(
      decision({
        checkpoint: "onToolCallProposed",
        level: "S1",
        tool: "read",
        reason: "nothing private found",
      }),
    );
    request("a");
    const db = reader();
    try {
      expect(queries.sessions(db, { limit: 5 })).toMatchObject([
        { key: "agent:main:s", level: "S3", turns: 2, requests: 1, s2: 1, s3: 1, input: 10, usd: 0.5 },
      ]);
      expect(queries.ruleCounts(db, 5)).toEqual([
        { rule: "user/keyword", n: 2 },
        { rule: "contact/phone", n: 1 },
      ]);
      const kinds = queries.latency(db, 0, Date.now() + 1).map((row) => [row.kind, row.n]);
      expect(kinds).toEqual([
        ["firstToken", 1],
        ["judge", 2],
        ["privacy", 2],
        ["proxy", 1],
      ]);
    } finally {
      db.close();
    }
  });

  it("keeps no text when told so", () => {
    settings.keepText = false;
    ledger.decision(decision());
    request("a");
    expect(ledger.decisions({})[0]?.text).toBeNull();
    expect(ledger.requests({})[0]?.sent).toBeNull();
  });

  it("pages through a session's decisions and requests without gaps", () => {
    let at = Date.now();
    for (let i = 0; i < 25; i += 1) {
      ledger.decision(decision({ at: at++ }));
      request(`q${i}`, { at: at++ });
      if (i % 3 === 0) request(`p${i}`, { at: at - 5_000 });
    }
    const db = reader();
    try {
      const seen = new Set<string>();
      let before: queries.Place | undefined;
      for (;;) {
        const page = queries.timeline(db, { session: "agent:main:s", before, limit: 7 });
        for (const { kind, row } of page.items) seen.add(`${kind}${row.id}`);
        if (page.next === undefined) break;
        before = page.next;
      }
      expect(seen.size).toBe(25 + 25 + 9);
    } finally {
      db.close();
    }
  });

  it("gives the old back: by age and by number, a few at a time", () => {
    const old = Date.now() - 100 * 86_400_000;
    for (let i = 0; i < 700; i += 1) ledger.decision(decision({ at: old }));
    for (let i = 0; i < 1_500; i += 1) ledger.decision(decision());
    settings.maxEvents = 1_000;
    ledger.flush();
    const retention = (ledger as unknown as { retention: { step(): boolean } }).retention;
    let steps = 1;
    while (retention.step()) steps += 1;
    expect(steps).toBeGreaterThan(2);
    const db = reader();
    try {
      expect(db.prepare("SELECT count(*) AS n FROM decisions").get()).toEqual({ n: 1_000 });
      const sums = db.prepare("SELECT sum(n) AS n FROM hourly").get();
      expect(sums).toEqual({ n: 2_200 });
    } finally {
      db.close();
    }
  });

  it("is private, and moves a damaged file aside", () => {
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    ledger.close();
    writeFileSync(file(), "not a database at all, but long enough to be looked at as one");
    ledger = open();
    ledger.decision(decision());
    expect(ledger.decisions({})).toHaveLength(1);
    expect(readFileSync(file()).subarray(0, 6).toString()).toBe("SQLite");
  });
});

describe("search", () => {
  const find = (filter: Partial<Parameters<SearchIndex["find"]>[0]>) => {
    const db = reader();
    const index = new SearchIndex(db, file() + INDEX_SUFFIX);
    try {
      expect(index.sync(10_000)).toBe(true);
      return index.find({ limit: 50, ...filter });
    } finally {
      index.close();
      db.close();
    }
  };

  it("finds words, beginnings, Chinese, and by property", () => {
    ledger.decision(decision({ text: "请把 Quarterly_Report 发给客户经理，电话 [REDACTED:PHONE_1]" }));
    ledger.decision(decision({ text: "你好", level: "S3", route: "local", reason: "rule credentials/aws" }));
    ledger.decision(
      decision({ text: "hello", session: "other", tool: "exec", checkpoint: "onToolCallProposed" }),
    );
    expect(find({ text: "quarterly" })).toEqual([1]);
    expect(find({ text: "report qua" })).toEqual([1]);
    expect(find({ text: "客户经理" })).toEqual([1]);
    expect(find({ text: "客" })).toEqual([1]);
    expect(find({ text: "理" })).toEqual([1]);
    expect(find({ text: "户客" })).toEqual([]);
    expect(find({ text: "phone" })).toEqual([3, 1]);
    expect(find({ level: "S3" })).toEqual([2]);
    expect(find({ rule: "credentials/aws" })).toEqual([2]);
    expect(find({ checkpoint: "onToolCallProposed", session: "other" })).toEqual([3]);
    expect(find({ before: 3 })).toEqual([2, 1]);
    expect(find({ from: Date.now() + 60_000 })).toEqual([]);
    expect(find({ to: Date.now() + 60_000 })).toEqual([3, 2, 1]);
  });

  it("takes any query as text, never as a query language", () => {
    ledger.decision(decision());
    fc.assert(
      fc.property(fc.string({ maxLength: 60, unit: "grapheme" }), (text) => {
        expect(() => find({ text })).not.toThrow();
      }),
      { numRuns: 30 },
    );
    for (const text of ['" OR 1', "a AND", "NEAR(", "doc:x", "*", "^a", "\0"])
      expect(() => find({ text })).not.toThrow();
  });

  it("follows a ledger that was begun anew", () => {
    ledger.decision(decision({ text: "before" }));
    expect(find({ text: "before" })).toEqual([1]);
    ledger.close();
    for (const suffix of ["", "-wal", "-shm"]) rmSync(file() + suffix, { force: true });
    ledger = open();
    ledger.decision(decision({ text: "after" }));
    expect(find({ text: "before" })).toEqual([]);
    expect(find({ text: "after" })).toEqual([1]);
  });
});

describe("latency buckets", () => {
  it("hold their values within 10 %", () => {
    fc.assert(
      fc.property(fc.double({ min: 0.02, max: 600_000, noNaN: true }), (ms) => {
        const bound = boundOf(bucketOf(ms));
        expect(bound).toBeGreaterThanOrEqual(ms * 0.999999);
        expect(bound).toBeLessThanOrEqual(ms * 1.1001);
      }),
    );
    const one = (ms: number, n: number) => ({ bucket: bucketOf(ms), n, total: ms * n, max: ms });
    const sum = summarise([one(1, 90), one(100, 10)]);
    expect(sum?.p50Ms).toBeCloseTo(1, 0);
    expect(sum?.p95Ms).toBe(100);
    expect(sum?.meanMs).toBeCloseTo(10.9);
    expect(summarise([])).toBeUndefined();
  });
});
