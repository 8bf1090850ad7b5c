/** What the worker can be asked: everything that may take long, so that the gateway's own thread never waits. */
import type { DatabaseSync } from "node:sqlite";
import { isDamage } from "../ledger/faults.ts";
import { summarise } from "../ledger/latency.ts";
import * as queries from "../ledger/queries.ts";
import type { LatencyKind, LatencySummary } from "../ledger/rows.ts";
import { findWithoutIndex, type SearchFilter, type SearchIndex } from "../ledger/search-index.ts";
import { checkRules, type RulesQuestion } from "./check-rules.ts";
import { hourlyPoints } from "./hourly.ts";

export interface WorkerContext {
  db: DatabaseSync;
  index: () => SearchIndex;
}

/** Longest that a search waits for what is new to be taken in, in milliseconds. */
const SYNC_BUDGET_MS = 150;

export const JOBS = {
  summary({ db }: WorkerContext, { from, to }: { from: number; to: number }) {
    const latency: Partial<Record<LatencyKind, LatencySummary>> = {};
    const buckets = queries.latency(db, from, to);
    for (const kind of ["judge", "privacy", "proxy", "firstToken"] as const) {
      const sum = summarise(buckets.filter((row) => row.kind === kind));
      if (sum !== undefined) latency[kind] = sum;
    }
    return { rows: queries.totals(db, from, to), latency };
  },
  /** As JSON text: see `web/contract`. */
  hourly({ db }: WorkerContext, range: Parameters<typeof hourlyPoints>[1]) {
    return JSON.stringify(hourlyPoints(db, range));
  },
  search({ db, index }: WorkerContext, filter: SearchFilter) {
    const plain = findWithoutIndex(db, filter);
    if (plain !== undefined) return queries.decisionsByIds(db, plain);
    try {
      index().sync(SYNC_BUDGET_MS);
    } catch (error) {
      // A full disk: what is in it already can be found.
      if (isDamage(error)) throw error;
    }
    return queries.decisionsByIds(db, index().find(filter));
  },
  sessions({ db }: WorkerContext, filter: queries.SessionFilter) {
    return queries.sessions(db, filter);
  },
  facets({ db }: WorkerContext, _input: Record<string, never>) {
    return { rules: queries.ruleCounts(db, 100), counts: queries.facetCounts(db) };
  },
  recent({ db }: WorkerContext, { limit }: { limit: number }) {
    return queries.decisions(db, { limit });
  },
  replayable({ db }: WorkerContext, { limit }: { limit: number }) {
    return queries.replayable(db, limit);
  },
  rules(_context: WorkerContext, question: RulesQuestion) {
    return checkRules(question);
  },
} as const;

export type JobName = keyof typeof JOBS;
export type JobInput<J extends JobName> = Parameters<(typeof JOBS)[J]>[1];
export type JobResult<J extends JobName> = ReturnType<(typeof JOBS)[J]>;

/** A question on its way to the worker, and the answer. */
export interface Asked {
  id: number;
  job: JobName;
  input: unknown;
}
export type Answered = { id: number; value: unknown } | { id: number; error: string };
