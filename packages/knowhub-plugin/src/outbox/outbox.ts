import { randomUUID } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";

export type JobKind = "save" | "feedback" | "extract";

/** One request that must reach its destination exactly once. */
export interface Job {
  seq: number;
  /** Idempotency key: the same for every attempt. */
  key: string;
  /** Base URL of the server, '' for work of this process (embedded extraction). */
  origin: string;
  kind: JobKind;
  method: "POST" | "PUT";
  path: string;
  body: string;
  /** The ID an item has here until the server gives it one. */
  localId: string | undefined;
  state: "waiting" | "refused";
  attempts: number;
  nextAt: number;
  lastError: string;
  createdAt: number;
}

/** What a job is made of; key and times are given by the outbox. */
export type NewJob = Pick<Job, "origin" | "kind" | "method" | "path" | "body" | "localId">;

interface JobRow {
  seq: number;
  key: string;
  origin: string;
  kind: string;
  method: string;
  path: string;
  body: string;
  local_id: string | null;
  state: string;
  attempts: number;
  next_at: number;
  last_error: string;
  created_at: number;
}

/** Longer than any delivery takes: after it, whoever held the job is dead. */
export const LEASE_MS = 15_000;
/** No wait is longer (Retry-After counts up to an hour): a time further on was written before the clock was set back. */
const FAR = 7_200_000;
const FIRST_BACKOFF = 2_000;
const LONGEST_BACKOFF = 300_000;

/** The wait before attempt `attempts + 1`: exponential with full jitter in its upper half. */
export function backoff(attempts: number, random: () => number = Math.random): number {
  const ceiling = Math.min(FIRST_BACKOFF * 2 ** Math.min(attempts, 20), LONGEST_BACKOFF);
  return Math.round(ceiling * (0.5 + random() / 2));
}

/**
 * The durable queue of requests. A job is committed before the first attempt and removed only after the server said yes, so
 * that a killed process loses nothing; the key lets the server recognise what it has seen. Leases keep two processes
 * (gateway and command line) from sending the same job at the same time.
 */
export class Outbox {
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  /** Stores a job; inside a transaction of the caller it is committed with it. */
  enqueue(job: NewJob, now: number): number {
    const { lastInsertRowid } = this.#db
      .prepare(
        "INSERT INTO outbox (key, origin, kind, method, path, body, local_id, next_at, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
      )
      .run(randomUUID(), job.origin, job.kind, job.method, job.path, job.body, job.localId ?? null, now, now);
    return Number(lastInsertRowid);
  }

  /** Stores a job and gives it back. */
  add(job: NewJob, now: number): Job {
    const added = this.get(this.enqueue(job, now));
    if (!added) throw new Error("the outbox lost a job it had just stored");
    return added;
  }

  get(seq: number): Job | undefined {
    const row = this.#db.prepare("SELECT * FROM outbox WHERE seq = ?").get(seq) as JobRow | undefined;
    return row && fromRow(row);
  }

  /** Takes a job for delivery; false when somebody else has it or it is gone. */
  lease(seq: number, now: number): boolean {
    const { changes } = this.#db
      .prepare(
        "UPDATE outbox SET lease_until = ?, attempts = attempts + 1 WHERE seq = ? AND state = 'waiting' AND (lease_until <= ? OR lease_until > ?)",
      )
      .run(now + LEASE_MS, seq, now, now + FAR);
    return changes === 1;
  }

  /** The oldest job that is due. */
  nextDue(origin: string, now: number): Job | undefined {
    const row = this.#db
      .prepare(
        `SELECT * FROM outbox WHERE origin = ?1 AND state = 'waiting' AND (next_at <= ?2 OR next_at > ?3)
           AND (lease_until <= ?2 OR lease_until > ?3) ORDER BY seq LIMIT 1`,
      )
      .get(origin, now, now + FAR) as JobRow | undefined;
    return row && fromRow(row);
  }

