/**
 * The vault of shared-security, kept in SQLite and shared by every process of the installation (gateway, CLI,
 * `agent --local`): each reads what others wrote before it answers, and numbers are given under a database lock,
 * so a placeholder made in one process is known in all and never means two things.
 *
 * Nobody waits for that lock, because the event loop would wait with him. While another process has it, placeholders
 * count under a name of this process's own, and their rows are held back in a file (see `held.ts`) until it is free.
 */
import { createHash, randomInt } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { formatPlaceholder, type Vault, type VaultChange, type VaultEntry } from "@clawx/shared-security";
import { isSelfTestSession, SELFTEST_GLOBS } from "../selftest/names.ts";
import { openPrivateDatabase } from "./database.ts";
import { generationName } from "./generation.ts";
import { type HeldRow, HeldRows, leftBehind } from "./held.ts";
import { PersistentVault, selfTestName } from "./persistent-vault.ts";
import { PINNED, SCHEMA, type Statements, statements } from "./sql.ts";
import { VaultClock } from "./vault-clock.ts";
import { WriteLock } from "./write-lock.ts";

export { PersistentVault, PRIVATE_TEXT_TYPE, UNJUDGED_TYPE } from "./persistent-vault.ts";

/** Type of texts that are kept but not looked for; no other value has it. */
const QUIET_TYPE = "NOTE";

/** File of the vault in `<stateDir>/clawxrouter/`. */
export const VAULT_FILE_NAME = "vault.sqlite";

export interface VaultStoreOptions {
  /** Values held in memory; older ones stay on disk and are found by their token. */
  maxValues: number;
  /** Rows older than this are deleted at opening; 0 keeps all. */
  retentionDays: number;
  now?: () => number;
}

const DAY_MS = 86_400_000;
const TRACE_DAYS = 7;
/** Rows that were held back and are written at once. */
const BATCH = 100;

/** Values written by this process, by whichever store of it. */
let writes = 0;

type Row = VaultEntry & { id: number };

export class VaultStore {
  readonly vault: PersistentVault;
  /** Set when a damaged database was moved aside at opening: where it is now. */
  readonly movedAside: string | undefined;
  private readonly file: string;
  private readonly db: DatabaseSync;
  private readonly sql: Statements;
  private readonly clock: VaultClock;
  private readonly retentionDays: number;
  private readonly held: HeldRows;
  /** Names the placeholders that this process makes on its own. */
  private readonly ownName =
    `X${Array.from({ length: 8 }, () => randomInt(36).toString(36)).join("")}`.toUpperCase();
  /** Tells the placeholders of this vault from those of one that is lost. */
  private readonly generation: string;
  private ownNotes = 0;
  private readonly lock: WriteLock;
  private readonly meta = new Map<string, string>();
  private lastEntry = 0;
  private busy = false;
  /** While a placeholder is made that cannot be written yet. */
  private isHolding = false;
  /** Count of {@link writes} at the last look for what others added; undefined when a look is due. */
  private pulledAt: number | undefined;

  /** @throws when the folder of `file` cannot be written */
  constructor(file: string, options: VaultStoreOptions) {
    this.file = file;
    this.retentionDays = options.retentionDays;
    this.held = new HeldRows(file, this.ownName);
    const opened = openPrivateDatabase(file, SCHEMA);
    this.db = opened.db;
    this.movedAside = opened.movedAside;
    this.sql = statements(this.db);
    this.generation = generationName(this.db, file);
    this.clock = new VaultClock(this.db, this.sql, options.now ?? Date.now);
    this.lock = new WriteLock(this.db, {
      isEmpty: () => this.held.size === 0,
      write: (all) => this.writeHeld(all ? this.held.size : BATCH),
    });
    this.lock.do("opening", () => this.tidy());
    this.vault = new PersistentVault(this, options.maxValues);
    this.load(options.maxValues);
  }

  /** Notes which conversation the requests of a W3C trace belong to. */
  rememberTrace(traceId: string, session: string): void {
    this.lock.do(`trace ${traceId}`, () => this.sql.putTrace.run(traceId, session, this.clock.rowTime()));
  }

