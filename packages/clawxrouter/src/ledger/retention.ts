/** Deletes old rows a few at a time, so that nobody waits for it. The hourly sums stay. */
import type { DatabaseSync, StatementSync } from "node:sqlite";

const EVERY_MS = 10 * 60_000;
/** Rows deleted at once, and the pause until the next ones, in milliseconds. */
const CHUNK = 60;
const PAUSE_MS = 20;
const DAY = 86_400_000;
/** What was done through the dashboard is kept for a year. */
const AUDIT_DAYS = 366;

export interface RetentionSettings {
  retentionDays: number;
  maxEvents: number;
  now: number;
}

export class Retention {
  private readonly db: DatabaseSync;
  private readonly settings: () => RetentionSettings;
  private readonly sql: readonly { old: StatementSync; many: StatementSync }[];
  private readonly forget: StatementSync;
  private last = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(db: DatabaseSync, settings: () => RetentionSettings) {
    this.db = db;
    this.settings = settings;
    this.sql = ["decisions", "requests"].map((table) => ({
      old: db.prepare(
        `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE at < ? ORDER BY at LIMIT ${CHUNK}) RETURNING ${table === "decisions" ? "rules" : "'[]' AS rules"}`,
      ),
      many: db.prepare(
        `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE id <= (SELECT max(id) FROM ${table}) - ? ORDER BY id LIMIT ${CHUNK}) RETURNING ${table === "decisions" ? "rules" : "'[]' AS rules"}`,
      ),
    }));
    this.forget = db.prepare("UPDATE rules SET n = n - 1 WHERE rule = ?");
  }

  /** Looks from time to time whether there is something to delete. */
  due(): void {
    const { now } = this.settings();
    const since = now - this.last;
    // A clock that was set back must not put it off for as long.
    if (this.timer !== undefined || (since >= 0 && since < EVERY_MS)) return;
    this.last = now;
    this.again();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** One chunk. @returns whether there may be more */
  step(): boolean {
    if (!this.db.isOpen) return false;
    const { retentionDays, maxEvents, now } = this.settings();
    const before = now - retentionDays * DAY;
    let most = 0;
    this.db.exec("BEGIN IMMEDIATE");
    try {
      for (const { old, many } of this.sql)
        for (const gone of [old.all(before), many.all(maxEvents)]) {
          most = Math.max(most, gone.length);
          // The menu of rules counts what the log shows.
          for (const row of gone)
            for (const rule of JSON.parse(String(row.rules)) as string[]) this.forget.run(rule);
        }
      this.db.exec("COMMIT");
    } catch (error) {
      if (this.db.isTransaction) this.db.exec("ROLLBACK");
      throw error;
    }
    if (most >= CHUNK) return true;
    this.db.exec("DELETE FROM rules WHERE n <= 0");
    this.db.prepare("DELETE FROM sessions WHERE lastAt < ?").run(before);
    this.db.prepare("DELETE FROM audit WHERE at < ?").run(now - AUDIT_DAYS * DAY);
    return false;
  }

  private again(): void {
    this.timer = setTimeout(() => {
      this.timer = undefined;
      try {
        if (this.step()) this.again();
      } catch {
        // A locked file: the next look does it.
      }
    }, PAUSE_MS).unref();
  }
}
