import type { DatabaseSync } from "node:sqlite";

/**
 * Schema versions, in order; `PRAGMA user_version` says how many a file has. Never edit one that was released: add the
 * next.
 */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE knowledge (
    row INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    -- '' for this store's own items, the server's base URL for copies of a remote server's items
    origin TEXT NOT NULL DEFAULT '',
    -- who vouches for it: own (this gateway's agents), verified (a human), imported, wire, remote, extracted
    trust TEXT NOT NULL,
    status TEXT NOT NULL,
    owner TEXT NOT NULL,
    score REAL NOT NULL,
    helpful INTEGER NOT NULL,
    harmful INTEGER NOT NULL,
    -- Beta mean of the decayed votes, 0..1
    belief REAL NOT NULL DEFAULT 0.5,
    task TEXT NOT NULL,
    content TEXT NOT NULL,
    types TEXT NOT NULL,
    -- SHA-256 of the normalised task and content: exact duplicates
    hash TEXT NOT NULL,
    -- the wire record without task, content and what the columns above hold
    rest TEXT NOT NULL,
    revision INTEGER NOT NULL DEFAULT 1,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    fetched_at INTEGER
  );
  CREATE INDEX knowledge_hash ON knowledge(hash);
  CREATE INDEX knowledge_list ON knowledge(origin, updated_at DESC);
  -- Contentless: the tokens are the application's own (see text/tokenise.ts), the text is in knowledge.
  CREATE VIRTUAL TABLE search USING fts5(
    task, content, content = '', contentless_delete = 1, tokenize = "ascii tokenchars '+#'"
  );
  CREATE VIRTUAL TABLE search_terms USING fts5vocab(search, row);

  CREATE TABLE votes (
    knowledge_id TEXT NOT NULL,
    session TEXT NOT NULL,
    voter TEXT NOT NULL,
    kind TEXT NOT NULL,
    helpful INTEGER NOT NULL,
    note TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (knowledge_id, session)
  ) WITHOUT ROWID;

  CREATE TABLE revisions (
    knowledge_id TEXT NOT NULL,
    revision INTEGER NOT NULL,
    task TEXT NOT NULL,
    content TEXT NOT NULL,
    types TEXT NOT NULL,
    author TEXT NOT NULL,
    reason TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (knowledge_id, revision)
  ) WITHOUT ROWID;

  CREATE TABLE evolutions (
    id INTEGER PRIMARY KEY,
    knowledge_id TEXT NOT NULL,
    feedback TEXT NOT NULL,
    author TEXT NOT NULL,
    at INTEGER NOT NULL
  );

  CREATE TABLE outbox (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    key TEXT NOT NULL UNIQUE,
    origin TEXT NOT NULL,
    kind TEXT NOT NULL,
    method TEXT NOT NULL,
    path TEXT NOT NULL,
    body TEXT NOT NULL,
    local_id TEXT,
    state TEXT NOT NULL DEFAULT 'waiting',
    attempts INTEGER NOT NULL DEFAULT 0,
    next_at INTEGER NOT NULL,
    lease_until INTEGER NOT NULL DEFAULT 0,
    last_error TEXT NOT NULL DEFAULT '',
    created_at INTEGER NOT NULL
  );
  CREATE INDEX outbox_due ON outbox(state, next_at);
  CREATE TABLE remote_ids (local_id TEXT PRIMARY KEY, remote_id TEXT NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID;

  CREATE TABLE sessions (
    session TEXT PRIMARY KEY,
    calls INTEGER NOT NULL DEFAULT 0,
    noticed INTEGER NOT NULL DEFAULT 0,
    updated_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE extracted (
    session TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (session, fingerprint)
  ) WITHOUT ROWID;
  CREATE TABLE redactions (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    session TEXT NOT NULL,
    destination TEXT NOT NULL,
    messages INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    findings TEXT NOT NULL
  );

  CREATE TABLE answers (
    key TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    status INTEGER NOT NULL,
    body TEXT NOT NULL,
    at INTEGER NOT NULL
  ) WITHOUT ROWID;

  CREATE TABLE vectors (
    row INTEGER PRIMARY KEY,
    model TEXT NOT NULL,
    hash TEXT NOT NULL,
    vector BLOB NOT NULL
  );
  `,
  `
  CREATE TABLE installation (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  `,
];

/** A file written by a newer version of the plugin than this one. */
export class NewerSchema extends Error {}

/** Brings a database to the newest schema, each step in a transaction of its own. @throws NewerSchema */
export function migrate(db: DatabaseSync): void {
  const row = db.prepare("PRAGMA user_version").get() as { user_version: number };
  if (row.user_version > MIGRATIONS.length) {
    throw new NewerSchema(
      `the file has schema ${row.user_version}, this version knows ${MIGRATIONS.length}: update the plugin`,
    );
  }
  for (let version = row.user_version; version < MIGRATIONS.length; version += 1) {
    db.exec("BEGIN IMMEDIATE");
    try {
      // Another process may have migrated while this one waited for the lock.
      const current = db.prepare("PRAGMA user_version").get() as { user_version: number };
      if (current.user_version === version)
        db.exec(`${MIGRATIONS[version]}; PRAGMA user_version = ${version + 1}`);
      db.exec("COMMIT");
    } catch (error) {
      db.exec("ROLLBACK");
      throw error;
    }
  }
}