  sessionOfTrace(traceId: string): string | undefined {
    return (this.sql.trace.get(traceId) as { session: string } | undefined)?.session;
  }

  /** Small durable facts of the plugin itself, e.g. the base of the memory merge. */
  getMeta(key: string): string | undefined {
    return this.meta.get(key) ?? (this.sql.getMeta.get(key) as { value: string } | undefined)?.value;
  }

  setMeta(key: string, value: string): void {
    this.meta.set(key, value);
    this.lock.do(`meta ${key}`, () => {
      this.sql.putMeta.run(key, value);
      this.meta.delete(key);
    });
  }

  /** The base of a memory merge, and the placeholders in its clean text: their rows do not grow old while it stands. */
  setBase(key: string, text: string, tokens: readonly string[]): void {
    if (this.getMeta(key) !== text) this.setMeta(key, text);
    const pinned = JSON.stringify(tokens);
    if (this.getMeta(`${PINNED}${key}`) !== pinned) this.setMeta(`${PINNED}${key}`, pinned);
  }

  /** Values that are kept: on disk, and those on their way there. */
  size(): number {
    const { n } = this.db.prepare("SELECT count(*) AS n FROM entries").get() as { n: number };
    return n + this.held.size;
  }

  /** Conversations with at least one value, latest first, and how many each has. */
  sessions(): { session: string; values: number }[] {
    const rows = this.db
      .prepare("SELECT session, count(*) AS n FROM entries GROUP BY session ORDER BY max(id) DESC")
      .all();
    return (rows as { session: string; n: number }[]).map(({ session, n }) => ({ session, values: n }));
  }

  /**
   * A value that a user says is not private: it is no longer looked for, in any conversation. Its placeholders in
   * transcripts can still be turned back.
   */
  stopLooking(value: string): void {
    const hash = hashOf(value);
    this.held.silence(value);
    this.lock.do(`quiet ${hash.toString("hex")}`, () =>
      this.db.prepare("UPDATE entries SET quiet = 1 WHERE hash = ?").run(hash),
    );
    for (const entry of [...this.vault.entries()]) if (entry.value === value) this.vault.remove(entry.token);
  }

  /** Takes out the values of self-tests: made up, and told of to nobody. Their numbers stay used. */
  forgetSelfTests(): void {
    for (const entry of [...this.vault.entries()])
      if (isSelfTestSession(entry.session)) this.vault.remove(entry.token);
    this.lock.do("self-tests", () => {
      for (const glob of SELFTEST_GLOBS) this.sql.forget.run(glob);
    });
  }

  close(): void {
    if (!this.db.isOpen) return;
    this.lock.close();
    this.held.close();
    this.db.close();
  }

  /**
   * Part of {@link PersistentVault}: takes in what others added; once for all that runs without a pause. What somebody
   * else wrote before his request reached us was there when this run of ours began.
   */
  pull(vault: Vault): void {
    if (this.busy || this.pulledAt === writes) return;
    this.pulledAt = writes;
    queueMicrotask(() => {
      this.pulledAt = undefined;
    });
    this.take(vault);
  }

  private take(vault: Vault): void {
    if (this.busy) return;
    this.busy = true;
    try {
      for (const row of this.sql.after.all(this.lastEntry) as unknown as Row[]) {
        const { id, ...entry } = row;
        this.lastEntry = id;
        vault.load(entry);
      }
    } finally {
      this.busy = false;
    }
  }

  /**
   * Part of {@link PersistentVault}: runs `work` while no other process can give numbers, or so that its numbers are
   * nobody else's.
   */
  locked<T>(vault: Vault, work: () => T): T {
    if (this.isHolding) return work();
    return this.lock.with(
      () => {
        this.take(vault);
        return work();
      },
      () => this.holding(work),
    );
  }

  private holding<T>(work: () => T): T {
    this.isHolding = true;
    try {
      return work();
    } finally {
      this.isHolding = false;
    }
  }

  /** Part of {@link PersistentVault}: under which name a new placeholder counts. */
  countedAs(type: string): string {
    const name = this.isHolding ? this.ownName : this.generation;
    return name === "" ? type : `${type.slice(0, 31 - name.length)}_${name}`;
  }