  /** When the next job of an origin is due, ms since the epoch; undefined when none waits. */
  nextAt(origin: string): number | undefined {
    const row = this.#db
      .prepare(
        "SELECT min(max(next_at, lease_until)) AS at FROM outbox WHERE origin = ? AND state = 'waiting'",
      )
      .get(origin) as { at: number | null };
    return row.at ?? undefined;
  }

  /** The server has it: the job goes, its local ID becomes the server's. One transaction. */
  delivered(job: Job, remoteId: string | undefined, now: number): void {
    this.#db.exec("BEGIN IMMEDIATE");
    try {
      if (job.localId && remoteId) {
        this.#db
          .prepare("INSERT OR REPLACE INTO remote_ids (local_id, remote_id, at) VALUES (?, ?, ?)")
          .run(job.localId, remoteId, now);
      }
      this.#db.prepare("DELETE FROM outbox WHERE seq = ?").run(job.seq);
      this.#db.exec("COMMIT");
    } catch (error) {
      this.#db.exec("ROLLBACK");
      throw error;
    }
  }

  /** Tries again later. */
  postpone(job: Job, error: string, at: number): void {
    this.#db
      .prepare("UPDATE outbox SET lease_until = 0, next_at = ?, last_error = ? WHERE seq = ?")
      .run(at, error, job.seq);
  }

  /** The server will never take it: kept for a person to look at, not sent again. */
  refuse(job: Job, error: string): void {
    this.#db
      .prepare("UPDATE outbox SET state = 'refused', lease_until = 0, last_error = ? WHERE seq = ?")
      .run(error, job.seq);
  }

  /** Makes every waiting job of an origin due: its server answers again. */
  wake(origin: string, now: number): void {
    this.#db
      .prepare("UPDATE outbox SET next_at = ? WHERE origin = ? AND state = 'waiting' AND next_at > ?")
      .run(now, origin, now);
  }

  /** Puts refused jobs back into the queue. @returns how many */
  retry(now: number, seq?: number): number {
    const where = seq === undefined ? "state = 'refused' OR next_at > ?1" : "seq = ?2";
    const statement = this.#db.prepare(
      `UPDATE outbox SET state = 'waiting', lease_until = 0, next_at = ?1 WHERE ${where}`,
    );
    return Number((seq === undefined ? statement.run(now) : statement.run(now, seq)).changes);
  }

  drop(seq: number): boolean {
    return this.#db.prepare("DELETE FROM outbox WHERE seq = ?").run(seq).changes === 1;
  }

  list(limit = 50): Job[] {
    const rows = this.#db
      .prepare("SELECT * FROM outbox ORDER BY seq LIMIT ?")
      .all(limit) as unknown as JobRow[];
    return rows.map(fromRow);
  }

  depth(): { waiting: number; refused: number } {
    const row = this.#db
      .prepare(
        "SELECT count(*) FILTER (WHERE state = 'waiting') AS waiting, count(*) FILTER (WHERE state = 'refused') AS refused FROM outbox",
      )
      .get() as { waiting: number; refused: number };
    return { waiting: row.waiting, refused: row.refused };
  }

  /** The server's ID of an item saved here while it was down; undefined when it is not there yet. */
  remoteId(localId: string): string | undefined {
    const row = this.#db.prepare("SELECT remote_id FROM remote_ids WHERE local_id = ?").get(localId) as
      | { remote_id: string }
      | undefined;
    return row?.remote_id;
  }

  /** The job that carries an item under its local ID. */
  carrying(localId: string): Job | undefined {
    const row = this.#db.prepare("SELECT * FROM outbox WHERE local_id = ? AND kind = 'save'").get(localId) as
      | JobRow
      | undefined;
    return row && fromRow(row);
  }
}

function fromRow(row: JobRow): Job {
  return {
    seq: row.seq,
    key: row.key,
    origin: row.origin,
    kind: row.kind as JobKind,
    method: row.method as Job["method"],
    path: row.path,
    body: row.body,
    localId: row.local_id ?? undefined,
    state: row.state as Job["state"],
    attempts: row.attempts,
    nextAt: row.next_at,
    lastError: row.last_error,
    createdAt: row.created_at,
  };
}
