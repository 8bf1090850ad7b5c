/**
 * The write lock of the vault's database, asked for and never waited for: what cannot be written now is written when the
 * lock is free, and whoever cannot wait is told to hold back.
 */
import type { DatabaseSync } from "node:sqlite";

/** Longest wait for a lock, in milliseconds: the event loop waits too. Not even this while it is known to be held. */
const BUSY_MS = 5;
/** How often a lock that was held is asked for again, in milliseconds. */
const RETRY_MS = 100;

/** What waits beside the works of {@link WriteLock.do}. */
export interface Backlog {
  isEmpty(): boolean;
  /** Writes a part of it, within a transaction. */
  write(all: boolean): void;
}

export class WriteLock {
  private readonly db: DatabaseSync;
  private readonly backlog: Backlog;
  private readonly later = new Map<string, () => unknown>();
  private readonly after: (() => void)[] = [];
  private waits = true;
  private timer: NodeJS.Timeout | undefined;

  constructor(db: DatabaseSync, backlog: Backlog) {
    this.db = db;
    this.backlog = backlog;
    db.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
  }

  /**
   * Runs `work` in a transaction, which a throw takes back.
   * @param otherwise runs instead, without one, when another process has the lock
   */
  with<T>(work: () => T, otherwise: () => T): T {
    if (this.db.isTransaction) return work();
    return this.begin() ? this.commit(work) : otherwise();
  }

  /** Does something to the database, or does it when the lock is free; of two with one name the later one. */
  do(name: string, work: () => unknown): void {
    this.later.delete(name);
    this.with(work, () => this.later.set(name, work));
  }

  /** Within a transaction: `work` runs when it is on disk, and not at all when it fails. */
  whenWritten(work: () => void): void {
    this.after.push(work);
  }

  /** A last try to write what waits. */
  close(): void {
    clearTimeout(this.timer);
    this.writeLater(true);
    clearTimeout(this.timer);
  }

  private begin(): boolean {
    try {
      this.db.exec("BEGIN IMMEDIATE");
    } catch (error) {
      if (!isLocked(error)) throw error;
      this.wait(false);
      this.retry();
      return false;
    }
    this.wait(true);
    return true;
  }

  private commit<T>(work: () => T): T {
    this.after.length = 0;
    try {
      const result = work();
      this.db.exec("COMMIT");
      for (const then of this.after.splice(0)) then();
      return result;
    } catch (error) {
      if (this.db.isTransaction) this.db.exec("ROLLBACK");
      throw error;
    }
  }

  /** Who has the lock for long is not waited for again and again. */
  private wait(waits: boolean): void {
    if (this.waits === waits) return;
    this.waits = waits;
    this.db.exec(`PRAGMA busy_timeout = ${waits ? BUSY_MS : 0}`);
  }

  private retry(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.writeLater(false);
    }, RETRY_MS).unref();
  }

  /** Writes what waits, or a part of it and the rest a little later. Never throws. */
  private writeLater(all: boolean): void {
    if (this.backlog.isEmpty() && this.later.size === 0) return;
    try {
      if (!this.begin()) return;
      const works = [...this.later];
      this.commit(() => {
        this.backlog.write(all);
        for (const [, work] of works) work();
      });
      for (const [name, work] of works) if (this.later.get(name) === work) this.later.delete(name);
    } catch {
      // A full disk, say: what waits goes on waiting, and whoever writes next is told.
    }
    if (!this.backlog.isEmpty() || this.later.size > 0) this.retry();
  }
}

/** SQLITE_BUSY or SQLITE_LOCKED, with their extended codes (sqlite.org/rescode.html). */
function isLocked(error: unknown): boolean {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return false;
  const primary = error.errcode & 0xff;
  return primary === 5 || primary === 6;
}
