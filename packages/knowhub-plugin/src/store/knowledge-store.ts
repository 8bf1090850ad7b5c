import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { newKnowledgeId } from "../record/id.ts";
import { type KnowledgeRecord, qualityScore } from "../record/schema.ts";
import { IndexSearch } from "./index-search.ts";
import { rank } from "./rank.ts";
import { contentHash, fromRow, type KnowledgeRow, type StoredItem, type Trust, toColumns } from "./rows.ts";

/** Which items a search or a list may show. */
export interface ItemFilter {
  /** '' for this store's own items, a server's base URL for copies of its items. */
  origin: string;
  minScore?: number;
  /** All of these types. */
  types?: readonly string[];
  scopes?: readonly string[];
  tags?: readonly string[];
  /** Any of these owners. */
  owners?: readonly string[];
  statuses?: readonly string[];
  /** Vouched for in one of these ways. */
  trusts?: readonly Trust[];
}

export interface SearchHit {
  item: StoredItem;
  /** bm25 × quality × age; only comparable within one search. */
  rank: number;
}

/** Statuses that are never found: taken out by people, by repeated harm or by a newer item. */
export const HIDDEN_STATUSES: ReadonlySet<string> = new Set(["rejected", "quarantined", "deprecated"]);

const SELECT = "SELECT * FROM knowledge";

/** Knowledge items and their index in one SQLite file. All calls are synchronous and fast (see bench/knowhub). */
export class KnowledgeStore {
  readonly db: DatabaseSync;
  readonly index: IndexSearch;
  readonly #insert: StatementSync;
  readonly #update: StatementSync;
  readonly #byId: StatementSync;
  readonly #byRow: StatementSync;
  readonly #byHash: StatementSync;