  /** Part of {@link PersistentVault}. */
  write(change: VaultChange): void {
    // Out of memory is not out of the vault: transcripts still hold the token. Rows go by age (`retentionDays`).
    if (change.kind === "remove") return;
    writes += 1;
    const { entry, counterName, counter } = change;
    const row: HeldRow = { ...entry, at: this.clock.rowTime(), quiet: 0, counterName, counter };
    if (this.isHolding) this.held.add(row);
    else this.insert(row);
  }

  /** Part of {@link PersistentVault}. */
  keepQuietly(text: string, session: string): string {
    const isThis = (row: HeldRow) => row.quiet === 1 && row.value === text && row.session === session;
    const known =
      this.held.find(isThis) ?? (this.sql.quiet.get(session, hashOf(text)) as { token: string } | undefined);
    if (known !== undefined) return known.token;
    const counted = this.countedAs(isSelfTestSession(session) ? selfTestName(QUIET_TYPE) : QUIET_TYPE);
    const counterName = `S3:${counted}`;
    const counter = this.isHolding ? ++this.ownNotes : (this.sql.next.get(counterName) as { n: number }).n;
    const token = formatPlaceholder("S3", counted, counter);
    const entry = { token, value: text, type: QUIET_TYPE, level: "S3", session } as const;
    const row: HeldRow = { ...entry, at: this.clock.rowTime(), quiet: 1, counterName, counter };
    if (this.isHolding) this.held.add(row);
    else this.insert(row);
    return token;
  }

  /** Part of {@link PersistentVault}. */
  read(token: string): VaultEntry | undefined {
    const row =
      this.held.find((held) => held.token === token) ?? (this.sql.byToken.get(token) as Row | undefined);
    if (row === undefined) return undefined;
    const { value, type, level, session } = row;
    return { token, value, type, level, session };
  }

  private insert({ token, value, type, level, session, at, quiet, counterName, counter }: HeldRow): void {
    const hash = hashOf(value);
    // A value that was S2 until now has an older token: that one is private from here on, too.
    if (level === "S3" && quiet === 0) this.sql.raise.run(session, hash);
    const { changes, lastInsertRowid } = this.sql.insert.run(
      token,
      value,
      hash,
      type,
      level,
      session,
      at,
      quiet,
    );
    this.sql.counter.run(counterName, counter);
    if (changes === 0 && this.read(token)?.value !== value)
      throw new Error("a placeholder of the vault was given twice");
    // Quiet rows are not looked for, so others' rows before them need not have been taken in.
    if (changes === 1 && quiet === 0) this.lastEntry = Math.max(this.lastEntry, Number(lastInsertRowid));
  }

  private load(maxValues: number): void {
    const counters = this.db.prepare("SELECT name, n FROM counters").all() as { name: string; n: number }[];
    this.vault.loadCounters(Object.fromEntries(counters.map(({ name, n }) => [name, n])));
    const last = this.db.prepare("SELECT max(id) AS id FROM entries").get() as { id: number | null };
    this.lastEntry = Math.max(0, (last.id ?? 0) - maxValues);
    this.take(this.vault);
  }

  /** Writes the first rows that were held back. */
  private writeHeld(count: number): void {
    this.take(this.vault);
    const rows = this.held.first(count);
    for (const row of rows) this.insert(row);
    this.lock.whenWritten(() => this.held.written(rows.length));
  }

  /** What is done at opening: the rows of who was killed, and what is too old. */
  private tidy(): void {
    const { rows, done } = leftBehind(this.file);
    const { lastEntry } = this;
    for (const row of rows) this.insert(row);
    // They are still to be loaded.
    this.lastEntry = lastEntry;
    this.lock.whenWritten(done);
    const high = this.clock.note();
    if (this.retentionDays > 0) this.sql.forgetOld.run(high - this.retentionDays * DAY_MS);
    this.db.prepare("DELETE FROM traces WHERE at < ?").run(high - TRACE_DAYS * DAY_MS);
  }
}

function hashOf(value: string): Buffer {
  return createHash("sha256").update(value).digest();
}
