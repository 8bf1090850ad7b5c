/**
 * The vault of shared-security, kept in SQLite and shared by every process of the installation (gateway, CLI,
 * `agent --local`): each reads what others wrote before it answers, and numbers are given under a database lock,
 * so a placeholder made in one process is known in all and never means two things.
 */
import { createHash } from "node:crypto";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import {
  type Finding,
  formatPlaceholder,
  type PrivateLevel,
  Vault,
  type VaultChange,
  type VaultEntry,
} from "@clawx/shared-security";
import { openPrivateDatabase } from "./database.ts";
import { saysNothing } from "./telling.ts";

/** Type of a placeholder that stands for a whole private text or a part of one. */
export const PRIVATE_TEXT_TYPE = "TEXT";
/** A text of fewer characters is an everyday one (fewer say as much in Chinese, Japanese and Korean). */
const TELLING_LENGTH = 24;
const TELLING_LENGTH_CJK = 12;

function isEveryday(text: string): boolean {
  return (
    text.length <
    (/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/.test(text) ? TELLING_LENGTH_CJK : TELLING_LENGTH)
  );
}

/** Type of texts that are kept but not looked for; no other value has it. */
const QUIET_TYPE = "NOTE";

/** File of the vault in `<stateDir>/clawxrouter/`. */
export const VAULT_FILE_NAME = "vault.sqlite";

const SCHEMA = `
CREATE TABLE IF NOT EXISTS counters (name TEXT PRIMARY KEY, n INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS entries (
  id INTEGER PRIMARY KEY AUTOINCREMENT, token TEXT NOT NULL UNIQUE, value TEXT NOT NULL, hash BLOB NOT NULL,
  type TEXT NOT NULL, level TEXT NOT NULL, session TEXT NOT NULL, at INTEGER NOT NULL,
  quiet INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX IF NOT EXISTS entries_hash ON entries (session, hash);
CREATE TABLE IF NOT EXISTS traces (trace TEXT PRIMARY KEY, session TEXT NOT NULL, at INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
`;

export interface VaultStoreOptions {
  /** Values held in memory; older ones stay on disk and are found by their token. */
  maxValues: number;
  /** Rows older than this are deleted at opening; 0 keeps all. */
  retentionDays: number;
  now?: () => number;
}

/** Values written by this process, by whichever store of it. */
let writes = 0;

type Row = VaultEntry & { id: number };
type Statements = Record<
  | "after"
  | "byToken"
  | "quiet"
  | "next"
  | "insert"
  | "raise"
  | "counter"
  | "trace"
  | "putTrace"
  | "getMeta"
  | "putMeta",
  StatementSync
>;

/**
 * A {@link Vault} whose every change is on disk before the call returns. Reads cost one indexed query for what
 * other processes added since.
 */
export class PersistentVault extends Vault {
  private readonly store: VaultStore;
  constructor(store: VaultStore, maxValues: number) {
    super({
      maxEntries: maxValues,
      onChange: (change) => store.write(change),
      lookup: (token) => store.read(token),
    });
    this.store = store;
  }

  override get version(): number {
    this.store.pull(this);
    return super.version;
  }

  /**
   * A text without much in it (`"}`, `Done.`) becomes a placeholder but is not looked for: it would be hidden
   * wherever anybody says it. See {@link PersistentVault.lockText} for one that is private by itself.
   */
  override tokenise(value: string, type: string, level: PrivateLevel, session = ""): string {
    if ((value !== "" && saysNothing(value)) || (type === PRIVATE_TEXT_TYPE && isEveryday(value)))
      return this.keepQuietly(value, session);
    return this.store.locked(this, () => super.tokenise(value, type, level, session));
  }

  /** Keeps a text that is private by itself, however short: it is looked for everywhere from now on. */
  lockText(text: string, session: string): string {
    if (!/[\p{L}\p{N}]{2}/u.test(text)) return this.keepQuietly(text, session);
    return this.store.locked(this, () => super.tokenise(text, PRIVATE_TEXT_TYPE, "S3", session));
  }

  override get(token: string): VaultEntry | undefined {
    this.store.pull(this);
    return super.get(token);
  }

  /**
   * Keeps a text that can be given back by its token but is not looked for elsewhere: a short everyday answer
   * ("Done.") said in a private turn, which would otherwise be hidden wherever anybody says it.
   */
  keepQuietly(text: string, session: string): string {
    return this.store.locked(this, () => this.store.keepQuietly(text, session));
  }

  override findKnown(text: string): Finding[] {
    this.store.pull(this);
    return super.findKnown(text);
  }
}

export class VaultStore {
  readonly vault: PersistentVault;
  /** Set when a damaged database was moved aside at opening: where it is now. */
  readonly movedAside: string | undefined;
  private readonly db: DatabaseSync;
  private readonly sql: Statements;
  private readonly now: () => number;
  private lastEntry = 0;
  private busy = false;
  /** Count of {@link writes} at the last look for what others added; undefined when a look is due. */
  private pulledAt: number | undefined;

  /** @throws when the folder of `file` cannot be written */
  constructor(file: string, options: VaultStoreOptions) {
    this.now = options.now ?? Date.now;
    const opened = openPrivateDatabase(file, SCHEMA);
    this.db = opened.db;
    this.movedAside = opened.movedAside;
    this.sql = statements(this.db);
    this.prune(options.retentionDays);
    this.vault = new PersistentVault(this, options.maxValues);
    this.load(options.maxValues);
  }

