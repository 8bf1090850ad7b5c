/** The time by which the vault's rows grow old, noted in the vault itself. See `clock.ts` for what is believed. */
import type { DatabaseSync } from "node:sqlite";
import { believe, type KnownTime, readKnownTime } from "./clock.ts";
import type { Statements } from "./sql.ts";

/** How often the time is noted while the vault is in use, in milliseconds. */
const NOTE_MS = 3_600_000;
/** Key in `meta`. */
const KEY = "clock";

export class VaultClock {
  private readonly db: DatabaseSync;
  private readonly sql: Statements;
  private readonly now: () => number;
  private known: KnownTime | undefined;

  constructor(db: DatabaseSync, sql: Statements, now: () => number) {
    this.db = db;
    this.sql = sql;
    this.now = now;
  }

  /**
   * Notes what the clock says, as far as it is to be believed; within a transaction.
   * @returns the latest time that is believed, epoch milliseconds
   */
  note(): number {
    const kept = this.sql.getMeta.get(KEY) as { value: string } | undefined;
    this.known = believe(this.now(), readKnownTime(kept?.value) ?? this.timeOfRows());
    this.sql.putMeta.run(KEY, JSON.stringify(this.known));
    return this.known.high;
  }

  /** The time for a row: a clock that was set back does not make new rows the oldest of all. */
  rowTime(): number {
    const now = this.now();
    const high = this.known?.high ?? now;
    // In use the time is noted again and again, so that a gateway that runs for a month is not taken for a jump.
    if (now > high + NOTE_MS && this.db.isTransaction) this.note();
    return Math.max(now, high);
  }

  /** A vault of before times were noted was last used when its last row was written. */
  private timeOfRows(): KnownTime | undefined {
    const { at } = this.db.prepare("SELECT max(at) AS at FROM entries").get() as { at: number | null };
    return at === null ? undefined : { high: at };
  }
}
