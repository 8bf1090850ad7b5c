/** Opens the ledger's file. A damaged one is moved aside: statistics are worth less than a start. */
import { randomUUID } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isDamage } from "./faults.ts";

export const LEDGER_FILE_NAME = "ledger.sqlite";
const ASIDE = ".old-";
const SIDE_FILES = ["", "-wal", "-shm"] as const;

/** Raised with each change of the tables; an older file is moved aside. */
const VERSION = 3;

/** Sums of a span of time: an hour or a day in UTC. Days make long ranges cheap. */
const sums = (table: string) => `
CREATE TABLE IF NOT EXISTS ${table} (
  hour INTEGER NOT NULL, kind TEXT NOT NULL, level TEXT NOT NULL, route TEXT NOT NULL, provider TEXT NOT NULL, model TEXT NOT NULL, tier TEXT NOT NULL,
  n INTEGER NOT NULL, failed INTEGER NOT NULL, input INTEGER NOT NULL, output INTEGER NOT NULL, cacheRead INTEGER NOT NULL, cacheWrite INTEGER NOT NULL,
  usd REAL NOT NULL, unpriced INTEGER NOT NULL, compared INTEGER NOT NULL, comparedUsd REAL NOT NULL, baselineUsd REAL NOT NULL, ms REAL NOT NULL,
  PRIMARY KEY (hour, kind, level, route, provider, model, tier)
) WITHOUT ROWID;`;

const histogram = (table: string) => `
CREATE TABLE IF NOT EXISTS ${table} (
  hour INTEGER NOT NULL, kind TEXT NOT NULL, bucket INTEGER NOT NULL, n INTEGER NOT NULL, total REAL NOT NULL, max REAL NOT NULL,
  PRIMARY KEY (hour, kind, bucket)
) WITHOUT ROWID;`;

const SCHEMA = `
CREATE TABLE IF NOT EXISTS decisions (
  id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, session TEXT, agent TEXT, run TEXT, checkpoint TEXT NOT NULL,
  level TEXT NOT NULL, action TEXT NOT NULL, router TEXT, route TEXT NOT NULL, provider TEXT, model TEXT, tier TEXT,
  tool TEXT, reason TEXT NOT NULL, degraded TEXT, ms REAL NOT NULL, routers TEXT NOT NULL, rules TEXT NOT NULL,
  text TEXT, truncated INTEGER NOT NULL DEFAULT 0, feedback TEXT
);
CREATE INDEX IF NOT EXISTS decisions_at ON decisions (at);
CREATE INDEX IF NOT EXISTS decisions_session ON decisions (session, id) WHERE session IS NOT NULL;
CREATE TABLE IF NOT EXISTS requests (
  id INTEGER PRIMARY KEY AUTOINCREMENT, request TEXT NOT NULL UNIQUE, at INTEGER NOT NULL, session TEXT, run TEXT, provider TEXT, model TEXT,
  api TEXT, endpoint TEXT, route TEXT NOT NULL, level TEXT, replaced TEXT, refused TEXT, status INTEGER, outcome TEXT NOT NULL, restored INTEGER,
  input INTEGER, output INTEGER, cacheRead INTEGER, cacheWrite INTEGER, usd REAL, inspectMs REAL, ttfbMs REAL, ms REAL, degraded TEXT, detail TEXT,
  sent TEXT
);
CREATE INDEX IF NOT EXISTS requests_at ON requests (at);
CREATE INDEX IF NOT EXISTS requests_session ON requests (session, id) WHERE session IS NOT NULL;
CREATE INDEX IF NOT EXISTS requests_run ON requests (run) WHERE run IS NOT NULL;
${sums("hourly")}
${sums("daily")}
CREATE TABLE IF NOT EXISTS spend (hour INTEGER PRIMARY KEY, usd REAL NOT NULL);
${histogram("latency")}
${histogram("latencyDaily")}
CREATE TABLE IF NOT EXISTS sessions (
  key TEXT PRIMARY KEY, agent TEXT, firstAt INTEGER NOT NULL, lastAt INTEGER NOT NULL, level TEXT NOT NULL, turns INTEGER NOT NULL,
  requests INTEGER NOT NULL, s1 INTEGER NOT NULL, s2 INTEGER NOT NULL, s3 INTEGER NOT NULL, input INTEGER NOT NULL, output INTEGER NOT NULL,
  cacheRead INTEGER NOT NULL, cacheWrite INTEGER NOT NULL, usd REAL NOT NULL, unpriced INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS sessions_lastAt ON sessions (lastAt, key);
CREATE TABLE IF NOT EXISTS rules (rule TEXT PRIMARY KEY, n INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS audit (id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, action TEXT NOT NULL, source TEXT NOT NULL, detail TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
`;

/**
 * Opens or makes the file: WAL, 0600 in a 0700 folder.
 * @throws when the folder cannot be written
 */
export function openLedger(file: string): DatabaseSync {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  try {
    const db = open(file);
    if (db !== undefined) return db;
  } catch (error) {
    if (!existsSync(file) || !isDamage(error)) throw error;
  }
  moveAside(file);
  const fresh = open(file);
  if (fresh === undefined) throw new Error(`${file} cannot be made`);
  return fresh;
}

/** Keeps one earlier file at most: it holds masked texts, which are to go when statistics are deleted. */
export function moveAside(file: string): void {
  removeAside(file);
  const aside = `${file}${ASIDE}${Date.now()}`;
  for (const suffix of SIDE_FILES) if (existsSync(file + suffix)) renameSync(file + suffix, aside + suffix);
}

/** Deletes what {@link moveAside} has kept. */
export function removeAside(file: string): void {
  const folder = path.dirname(file);
  const beginning = path.basename(file) + ASIDE;
  for (const name of existsSync(folder) ? readdirSync(folder) : [])
    if (name.startsWith(beginning)) rmSync(path.join(folder, name), { force: true });
}

/** @returns undefined for a file of an older version */
function open(file: string): DatabaseSync | undefined {
  const previous = process.umask(0o077);
  try {
    const db = new DatabaseSync(file, { timeout: 1_000 });
    try {
      db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -8000;");
      const { user_version: version } = db.prepare("PRAGMA user_version").get() as { user_version: number };
      const tables = db.prepare("SELECT count(*) AS n FROM sqlite_master").get() as { n: number };
      if (tables.n > 0 && version !== VERSION) {
        db.close();
        return undefined;
      }
      if (version !== VERSION) {
        db.exec(`BEGIN IMMEDIATE; ${SCHEMA} PRAGMA user_version = ${VERSION}; COMMIT;`);
        db.prepare("INSERT OR IGNORE INTO meta (key, value) VALUES ('id', ?)").run(randomUUID());
      }
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
