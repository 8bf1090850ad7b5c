/**
 * Full-text search over decisions, in a file of its own beside the ledger. It is derived from the ledger and made anew
 * when it is lost. Only the worker writes it, so its merging never holds up the gateway.
 */
import { chmodSync, closeSync, openSync, rmSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { matchOf, propertyToken, tokensOf } from "./search-tokens.ts";

export const INDEX_SUFFIX = "-index";

export interface SearchFilter {
  text?: string | undefined;
  level?: string | undefined;
  checkpoint?: string | undefined;
  route?: string | undefined;
  rule?: string | undefined;
  session?: string | undefined;
  from?: number | undefined;
  to?: number | undefined;
  /** Only ids below. */
  before?: number | undefined;
  limit: number;
}

interface Indexed {
  id: number;
  session: string | null;
  agent: string | null;
  checkpoint: string;
  level: string;
  router: string | null;
  route: string;
  provider: string | null;
  model: string | null;
  tier: string | null;
  tool: string | null;
  reason: string;
  rules: string;
  text: string | null;
}

const CHUNK = 1_000;

export class SearchIndex {
  private readonly ledger: DatabaseSync;
  private readonly db: DatabaseSync;
  private readonly read: StatementSync;
  private readonly insert: StatementSync;
  private last: number;
  private first = 0;

  /** @param ledger a connection to the ledger, read only */
  constructor(ledger: DatabaseSync, file: string) {
    this.ledger = ledger;
    const id = (ledger.prepare("SELECT value FROM meta WHERE key = 'id'").get() as { value: string }).value;
    this.db = openIndex(file, id);
    this.insert = this.db.prepare("INSERT INTO fts (rowid, doc) VALUES (?, ?)");
    this.last = Number(this.meta("last") ?? 0);
    this.read = ledger.prepare(
      `SELECT id, session, agent, checkpoint, level, router, route, provider, model, tier, tool, reason, rules, text FROM decisions WHERE id > ? ORDER BY id LIMIT ${CHUNK}`,
    );
  }

  /**
   * Takes in what was written since.
   * @param budgetMs stops after about so long
   * @returns whether all is in
   */
  sync(budgetMs: number): boolean {
    const started = performance.now();
    for (;;) {
      const rows = this.read.all(this.last) as unknown as Indexed[];
      const newest = rows.at(-1);
      if (newest === undefined) break;
      this.db.exec("BEGIN IMMEDIATE");
      for (const row of rows) this.insert.run(row.id, documentOf(row));
      this.db.prepare("INSERT OR REPLACE INTO meta VALUES ('last', ?)").run(String(newest.id));
      this.db.exec("COMMIT");
      this.last = newest.id;
      if (rows.length < CHUNK) break;
      if (performance.now() - started > budgetMs) return false;
    }
    this.prune();
    return true;
  }

  /** Ids of decisions, newest first. */
  find(filter: SearchFilter): number[] {
    const terms = [
      ...(filter.text === undefined ? [] : [matchOf(filter.text)]),
      ...(["level", "checkpoint", "route", "rule", "session"] as const).map((kind) =>
        filter[kind] === undefined ? undefined : `"${propertyToken(kind, filter[kind])}"`,
      ),
    ].filter((term) => term !== undefined);
    const low = filter.from === undefined ? 0 : this.idAt(filter.from);
    const high = Math.min(
      filter.before ?? Number.MAX_SAFE_INTEGER,
      filter.to === undefined ? Number.MAX_SAFE_INTEGER : this.idAt(filter.to + 1),
    );
    if (terms.length === 0) {
      const rows = this.ledger
        .prepare("SELECT id FROM decisions WHERE id >= ? AND id < ? ORDER BY id DESC LIMIT ?")
        .all(low, high, filter.limit);
      return rows.map((row) => Number(row.id));
    }
    const rows = this.db
      .prepare(
        "SELECT rowid AS id FROM fts WHERE fts MATCH ? AND rowid >= ? AND rowid < ? ORDER BY rowid DESC LIMIT ?",
      )
      .all(terms.join(" AND "), low, high, filter.limit);
    return rows.map((row) => Number(row.id));
  }

  close(): void {
    if (this.db.isOpen) this.db.close();
  }

  /** First id written at or after a time. */
  private idAt(at: number): number {
    const row = this.ledger
      .prepare("SELECT id FROM decisions WHERE at >= ? ORDER BY at, id LIMIT 1")
      .get(at) as { id: number } | undefined;
    return row?.id ?? Number.MAX_SAFE_INTEGER;
  }

  /** Forgets what retention deleted, when it is worth it. */
  private prune(): void {
    const { id } = this.ledger.prepare("SELECT coalesce(min(id), 0) AS id FROM decisions").get() as {
      id: number;
    };
    if (id - this.first < CHUNK) return;
    this.db.prepare("DELETE FROM fts WHERE rowid < ?").run(id);
    this.first = id;
  }

  private meta(key: string): string | undefined {
    return (this.db.prepare("SELECT value FROM meta WHERE key = ?").get(key) as { value: string } | undefined)
      ?.value;
  }
}

function documentOf(row: Indexed): string {
  const words = [
    row.text,
    row.reason,
    row.tool,
    row.session,
    row.agent,
    row.router,
    row.provider,
    row.model,
    row.tier,
  ];
  const rules = JSON.parse(row.rules) as string[];
  const properties = [
    propertyToken("level", row.level),
    propertyToken("checkpoint", row.checkpoint),
    propertyToken("route", row.route),
    ...(row.session === null ? [] : [propertyToken("session", row.session)]),
    ...rules.map((rule) => propertyToken("rule", rule)),
  ];
  return [...properties, ...tokensOf(words.filter((word) => word !== null).join(" \n "))].join(" ");
}

/** Opens the index of a ledger; one of another ledger, or a damaged one, is thrown away. */
function openIndex(file: string, ledgerId: string): DatabaseSync {
  for (let attempt = 0; ; attempt += 1) {
    let db: DatabaseSync | undefined;
    try {
      // SQLite gives its side files the mode of the file; a worker has no umask of its own.
      closeSync(openSync(file, "a", 0o600));
      db = new DatabaseSync(file, { timeout: 2_000 });
      db.exec(
        `PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA cache_size = -16000;
         CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
         CREATE VIRTUAL TABLE IF NOT EXISTS fts USING fts5(doc, content='', contentless_delete=1, tokenize="unicode61 tokenchars '_'");`,
      );
      chmodSync(file, 0o600);
      const known = db.prepare("SELECT value FROM meta WHERE key = 'ledger'").get() as
        | { value: string }
        | undefined;
      if (known !== undefined && known.value !== ledgerId) throw new Error("the index of another ledger");
      db.prepare("INSERT OR REPLACE INTO meta VALUES ('ledger', ?)").run(ledgerId);
      return db;
    } catch (error) {
      db?.close();
      if (attempt > 0) throw error;
      for (const suffix of ["", "-wal", "-shm"]) rmSync(file + suffix, { force: true });
    }
  }
}