  /** Notes which conversation the requests of a W3C trace belong to. */
  rememberTrace(traceId: string, session: string): void {
    this.sql.putTrace.run(traceId, session, this.now());
  }

  sessionOfTrace(traceId: string): string | undefined {
    return (this.sql.trace.get(traceId) as { session: string } | undefined)?.session;
  }

  /** Small durable facts of the plugin itself, e.g. the base of the memory merge. */
  getMeta(key: string): string | undefined {
    return (this.sql.getMeta.get(key) as { value: string } | undefined)?.value;
  }

  setMeta(key: string, value: string): void {
    this.sql.putMeta.run(key, value);
  }

  /** Values on disk. */
  size(): number {
    return (this.db.prepare("SELECT count(*) AS n FROM entries").get() as { n: number }).n;
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
    const hash = createHash("sha256").update(value).digest();
    this.db.prepare("UPDATE entries SET quiet = 1 WHERE hash = ?").run(hash);
    for (const entry of [...this.vault.entries()]) if (entry.value === value) this.vault.remove(entry.token);
  }

  close(): void {
    if (this.db.isOpen) this.db.close();
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

  /** Part of {@link PersistentVault}: runs `work` while no other process can give numbers. */
  locked<T>(vault: Vault, work: () => T): T {
    if (this.db.isTransaction) return work();
    this.db.exec("BEGIN IMMEDIATE");
    try {
      this.take(vault);
      const result = work();
      this.db.exec("COMMIT");
      return result;
    } catch (error) {
      if (this.db.isTransaction) this.db.exec("ROLLBACK");
      throw error;
    }
  }

  /** Part of {@link PersistentVault}. */
  write(change: VaultChange): void {
    // Out of memory is not out of the vault: transcripts still hold the token. Rows go by age (`retentionDays`).
    if (change.kind === "remove") return;
    writes += 1;
    const { token, value, type, level, session } = change.entry;
    const hash = createHash("sha256").update(value).digest();
    // A value that was S2 until now has an older token: that one is private from here on, too.
    if (level === "S3") this.sql.raise.run(session, hash);
    const { lastInsertRowid } = this.sql.insert.run(token, value, hash, type, level, session, this.now());
    this.sql.counter.run(change.counterName, change.counter);
    this.lastEntry = Math.max(this.lastEntry, Number(lastInsertRowid));
  }

  /** Part of {@link PersistentVault}. */
  keepQuietly(text: string, session: string): string {
    const hash = createHash("sha256").update(text).digest();
    const known = this.sql.quiet.get(session, hash) as { token: string } | undefined;
    if (known !== undefined) return known.token;
    const counter = `S3:${QUIET_TYPE}`;
    const row = this.sql.next.get(counter) as { n: number };
    const token = formatPlaceholder("S3", QUIET_TYPE, row.n);
    this.db
      .prepare(
        "INSERT INTO entries (token, value, hash, type, level, session, at, quiet) VALUES (?, ?, ?, ?, 'S3', ?, ?, 1)",
      )
      .run(token, text, hash, QUIET_TYPE, session, this.now());
    return token;
  }

  /** Part of {@link PersistentVault}. */
  read(token: string): VaultEntry | undefined {
    const row = this.sql.byToken.get(token) as Row | undefined;
    if (row === undefined) return undefined;
    const { id: _, ...entry } = row;
    return entry;
  }

  private load(maxValues: number): void {
    const counters = this.db.prepare("SELECT name, n FROM counters").all() as { name: string; n: number }[];
    this.vault.loadCounters(Object.fromEntries(counters.map(({ name, n }) => [name, n])));
    const last = this.db.prepare("SELECT max(id) AS id FROM entries").get() as { id: number | null };
    this.lastEntry = Math.max(0, (last.id ?? 0) - maxValues);
    this.take(this.vault);
  }

  private prune(retentionDays: number): void {
    const day = 86_400_000;
    if (retentionDays > 0) {
      this.db.prepare("DELETE FROM entries WHERE at < ?").run(this.now() - retentionDays * day);
    }
    this.db.prepare("DELETE FROM traces WHERE at < ?").run(this.now() - 7 * day);
  }
}

function statements(db: DatabaseSync): Statements {
  return {
    after: db.prepare(
      "SELECT id, token, value, type, level, session FROM entries WHERE id > ? AND quiet = 0 ORDER BY id",
    ),
    byToken: db.prepare("SELECT id, token, value, type, level, session FROM entries WHERE token = ?"),
    insert: db.prepare(
      "INSERT INTO entries (token, value, hash, type, level, session, at) VALUES (?, ?, ?, ?, ?, ?, ?)",
    ),
    raise: db.prepare("UPDATE entries SET level = 'S3' WHERE session = ? AND hash = ?"),
    counter: db.prepare(
      "INSERT INTO counters (name, n) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET n = max(n, excluded.n)",
    ),
    quiet: db.prepare("SELECT token FROM entries WHERE session = ? AND hash = ? AND quiet = 1"),
    next: db.prepare(
      "INSERT INTO counters (name, n) VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET n = n + 1 RETURNING n",
    ),
    trace: db.prepare("SELECT session FROM traces WHERE trace = ?"),
    putTrace: db.prepare(
      "INSERT INTO traces (trace, session, at) VALUES (?, ?, ?) ON CONFLICT (trace) DO UPDATE SET session = excluded.session",
    ),
    getMeta: db.prepare("SELECT value FROM meta WHERE key = ?"),
    putMeta: db.prepare(
      "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
    ),
  };
}
