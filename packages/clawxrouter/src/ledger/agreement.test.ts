/** Numbers that stand at several places of the page are the same numbers. */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hourlyPoints } from "../dashboard-worker/hourly.ts";
import { Ledger } from "./ledger.ts";
import * as queries from "./queries.ts";
import { byLevel } from "./sums.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.parse("2026-11-30T14:23:45Z");
const DAYS = 60;

let dir: string;
let ledger: Ledger;
let db: DatabaseSync;
const settings = { keepText: true, retentionDays: 90, maxEvents: 1_000_000 };

beforeAll(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), "clawx-agreement-"));
  ledger = new Ledger(path.join(dir, "ledger.sqlite"), {
    price: () => 0.25,
    settings: () => settings,
    now: () => NOW,
  });
  for (let i = 0; i < 4_000; i += 1) {
    const at = NOW - Math.floor((DAYS * DAY * (3_999 - i)) / 4_000);
    const level = (["S1", "S2", "S3"] as const)[i % 3] ?? "S1";
    ledger.decision({
      at,
      session: "agent:main:s",
      agent: "main",
      run: `r${i}`,
      checkpoint: i % 5 === 0 ? "onToolCallExecuted" : "onUserMessage",
      level,
      action: "passthrough",
      router: "privacy",
      route: level === "S3" ? "local" : "cloud",
      provider: undefined,
      model: undefined,
      tier: undefined,
      tool: undefined,
      reason: `rule a${i % 7}`,
      degraded: undefined,
      ms: 1,
      routers: [],
      text: `text ${i}`,
    });
  }
  ledger.flush();
  db = new DatabaseSync(path.join(dir, "ledger.sqlite"), { readOnly: true });
});
afterAll(() => {
  db?.close();
  ledger?.close();
  rmSync(dir, { recursive: true, force: true });
});

describe("the chart's bars together are the figures above it", () => {
  it.each(["UTC", "Asia/Shanghai", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe"])(
    "in %s, for every range of the page, whenever it is looked at",
    (zone) => {
      for (const days of [1, 7, 30])
        for (const to of [NOW, NOW - 5 * HOUR, NOW - 13 * HOUR, NOW - 20 * HOUR]) {
          const from = to - days * DAY;
          const step = days === 1 ? "hour" : "day";
          const points = hourlyPoints(db, { from, to, step, zone });
          const turns = queries.totals(db, from, to).filter(({ kind }) => kind === "onUserMessage");
          const sum = { S1: 0, S2: 0, S3: 0 };
          for (const point of points.turns)
            for (const level of ["S1", "S2", "S3"] as const) sum[level] += point.byLevel[level];
          expect(sum).toEqual(byLevel(turns));
          expect(sum.S1).toBeGreaterThan(0);
          expect(points.starts.length).toBeGreaterThanOrEqual(days);
          for (const { at } of points.turns) expect(points.starts).toContain(at);
        }
    },
  );
});

describe("the counts beside the filters are those of the log", () => {
  const counted = () => {
    const levels = db
      .prepare("SELECT level, count(*) AS n FROM decisions GROUP BY level ORDER BY level")
      .all();
    const facets = queries.facetCounts(db);
    return {
      levels: levels.map(({ level, n }) => [level, n]),
      facets: ["S1", "S2", "S3"].map((level) => [
        level,
        facets.filter((row) => row.level === level).reduce((sum, row) => sum + row.n, 0),
      ]),
      rules: queries.ruleCounts(db, 100).reduce((sum, { n }) => sum + n, 0),
      total: (db.prepare("SELECT count(*) AS n FROM decisions").get() as { n: number }).n,
    };
  };

  it("also when old ones were deleted, by age and by number", () => {
    const retention = (ledger as unknown as { retention: { step(): boolean } }).retention;
    for (const change of [{}, { retentionDays: 30 }, { maxEvents: 500 }, { maxEvents: 1 }]) {
      Object.assign(settings, change);
      while (retention.step());
      const { levels, facets, rules, total } = counted();
      expect(facets.filter(([, n]) => n !== 0)).toEqual(levels);
      expect(rules).toBe(total);
    }
  });
});
