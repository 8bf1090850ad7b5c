import type { DatabaseSync, StatementSync } from "node:sqlite";
import { queryTokens, singleCjk, tokenise } from "../text/tokenise.ts";

/** A row of the knowledge table and its lexical relevance, larger is better. */
export interface Hit {
  row: number;
  relevance: number;
}

/**
 * Most postings (document occurrences of query terms) that one query reads. Above it the commonest terms are dropped: they
 * add least to bm25, and reading them is what makes a query slow in a large store.
 */
const MAX_POSTINGS = 24_000;
/** So many of the rarest terms are always kept. */
const MIN_TERMS = 3;
/** bm25 weight of the task against the content. */
const TASK_WEIGHT = 2.5;

/** The full-text index over application-made tokens: CJK pairs, identifier parts, stems. */
export class IndexSearch {
  readonly #insert: StatementSync;
  readonly #delete: StatementSync;
  readonly #match: StatementSync;
  readonly #like: StatementSync;
  readonly #documents: StatementSync;

  constructor(db: DatabaseSync) {
    this.#insert = db.prepare("INSERT INTO search(rowid, task, content) VALUES (?, ?, ?)");
    this.#delete = db.prepare("DELETE FROM search WHERE rowid = ?");
    this.#match = db.prepare(
      `SELECT rowid AS row, bm25(search, ${TASK_WEIGHT}, 1.0) AS cost FROM search WHERE search MATCH ? ORDER BY cost LIMIT ?`,
    );
    this.#like = db.prepare(
      `SELECT row, (CASE WHEN instr(task, ?1) > 0 THEN 2.0 ELSE 1.0 END) AS relevance FROM knowledge
       WHERE instr(task, ?1) > 0 OR instr(content, ?1) > 0 ORDER BY relevance DESC, updated_at DESC LIMIT ?2`,
    );
    this.#documents = db.prepare("SELECT doc FROM search_terms WHERE term = ?");
  }

  add(row: number, task: string, content: string): void {
    this.#insert.run(row, tokenise(task).join(" "), tokenise(content).join(" "));
  }

  remove(row: number): void {
    this.#delete.run(row);
  }

  /** The `limit` best rows for a query, best first. Only stop words or punctuation in it find nothing. */
  search(query: string, limit: number): Hit[] {
    const character = singleCjk(query);
    if (character !== undefined) {
      return this.#like.all(character, limit) as unknown as Hit[];
    }
    const terms = this.#affordable(queryTokens(query));
    if (terms.length === 0) return [];
    const rows = this.#match.all(expression(terms), limit) as unknown as { row: number; cost: number }[];
    return rows.map(({ row, cost }) => ({ row, relevance: -cost }));
  }

  #affordable(tokens: string[]): string[] {
    if (tokens.length <= MIN_TERMS) return tokens;
    const counted = tokens.map((token) => ({ token, documents: this.#documentsOf(token) }));
    counted.sort((a, b) => a.documents - b.documents);
    const kept: string[] = [];
    let postings = 0;
    for (const { token, documents } of counted) {
      if (documents === 0) continue;
      postings += documents;
      if (postings > MAX_POSTINGS && kept.length >= MIN_TERMS) break;
      kept.push(token);
    }
    return kept;
  }

  #documentsOf(token: string): number {
    return (this.#documents.get(token) as { doc: number } | undefined)?.doc ?? 0;
  }
}

/** An FTS5 OR of string literals, in which nothing is an operator. @see https://sqlite.org/fts5.html#fts5_strings */
function expression(tokens: string[]): string {
  return tokens.map((token) => `"${token.replaceAll('"', '""')}"`).join(" OR ");
}
