/**
 * Full-text search over decisions, in a file of its own beside the ledger. It is derived from the ledger and made anew
 * when it is lost. Only the worker writes it, so its merging never holds up the gateway.
 */
import { chmodSync, closeSync, openSync, rmSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { isDamage } from "./faults.ts";
import { ledgerId } from "./queries.ts";
import { matchOf, propertyToken, tokensOf } from "./search-tokens.ts";

export const INDEX_SUFFIX = "-index";
/** Raised when the documents are made up in another way: an older index is made anew. */
const VERSION = 2;
/** Newest decisions that are read through for what no index holds: signs, emoji. */
const READ_THROUGH = 100_000;

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

const PROPERTIES = ["level", "checkpoint", "route", "rule", "session"] as const;

/** Ids of decisions by what the ledger itself can tell, newest first; undefined when it takes the index. */
export function findWithoutIndex(ledger: DatabaseSync, filter: SearchFilter): number[] | undefined {
  const { text } = filter;
  const wordless = text !== undefined && matchOf(text) === undefined;
  if (!wordless && (text !== undefined || PROPERTIES.some((kind) => filter[kind] !== undefined)))
    return undefined;
  const { low, high } = idsOf(ledger, filter);
  const ids = (rows: readonly Record<string, unknown>[]) => rows.map((row) => Number(row.id));
  if (!wordless)
    return ids(
      ledger
        .prepare("SELECT id FROM decisions WHERE id >= ? AND id < ? ORDER BY id DESC LIMIT ?")
        .all(low, high, filter.limit),
    );
  const { level = null, checkpoint = null, route = null, rule = null, session = null } = filter;
  return ids(
    ledger
      .prepare(
        `SELECT id FROM (SELECT * FROM decisions WHERE id >= :low AND id < :high ORDER BY id DESC LIMIT ${READ_THROUGH})
         WHERE instr(coalesce(text, '') || char(10) || reason || char(10) || coalesce(tool, '') || char(10) || coalesce(session, ''), :text) > 0
           AND (:level IS NULL OR level = :level) AND (:checkpoint IS NULL OR checkpoint = :checkpoint)
           AND (:route IS NULL OR route = :route) AND (:session IS NULL OR session = :session)
           AND (:rule IS NULL OR EXISTS (SELECT 1 FROM json_each(rules) WHERE value = :rule))
         ORDER BY id DESC LIMIT :limit`,
      )
      .all({
        low,
        high,
        text: (text ?? "").trim(),
        level,
        checkpoint,
        route,
        session,
        rule,
        limit: filter.limit,
      }),
  );
}

/** Ids that a filter's times and its `before` leave. */
function idsOf(ledger: DatabaseSync, { from, to, before }: SearchFilter): { low: number; high: number } {
  // First id written at or after a time.
  const at = (time: number) =>
    (
      ledger.prepare("SELECT id FROM decisions WHERE at >= ? ORDER BY at, id LIMIT 1").get(time) as
        | { id: number }
        | undefined
    )?.id ?? Number.MAX_SAFE_INTEGER;
  return {
    low: from === undefined ? 0 : at(from),
    high: Math.min(
      before ?? Number.MAX_SAFE_INTEGER,
      to === undefined ? Number.MAX_SAFE_INTEGER : at(to + 1),
    ),
  };
}

export class SearchIndex {
  private readonly ledger: DatabaseSync;
  private readonly file: string;
  private readonly read: StatementSync;
  private db: DatabaseSync;
  private insert: StatementSync;
  private last: number;
  private first = 0;

  /** @param ledger a connection to the ledger, read only */
  constructor(ledger: DatabaseSync, file: string) {
    this.ledger = ledger;
    this.file = file;
    this.read = ledger.prepare(
      `SELECT id, session, agent, checkpoint, level, router, route, provider, model, tier, tool, reason, rules, text FROM decisions WHERE id > ? ORDER BY id LIMIT ${CHUNK}`,
    );
    [this.db, this.insert, this.last] = this.open();
  }

  /**
   * Takes in what was written since.
   * @param budgetMs stops after about so long
   * @returns whether all is in
   */
  sync(budgetMs: number): boolean {
    return this.mended(() => this.takeIn(budgetMs));
  }

  /** Ids of decisions, newest first. */
  find(filter: SearchFilter): number[] {
    const plain = findWithoutIndex(this.ledger, filter);
    if (plain !== undefined) return plain;
    const terms = [
      ...(filter.text === undefined ? [] : [matchOf(filter.text)]),
      ...PROPERTIES.map((kind) =>
        filter[kind] === undefined ? undefined : `"${propertyToken(kind, filter[kind])}"`,
      ),
    ].filter((term) => term !== undefined);
    const { low, high } = idsOf(this.ledger, filter);
    const rows = this.mended(() =>
      this.db
        .prepare(
          "SELECT rowid AS id FROM fts WHERE fts MATCH ? AND rowid >= ? AND rowid < ? ORDER BY rowid DESC LIMIT ?",
        )
        .all(terms.join(" AND "), low, high, filter.limit),
    );
    return rows.map((row) => Number(row.id));
  }

  close(): void {
    if (this.db.isOpen) this.db.close();
  }

  private open(): [DatabaseSync, StatementSync, number] {
    const db = openIndex(this.file, `${ledgerId(this.ledger)} ${VERSION}`);
    const last = db.prepare("SELECT value FROM meta WHERE key = 'last'").get() as
      | { value: string }
      | undefined;
    return [db, db.prepare("INSERT INTO fts (rowid, doc) VALUES (?, ?)"), Number(last?.value ?? 0)];
  }

  /** Works on the index; a damaged one is made anew, for it holds nothing that the ledger does not. */
  private mended<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.close();
      removeIndex(this.file);
      [this.db, this.insert, this.last] = this.open();
      this.first = 0;
      return work();
    }
  }

  private takeIn(budgetMs: number): boolean {
    const started = performance.now();
    for (;;) {
      const rows = this.read.all(this.last) as unknown as Indexed[];
      const newest = rows.at(-1);
      if (newest === undefined) break;
      this.db.exec("BEGIN IMMEDIATE");
      try {
        for (const row of rows) this.insert.run(row.id, documentOf(row));
        this.db.prepare("INSERT OR REPLACE INTO meta VALUES ('last', ?)").run(String(newest.id));
        this.db.exec("COMMIT");
      } catch (error) {
        if (this.db.isTransaction) this.db.exec("ROLLBACK");
        throw error;
      }
      this.last = newest.id;
      if (rows.length < CHUNK) break;
      if (performance.now() - started > budgetMs) return false;
    }
    this.prune();
    return true;
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
      removeIndex(file);
    }
  }
}

function removeIndex(file: string): void {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(file + suffix, { force: true });
}
