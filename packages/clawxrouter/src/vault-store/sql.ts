/** The vault's tables and the statements that are run again and again. */
import type { DatabaseSync, StatementSync } from "node:sqlite";

export const SCHEMA = `
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

/** Keys in `meta` of lists of placeholders whose rows are kept however old they are. */
export const PINNED = "pinned:";

export type Statements = Record<
  | "after"
  | "byToken"
  | "quiet"
  | "next"
  | "insert"
  | "raise"
  | "forget"
  | "forgetOld"
  | "counter"
  | "trace"
  | "putTrace"
  | "getMeta"
  | "putMeta",
  StatementSync
>;

export function statements(db: DatabaseSync): Statements {
  return {
    after: db.prepare(
      "SELECT id, token, value, type, level, session FROM entries WHERE id > ? AND quiet = 0 ORDER BY id",
    ),
    byToken: db.prepare("SELECT id, token, value, type, level, session FROM entries WHERE token = ?"),
    // A row that was held back may be there already, if its process was killed after it had written it; and its value may
    // have become S3 meanwhile.
    insert: db.prepare(
      `INSERT OR IGNORE INTO entries (token, value, hash, type, level, session, at, quiet) SELECT ?1, ?2, ?3, ?4,
       CASE WHEN EXISTS (SELECT 1 FROM entries WHERE session = ?6 AND hash = ?3 AND level = 'S3' AND quiet = 0) THEN 'S3' ELSE ?5 END,
       ?6, ?7, ?8`,
    ),
    raise: db.prepare("UPDATE entries SET level = 'S3' WHERE session = ? AND hash = ?"),
    forget: db.prepare("DELETE FROM entries WHERE session GLOB ?"),
    forgetOld: db.prepare(
      `DELETE FROM entries WHERE at < ? AND token NOT IN
       (SELECT pin.value FROM meta, json_each(meta.value) AS pin WHERE meta.key GLOB '${PINNED}*')`,
    ),
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