  constructor(db: DatabaseSync) {
    this.db = db;
    this.index = new IndexSearch(db);
    this.#insert = db.prepare(
      `INSERT INTO knowledge (id, origin, trust, status, owner, score, helpful, harmful, belief, task, content, types, hash, rest,
         revision, created_at, updated_at, fetched_at)
       VALUES (:id, :origin, :trust, :status, :owner, :score, :helpful, :harmful, :belief, :task, :content, :types, :hash, :rest,
         1, :created_at, :updated_at, :fetched_at)`,
    );
    this.#update = db.prepare(
      `UPDATE knowledge SET trust = :trust, status = :status, owner = :owner, score = :score, helpful = :helpful,
         harmful = :harmful, belief = :belief, task = :task, content = :content, types = :types, hash = :hash, rest = :rest,
         revision = :revision, updated_at = :updated_at, fetched_at = :fetched_at WHERE row = :row`,
    );
    this.#byId = db.prepare(`${SELECT} WHERE id = ?`);
    this.#byRow = db.prepare(`${SELECT} WHERE row = ?`);
    this.#byHash = db.prepare(`${SELECT} WHERE hash = ? AND origin = ? AND status <> 'deprecated' LIMIT 1`);
  }

  /** Runs `work` in a transaction; nested calls join the outer one. */
  transaction<T>(work: () => T): T {
    if (this.db.isTransaction) return work();
    this.db.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      this.db.exec("COMMIT");
      return result;
    } catch (error) {
      if (this.db.isTransaction) this.db.exec("ROLLBACK");
      throw error;
    }
  }

  get(id: string): StoredItem | undefined {
    const row = this.#byId.get(id) as KnowledgeRow | undefined;
    return row && fromRow(row);
  }

  /** An item of `origin` that says exactly the same (case, width, spaces and invisible characters aside). */
  findSame(task: string, content: string, origin: string): StoredItem | undefined {
    const row = this.#byHash.get(contentHash(task, content), origin) as KnowledgeRow | undefined;
    return row && fromRow(row);
  }

  /** An id that is not taken yet. */
  newId(now: Date): string {
    for (let length = 4; ; length += 2) {
      for (let attempt = 0; attempt < 4; attempt += 1) {
        const id = newKnowledgeId(now, length);
        if (!this.#byId.get(id)) return id;
      }
    }
  }

  /** Adds an item. @throws when its id is taken. */
  insert(
    record: KnowledgeRecord,
    meta: { origin: string; trust: Trust; now: number; fetchedAt?: number },
  ): StoredItem {
    return this.transaction(() => {
      const { lastInsertRowid } = this.#insert.run({
        ...toColumns(record),
        origin: meta.origin,
        trust: meta.trust,
        created_at: Date.parse(record.created_at) || meta.now,
        updated_at: Date.parse(record.updated_at) || meta.now,
        fetched_at: meta.fetchedAt ?? null,
      });
      const row = Number(lastInsertRowid);
      this.index.add(row, record.task, record.content);
      return fromRow(this.#byRow.get(row) as unknown as KnowledgeRow);
    });
  }

  /** Writes an item back; the index follows when its text changed. */
  update(
    item: StoredItem,
    changes: { now: number; trust?: Trust; revision?: number; fetchedAt?: number },
  ): StoredItem {
    return this.transaction(() => {
      const before = this.#byRow.get(item.row) as KnowledgeRow | undefined;
      if (!before) throw new Error(`knowledge item ${item.record.id} was deleted meanwhile`);
      this.#update.run({
        ...withoutId(toColumns(item.record)),
        row: item.row,
        trust: changes.trust ?? item.trust,
        belief: item.belief,
        revision: changes.revision ?? item.revision,
        updated_at: changes.now,
        fetched_at: changes.fetchedAt ?? item.fetchedAt ?? null,
      });
      if (before.task !== item.record.task || before.content !== item.record.content) {
        this.index.remove(item.row);
        this.index.add(item.row, item.record.task, item.record.content);
      }
      return fromRow(this.#byRow.get(item.row) as unknown as KnowledgeRow);
    });
  }

  /** Takes an item out for good, with its votes, revisions and vectors. */
  delete(id: string): boolean {
    return this.transaction(() => {
      const row = this.#byId.get(id) as KnowledgeRow | undefined;
      if (!row) return false;
      this.index.remove(row.row);
      this.db.prepare("DELETE FROM knowledge WHERE row = ?").run(row.row);
      this.db.prepare("DELETE FROM vectors WHERE row = ?").run(row.row);
      for (const table of ["votes", "revisions", "evolutions"]) {
        this.db.prepare(`DELETE FROM ${table} WHERE knowledge_id = ?`).run(id);
      }
      return true;
    });
  }

  /**
   * The best items for a query, best first.
   *
   * The index is asked for more and more rows until enough pass the filter, as a filter is not part of the index.
   */
  search(query: string, topK: number, filter: ItemFilter, now: number): SearchHit[] {
    const hits: SearchHit[] = [];
    const seen = new Set<number>();
    for (let limit = Math.max(40, topK * 4); ; limit *= 8) {
      const found = this.index.search(query, limit);
      for (const { row, relevance } of found) {
        if (seen.has(row)) continue;
        seen.add(row);
        const stored = this.#byRow.get(row) as KnowledgeRow | undefined;
        if (!stored || !passes(stored, filter)) continue;
        const item = fromRow(stored);
        hits.push({ item, rank: rank(relevance, item, now) });
      }
      if (hits.length >= topK || found.length < limit || limit > 20_000) break;
    }
    hits.sort((a, b) => b.rank - a.rank || b.item.updatedAt - a.item.updatedAt);
    return hits.slice(0, topK);
  }

  /** Items by rows, e.g. of a vector search, in the order given; filtered ones are left out. */
  byRows(rows: readonly number[], filter: ItemFilter): StoredItem[] {
    const items: StoredItem[] = [];
    for (const row of rows) {
      const stored = this.#byRow.get(row) as KnowledgeRow | undefined;
      if (stored && passes(stored, filter)) items.push(fromRow(stored));
    }
    return items;
  }

  /** A page of items, newest first. Hidden statuses are listed too, unless `statuses` says otherwise. */
  list(filter: ItemFilter, page: number, pageSize: number): { items: StoredItem[]; total: number } {
    const where = ["origin = ?"];
    const values: SQLInputValue[] = [filter.origin];
    const anyOf = (column: string, options: readonly string[] | undefined) => {
      if (!options || options.length === 0) return;
      where.push(`${column} IN (${options.map(() => "?").join(", ")})`);
      values.push(...options);
    };
    anyOf("owner", filter.owners);
    anyOf("status", filter.statuses);
    for (const type of filter.types ?? []) {
      where.push("EXISTS (SELECT 1 FROM json_each(types) WHERE value = ?)");
      values.push(type);
    }
    for (const scope of filter.scopes ?? []) {
      where.push("EXISTS (SELECT 1 FROM json_each(rest, '$.scopes') WHERE value = ?)");
      values.push(scope);
    }
    for (const tag of filter.tags ?? []) {
      where.push("EXISTS (SELECT 1 FROM json_each(rest, '$.tags') WHERE key = ?)");
      values.push(tag);
    }
    if (filter.minScore !== undefined) {
      where.push("score >= ?");
      values.push(filter.minScore);
    }
    const clause = where.join(" AND ");
    const total = this.db.prepare(`SELECT count(*) AS n FROM knowledge WHERE ${clause}`).get(...values) as {
      n: number;
    };
    const rows = this.db
      .prepare(`${SELECT} WHERE ${clause} ORDER BY updated_at DESC, row DESC LIMIT ? OFFSET ?`)
      .all(...values, pageSize, (page - 1) * pageSize) as unknown as KnowledgeRow[];
    return { items: rows.map(fromRow), total: total.n };
  }

  /** Every item of an origin, oldest first, a page of memory at a time. */
  *all(origin: string): Generator<StoredItem> {
    const page = this.db.prepare(`${SELECT} WHERE origin = ? AND row > ? ORDER BY row LIMIT 200`);
    for (let last = 0; ; ) {
      const rows = page.all(origin, last) as unknown as KnowledgeRow[];
      for (const row of rows) yield fromRow(row);
      const end = rows.at(-1);
      if (!end) return;
      last = end.row;
    }
  }

  /** Keeps the `keep` most recently fetched copies of a server's items. */
  evict(origin: string, keep: number): void {
    const old = this.db
      .prepare("SELECT id FROM knowledge WHERE origin = ? ORDER BY fetched_at DESC LIMIT -1 OFFSET ?")
      .all(origin, keep) as unknown as { id: string }[];
    for (const { id } of old) this.delete(id);
  }

  counts(origin: string): { status: string; n: number }[] {
    return this.db
      .prepare("SELECT status, count(*) AS n FROM knowledge WHERE origin = ? GROUP BY status ORDER BY status")
      .all(origin) as unknown as { status: string; n: number }[];
  }
}

function withoutId<T extends { id: string }>({ id: _id, ...columns }: T): Omit<T, "id"> {
  return columns;
}

function passes(row: KnowledgeRow, filter: ItemFilter): boolean {
  if (row.origin !== filter.origin) return false;
  if (
    filter.statuses && filter.statuses.length > 0
      ? !filter.statuses.includes(row.status)
      : HIDDEN_STATUSES.has(row.status)
  )
    return false;
  if (filter.minScore !== undefined && row.score < filter.minScore) return false;
  if (filter.trusts && !filter.trusts.some((trust) => trust === row.trust)) return false;
  if (filter.owners && filter.owners.length > 0 && !filter.owners.includes(row.owner)) return false;
  if (filter.types && filter.types.length > 0) {
    const types = JSON.parse(row.types) as string[];
    if (!filter.types.every((type) => types.includes(type))) return false;
  }
  return true;
}

/** A record's `quality_score`, for records that came without one. */
export function withQuality(record: KnowledgeRecord): KnowledgeRecord {
  return { ...record, quality_score: record.quality_score ?? qualityScore(record) };
}
