/**
 * The vault: private values and texts by conversation, in SQLite (WAL, 0600 in a 0700 folder). One database is
 * shared by every process of the installation (gateway, CLI, `agent --local`); each sees the others' rows by
 * reading what is new before it answers, so a token made in one process is restored in another.
 */
import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, renameSync } from "node:fs";
import path from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { placeholderType } from "@clawx/shared-security";
import { SessionView, type VaultEntry, type VaultLevel } from "./session-view.ts";
import { formatToken } from "./tokens.ts";

/** File of the vault in `<stateDir>/clawxrouter/`. */
export const VAULT_FILE_NAME = "vault.sqlite";

const SCHEMA = `
CREATE TABLE IF NOT EXISTS counters (type TEXT PRIMARY KEY, n INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS entries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  session TEXT NOT NULL, token TEXT NOT NULL UNIQUE, value TEXT NOT NULL, hash BLOB NOT NULL,
  type TEXT NOT NULL, level TEXT NOT NULL, kind TEXT NOT NULL, at INTEGER NOT NULL,
  UNIQUE (session, hash)
);
CREATE TABLE IF NOT EXISTS traces (trace TEXT PRIMARY KEY, session TEXT NOT NULL, at INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
`;

export interface VaultOptions {
  /** Most rows kept; the oldest go first. */
  maxValues: number;
  /** Rows older than this go; 0 keeps all. */
  retentionDays: number;
  now?: () => number;
}

/** Which conversation values are for: a session key of the host, or a scope of ours such as `memory:main`. */
export type Session = string;

export class VaultStore {
  /** Set when a damaged database was moved aside at opening: where it is now. */
  readonly movedAside: string | undefined;
  private readonly db: DatabaseSync;
  private readonly views = new Map<Session, SessionView>();
  /** The latest entries of all conversations, oldest first, for matching across them. */
  private recent: VaultEntry[] = [];
  private lastId = 0;
  private readonly options: VaultOptions;
  private readonly now: () => number;
  private readonly sql: Record<
    "after" | "insert" | "count" | "counter" | "find" | "trace" | "putTrace",
    StatementSync
  >;

