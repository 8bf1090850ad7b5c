/**
 * What happened: turns, detections and requests, for the statistics, the budget and the dashboard. No private value
 * is ever in it: texts are masked before they come. Writes are gathered for at most half a second, so that is the
 * most a SIGKILL can cost.
 */
import { rmSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import type { EgressEvent, EndEvent, ForwardEvent } from "../egress/types.ts";
import * as queries from "./queries.ts";
import { Retention } from "./retention.ts";
import type { AuditRow, DecisionRow, HourlyRow, StoredDecision, StoredRequest } from "./rows.ts";
import { openLedger } from "./schema.ts";
import { INDEX_SUFFIX } from "./search-index.ts";
import { hourOf, LedgerWrites } from "./writes.ts";

export type { DecisionRow, HourlyRow } from "./rows.ts";
export { LEDGER_FILE_NAME } from "./schema.ts";

export interface LedgerOptions {
  /** Price of a finished request in USD; undefined when unknown. */
  price: (forward: ForwardEvent, end: EndEvent) => number | undefined;
  /** What it would have cost at the default model; undefined when unknown. */
  baseline?: (forward: ForwardEvent, end: EndEvent) => number | undefined;
  /** Live. Default: texts kept, 90 days, a million events. */
  settings?: () => { keepText: boolean; retentionDays: number; maxEvents: number };
  now?: () => number;
}

/** Longest time a row waits for others before it is written, in milliseconds. */
const FLUSH_MS = 500;
/** How long and how many rows are written in one go; more are left to the next turn of the event loop. */
const BATCH_MS = 8;
const BATCH = 300;
/** Pages of the write-ahead log before this thread moves them itself: by itself, and as a last resort. */
const OWN_PAGES = 1_000;
const DELEGATED_PAGES = 16_000;
/** More than this waiting (a locked disk): the oldest are given up. */
const MAX_PENDING = 20_000;
const DEFAULTS = { keepText: true, retentionDays: 90, maxEvents: 1_000_000 };

export class Ledger {
  readonly file: string;
  private readonly db: DatabaseSync;
  private readonly writes: LedgerWrites;
  private readonly options: LedgerOptions;
  private readonly retention: Retention;
  private readonly open = new Map<string, { event: ForwardEvent; run: string | undefined }>();
  private pending: (() => void)[] = [];
  private timer: NodeJS.Timeout | undefined;

  /** @throws when the folder cannot be written */
  constructor(file: string, options: LedgerOptions) {
    this.file = file;
    this.options = options;
    this.db = openLedger(file);
    this.writes = new LedgerWrites(this.db);
    this.retention = new Retention(this.db, () => ({
      ...this.settings(),
      now: (options.now ?? Date.now)(),
    }));
  }

  decision(row: DecisionRow): void {
    const kept = this.settings().keepText ? row : { ...row, text: undefined };
    this.later(() => this.writes.decision(kept));
  }

  /** @param run the turn that the request belongs to */
  egress(event: EgressEvent, run?: string): void {
    switch (event.kind) {
      case "forward":
        this.open.set(event.requestId, { event, run });
        if (this.open.size > 10_000) this.open.delete(this.open.keys().next().value ?? "");
        return;
      case "end": {
        const begun = this.open.get(event.requestId);
        this.open.delete(event.requestId);
        if (begun !== undefined) this.finish(begun.event, event, begun.run);
        return;
      }
      case "refused":
        this.later(() => this.writes.refused(event, run));
    }
  }

  /** Notes what somebody did through the dashboard; on disk when the call returns. */
  audit(action: string, source: string, detail: string): void {
    const at = (this.options.now ?? Date.now)();
    this.later(() => this.writes.audit(at, action, source, detail));
    this.flush();
  }

  /** All that was done through the dashboard, newest first. */
  auditTrail(): AuditRow[] {
    this.flush();
    return queries.audit(this.db, undefined, 1_000);
  }

  /** The same, page by page. */
  auditBefore(before: number | undefined, limit: number): AuditRow[] {
    this.flush();
    return queries.audit(this.db, before, limit);
  }

  /** Puts back what another ledger had on record. */
  restoreAudit(rows: readonly AuditRow[]): void {
    for (const { at, action, source, detail } of rows.toReversed())
      this.later(() => this.writes.audit(at, action, source, detail));
    this.flush();
  }

  timeline(filter: Parameters<typeof queries.timeline>[1]): queries.Timeline {
    this.flush();
    return queries.timeline(this.db, filter);
  }

  /** USD of priced requests since a time, by whole hours. */
  spentSince(at: number): number {
    this.flush();
    return queries.spentSince(this.db, hourOf(at));
  }

  hourly(from: number, to: number): HourlyRow[] {
    this.flush();
    return queries.hourly(this.db, from, to);
  }

  /** Decisions, newest first. */
  decisions(filter: queries.DecisionFilter): StoredDecision[] {
    this.flush();
    return queries.decisions(this.db, filter);
  }

  decisionById(id: number): StoredDecision | undefined {
    this.flush();
    return queries.decisionById(this.db, id);
  }

  /** Requests, newest first. */
  requests(filter: queries.RequestFilter): StoredRequest[] {
    this.flush();
    return queries.requests(this.db, filter);
  }

  /** What was written after a place, oldest first: for streams. */
  after(place: queries.Place, filter: queries.StreamFilter, limit: number): queries.Fresh {
    this.flush();
    return queries.after(this.db, place, filter, limit);
  }

  /** Where the ledger stands now. */
  place(): queries.Place {
    this.flush();
    return queries.place(this.db);
  }

  /** Notes what a user said of a decision. */
  noteFeedback(id: number, what: string): void {
    this.flush();
    this.db.prepare("UPDATE decisions SET feedback = ? WHERE id = ?").run(what.slice(0, 200), id);
  }

  /** Whether somebody else moves the write-ahead log into the file: then this thread does not wait for the disk. */
  delegateCheckpoints(on: boolean): void {
    if (this.db.isOpen) this.db.exec(`PRAGMA wal_autocheckpoint = ${on ? DELEGATED_PAGES : OWN_PAGES}`);
  }

  /** Writes what waits. */
  flush(): void {
    while (this.pending.length > 0 && this.db.isOpen) this.writeBatch();
  }

  close(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.retention.stop();
    try {
      this.flush();
    } finally {
      if (this.db.isOpen) this.db.close();
    }
  }

  /** Deletes a ledger that nobody has open, with its search index. */
  static remove(file: string): void {
    for (const base of [file, file + INDEX_SUFFIX])
      for (const suffix of ["", "-wal", "-shm"]) rmSync(base + suffix, { force: true });
  }

  private finish(forward: ForwardEvent, end: EndEvent, run: string | undefined): void {
    // A failed request costs nothing that the provider told of; it is known to be free.
    const usd = end.outcome === "ok" ? this.options.price(forward, end) : 0;
    const baselineUsd = end.outcome === "ok" ? this.options.baseline?.(forward, end) : 0;
    const { keepText } = this.settings();
    this.later(() => this.writes.request(forward, end, run, { usd, baselineUsd }, keepText));
  }

  private settings(): { keepText: boolean; retentionDays: number; maxEvents: number } {
    return this.options.settings?.() ?? DEFAULTS;
  }

  private later(write: () => void): void {
    this.pending.push(write);
    if (this.pending.length > MAX_PENDING) this.pending.splice(0, this.pending.length - MAX_PENDING);
    this.retention.due();
    this.schedule(FLUSH_MS);
  }

  private schedule(ms: number): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      try {
        if (this.db.isOpen && this.pending.length > 0) this.writeBatch();
        if (this.pending.length > 0) this.schedule(1);
      } catch {
        // A locked or full disk costs statistics, never a turn; it is tried again with the next event.
      }
    }, ms).unref();
  }

  /** @throws when the disk is full or locked; what was to be written waits on */
  private writeBatch(): void {
    const started = performance.now();
    let done = 0;
    this.db.exec("BEGIN IMMEDIATE");
    try {
      for (const write of this.pending.slice(0, BATCH)) {
        write();
        done += 1;
        if (done % 16 === 0 && performance.now() - started > BATCH_MS) break;
      }
      this.db.exec("COMMIT");
    } catch (error) {
      if (this.db.isTransaction) this.db.exec("ROLLBACK");
      throw error;
    }
    this.pending.splice(0, done);
  }
}
