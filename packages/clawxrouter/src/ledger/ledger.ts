/**
 * What happened: turns, detections and requests, for the statistics, the budget and the dashboard. No private value
 * is ever in it: texts are masked before they come. Writes are gathered for at most half a second, so that is the
 * most a SIGKILL can cost.
 */
import { rmSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import type { EgressEvent, EndEvent, ForwardEvent } from "../egress/types.ts";
import { isDamage, isRowsFault } from "./faults.ts";
import * as queries from "./queries.ts";
import { Retention } from "./retention.ts";
import type { AuditRow, DecisionRow, HourlyRow, StoredDecision, StoredRequest } from "./rows.ts";
import { moveAside, openLedger, removeAside } from "./schema.ts";
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
/** How long a lock of somebody else's is waited for, and the pause before the next try, in milliseconds. */
const LOCK_MS = 30;
const CLOSING_LOCK_MS = 1_000;
const AGAIN_MS = 1_000;
/** More than this waiting (a locked disk): the oldest are given up. */
const MAX_PENDING = 20_000;
const DEFAULTS = { keepText: true, retentionDays: 90, maxEvents: 1_000_000 };

export class Ledger {
  readonly file: string;
  private db: DatabaseSync;
  private writes: LedgerWrites;
  private retention: Retention;
  private readonly options: LedgerOptions;
  private begun = 0;
  private name: string;
  private readonly open = new Map<string, { event: ForwardEvent; run: string | undefined }>();
  private pending: (() => void)[] = [];
  private timer: NodeJS.Timeout | undefined;
  /** When the next try to write is worth it, after one that failed; on the clock of `performance`. */
  private notBefore = 0;

  /** @throws when the folder cannot be written */
  constructor(file: string, options: LedgerOptions) {
    this.file = file;
    this.options = options;
    [this.db, this.writes, this.retention] = this.begin();
    this.name = queries.ledgerId(this.db);
  }

  /** Raised when the file was given up as damaged and begun anew: who reads it opens it again. */
  generation(): number {
    return this.begun;
  }

  /** Names the ledger: another one, begun anew in the same place, has another name. */
  id(): string {
    return this.name;
  }

  /** The file is damaged: it is moved aside, and what follows goes into a new one. */
  renew(): void {
    this.retention.stop();
    this.db.close();
    moveAside(this.file);
    [this.db, this.writes, this.retention] = this.begin();
    this.name = queries.ledgerId(this.db);
    this.begun += 1;
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

  /**
   * Notes what somebody did through the dashboard; on disk when the call returns.
   * @throws when the disk is full or locked; the note is then written as soon as it can be
   */
  audit(action: string, source: string, detail: string): void {
    const at = (this.options.now ?? Date.now)();
    this.later(() => this.writes.audit(at, action, source, detail));
    this.flush();
  }

  /** All that was done through the dashboard, newest first. */
  auditTrail(): AuditRow[] {
    return this.read((db) => queries.audit(db, undefined, 1_000));
  }

  /** The same, page by page. */
  auditBefore(before: number | undefined, limit: number): AuditRow[] {
    return this.read((db) => queries.audit(db, before, limit));
  }

  /** Puts back what another ledger had on record. */
  restoreAudit(rows: readonly AuditRow[]): void {
    for (const { at, action, source, detail } of rows.toReversed())
      this.later(() => this.writes.audit(at, action, source, detail));
    this.settle();
  }

  timeline(filter: Parameters<typeof queries.timeline>[1]): queries.Timeline {
    return this.read((db) => queries.timeline(db, filter));
  }

  /** USD of priced requests since a time, by whole hours. */
  spentSince(at: number): number {
    return this.read((db) => queries.spentSince(db, hourOf(at)));
  }

  hourly(from: number, to: number): HourlyRow[] {
    return this.read((db) => queries.hourly(db, from, to));
  }

  /** Decisions, newest first. */
  decisions(filter: queries.DecisionFilter): StoredDecision[] {
    return this.read((db) => queries.decisions(db, filter));
  }

  decisionById(id: number): StoredDecision | undefined {
    return this.read((db) => queries.decisionById(db, id));
  }

  /** Requests, newest first. */
  requests(filter: queries.RequestFilter): StoredRequest[] {
    return this.read((db) => queries.requests(db, filter));
  }

  /** What was written after a place, oldest first: for streams. */
  after(place: queries.Place, filter: queries.StreamFilter, limit: number): queries.Fresh {
    return this.read((db) => queries.after(db, place, filter, limit));
  }

  /** Where the ledger stands now. */
  place(): queries.Place {
    return this.read((db) => queries.place(db));
  }

  /** Notes what a user said of a decision. */
  noteFeedback(id: number, what: string): void {
    this.later(() => this.writes.feedback(id, what));
    this.settle();
  }

  /** Whether somebody else moves the write-ahead log into the file: then this thread does not wait for the disk. */
  delegateCheckpoints(on: boolean): void {
    if (this.db.isOpen) this.db.exec(`PRAGMA wal_autocheckpoint = ${on ? DELEGATED_PAGES : OWN_PAGES}`);
  }

  /**
   * Writes what waits.
   * @throws when the disk is full or locked
   */
  flush(): void {
    while (this.pending.length > 0 && this.db.isOpen) this.writeBatch();
  }

  /** As {@link flush} before something is read: what cannot be written now is missing there, and nothing else. */
  settle(): void {
    if (performance.now() < this.notBefore) return;
    try {
      this.flush();
    } catch {
      this.notBefore = performance.now() + AGAIN_MS;
    }
  }

  close(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.retention.stop();
    if (!this.db.isOpen) return;
    try {
      this.db.exec(`PRAGMA busy_timeout = ${CLOSING_LOCK_MS}`);
      this.flush();
    } catch {
      // What waited is lost with a full or locked disk; whoever stops goes on stopping.
    } finally {
      this.db.close();
    }
  }

  /** Deletes a ledger that nobody has open, with its search index and what was moved aside. */
  static remove(file: string): void {
    for (const base of [file, file + INDEX_SUFFIX])
      for (const suffix of ["", "-wal", "-shm"]) rmSync(base + suffix, { force: true });
    removeAside(file);
  }

  private begin(): [DatabaseSync, LedgerWrites, Retention] {
    const db = openLedger(this.file);
    // This thread also carries the user's turns: it waits for nobody's lock.
    db.exec(`PRAGMA busy_timeout = ${LOCK_MS}`);
    const retention = new Retention(db, () => ({
      ...this.settings(),
      now: (this.options.now ?? Date.now)(),
    }));
    return [db, new LedgerWrites(db), retention];
  }

  /** Reads; of a file that turns out to be damaged nothing is left to read. */
  private read<T>(query: (db: DatabaseSync) => T): T {
    this.settle();
    try {
      return query(this.db);
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.renew();
      return query(this.db);
    }
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
        // A locked or full disk costs statistics, never a turn.
        this.schedule(AGAIN_MS);
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
      if (isDamage(error)) {
        this.renew();
        return;
      }
      if (this.db.isTransaction) this.db.exec("ROLLBACK");
      if (!isRowsFault(error)) throw error;
      // A row that cannot be written at all must not hold up those behind it.
      this.pending.splice(done, 1);
      return;
    }
    this.pending.splice(0, done);
  }
}