  /**
   * Opens or makes the vault.
   * @param file path of the database; a damaged one is moved aside and a new one made
   * @throws when the folder cannot be written
   */
  constructor(file: string, options: VaultOptions) {
    this.options = options;
    this.now = options.now ?? Date.now;
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    const opened = openOrReplace(file);
    this.db = opened.db;
    this.movedAside = opened.movedAside;
    this.prune();
    this.sql = {
      after: this.db.prepare(
        "SELECT id, session, token, value, type, level, kind FROM entries WHERE id > ? ORDER BY id",
      ),
      insert: this.db.prepare(
        "INSERT INTO entries (session, token, value, hash, type, level, kind, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      ),
      count: this.db.prepare("SELECT count(*) AS n FROM entries"),
      counter: this.db.prepare(
        "INSERT INTO counters (type, n) VALUES (?, 1) ON CONFLICT (type) DO UPDATE SET n = n + 1 RETURNING n",
      ),
      find: this.db.prepare("SELECT token FROM entries WHERE session = ? AND hash = ?"),
      trace: this.db.prepare("SELECT session FROM traces WHERE trace = ?"),
      putTrace: this.db.prepare(
        "INSERT INTO traces (trace, session, at) VALUES (?, ?, ?) ON CONFLICT (trace) DO UPDATE SET session = excluded.session",
      ),
    };
    this.refresh();
  }

  /** The view of one conversation; made on first use. */
  view(session: Session): SessionView {
    this.refresh();
    let view = this.views.get(session);
    if (view === undefined) {
      view = new SessionView();
      this.views.set(session, view);
    }
    return view;
  }

  /** Grows whenever any process has added an entry. */
  revision(): number {
    this.refresh();
    return this.lastId;
  }

  /** The latest entries of all conversations, newest last. */
  latest(limit: number): readonly VaultEntry[] {
    this.refresh();
    return this.recent.length <= limit ? this.recent : this.recent.slice(-limit);
  }

  /**
   * The entry of `value` in a conversation, made when there is none. The same value always has the same token
   * in a conversation; another conversation has another.
   */
  put(
    session: Session,
    value: string,
    type: string,
    level: VaultLevel,
    kind: VaultEntry["kind"],
  ): VaultEntry {
    const known = this.view(session).byValue(value);
    if (known !== undefined && (known.level === level || known.level === "S3")) return known;
    const hash = createHash("sha256").update(value).digest();
    this.db.exec("BEGIN IMMEDIATE");
    try {
      const row = this.sql.find.get(session, hash) as { token: string } | undefined;
      if (row !== undefined) {
        // Known as S2 until now: the stricter level holds from here on, the token stays.
        this.db.prepare("UPDATE entries SET level = ? WHERE token = ?").run(level, row.token);
        this.db.exec("COMMIT");
        this.refresh();
        const entry = this.view(session).byToken(row.token);
        if (entry !== undefined) entry.level = level;
        return entry ?? { id: this.lastId, session, token: row.token, value, type, level, kind };
      }
      const { n } = this.sql.counter.get(`${level}:${placeholderType(type)}`) as { n: number };
      const token = formatToken(level, type, n);
      const at = this.now();
      const { lastInsertRowid } = this.sql.insert.run(session, token, value, hash, type, level, kind, at);
      this.db.exec("COMMIT");
      this.refresh();
      return (
        this.view(session).byToken(token) ?? {
          id: Number(lastInsertRowid),
          session,
          token,
          value,
          type,
          level,
          kind,
        }
      );
    } catch (error) {
      if (this.db.isTransaction) this.db.exec("ROLLBACK");
      throw error;
    }
  }

  /** Notes which conversation the requests of a W3C trace belong to. */
  rememberTrace(traceId: string, session: Session): void {
    this.sql.putTrace.run(traceId, session, this.now());
  }

  sessionOfTrace(traceId: string): Session | undefined {
    return (this.sql.trace.get(traceId) as { session: string } | undefined)?.session;
  }

  /** How many values and texts are kept. */
  size(): number {
    return (this.sql.count.get() as { n: number }).n;
  }

  /** Sessions with at least one entry. */
  sessions(): Session[] {
    this.refresh();
    return [...this.views].filter(([, view]) => view.size > 0).map(([session]) => session);
  }

  /** Small durable facts of the plugin itself (e.g. a base of the memory merge). */
  getMeta(key: string): string | undefined {
    return (this.db.prepare("SELECT value FROM meta WHERE key = ?").get(key) as { value: string } | undefined)
      ?.value;
  }

  setMeta(key: string, value: string): void {
    this.db
      .prepare(
        "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
      )
      .run(key, value);
  }

  /** Drops what is too old or too much. Called at opening; memory follows at the next opening. */
  prune(): void {
    const { retentionDays, maxValues } = this.options;
    if (retentionDays > 0) {
      this.db.prepare("DELETE FROM entries WHERE at < ?").run(this.now() - retentionDays * 86_400_000);
    }
    this.db.prepare("DELETE FROM entries WHERE id <= (SELECT max(id) FROM entries) - ?").run(maxValues);
    this.db.prepare("DELETE FROM traces WHERE at < ?").run(this.now() - 7 * 86_400_000);
  }

  close(): void {
    if (this.db.isOpen) this.db.close();
  }

  private refresh(): void {
    for (const row of this.sql.after.iterate(this.lastId)) {
      const entry = { ...(row as unknown as VaultEntry) };
      this.lastId = entry.id;
      let view = this.views.get(entry.session);
      if (view === undefined) {
        view = new SessionView();
        this.views.set(entry.session, view);
      }
      view.add(entry);
      this.recent.push(entry);
    }
    if (this.recent.length > 20_000) this.recent = this.recent.slice(-10_000);
  }
}

function openOrReplace(file: string): { db: DatabaseSync; movedAside: string | undefined } {
  try {
    return { db: open(file), movedAside: undefined };
  } catch (error) {
    if (!existsSync(file) || !/malformed|not a database|corrupt/i.test(String(error))) throw error;
    const movedAside = `${file}.damaged-${Date.now()}`;
    renameSync(file, movedAside);
    for (const suffix of ["-wal", "-shm"])
      if (existsSync(file + suffix)) renameSync(file + suffix, movedAside + suffix);
    return { db: open(file), movedAside };
  }
}

function open(file: string): DatabaseSync {
  const previous = process.umask(0o077);
  try {
    const db = new DatabaseSync(file, { timeout: 2_000 });
    try {
      db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON;");
      db.exec(SCHEMA);
      const check = db.prepare("PRAGMA quick_check(1)").get() as { quick_check: string };
      if (check.quick_check !== "ok") throw new Error(`malformed: ${check.quick_check}`);
    } catch (error) {
      db.close();
      throw error;
    }
    chmodSync(file, 0o600);
    return db;
  } finally {
    process.umask(previous);
  }
}
