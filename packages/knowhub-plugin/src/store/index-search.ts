import type { DatabaseSync, StatementSync } from "node:sqlite";
import { synonyms } from "../text/glossary.ts";
import { normalise } from "../text/normalise.ts";
import { cjkCharacters, queryTokens, singleCjk, tokenise } from "../text/tokenise.ts";

/** A row of the knowledge table and its lexical relevance, larger is better. */
export interface Hit {
  row: number;
  relevance: number;
}

/**
 * Most postings (document occurrences of query terms) that one query reads. Above it the commonest terms are dropped: they
 * add least to bm25, and reading them is what makes a query slow in a large store. Measured with CMRC2018 among 100,000 other
 * items: Recall@5 is the same with 4,000 as without a limit, a query costs a quarter of the time.
 */
const MAX_POSTINGS = 8_000;
/** So many of the rarest terms are always kept. */
const MIN_TERMS = 3;
/** bm25 weight of the task against the content. */
const TASK_WEIGHT = 2.5;
/**
 * Widening by single characters reads every pair that starts with one. In a small store it is done always, in one of a middling size when
 * a query has fewer hits than this, in a large one, where it is slow and a query seldom short of hits, never.
 */
const ENOUGH = 5;
const SMALL = 3_000;
const LARGE = 20_000;
/** What a shared character counts against a shared word. */
const WIDENED = 0.2;

/** The full-text index over application-made tokens: CJK pairs, identifier parts, stems. */
export class IndexSearch {
  readonly #maxPostings: number;
  readonly #insert: StatementSync;
  readonly #delete: StatementSync;
  readonly #match: StatementSync;
  readonly #like: StatementSync;
  readonly #documents: StatementSync;
  readonly #lastRow: StatementSync;

  constructor(db: DatabaseSync, maxPostings = MAX_POSTINGS) {
    this.#maxPostings = maxPostings;
    this.#insert = db.prepare("INSERT INTO search(rowid, task, content) VALUES (?, ?, ?)");
    this.#delete = db.prepare("DELETE FROM search WHERE rowid = ?");
    this.#match = db.prepare(
      `SELECT rowid AS row, bm25(search, ${TASK_WEIGHT}, 1.0) AS cost FROM search WHERE search MATCH ? ORDER BY cost LIMIT ?`,
    );
    this.#like = db.prepare(
      `SELECT row, (CASE WHEN task LIKE ?1 THEN 2.0 ELSE 1.0 END) AS relevance FROM knowledge
       WHERE task LIKE ?1 OR content LIKE ?1 ORDER BY relevance DESC, updated_at DESC LIMIT ?2`,
    );
    this.#documents = db.prepare("SELECT doc FROM search_terms WHERE term = ?");
    this.#lastRow = db.prepare("SELECT max(row) AS row FROM knowledge");
  }

  add(row: number, task: string, content: string): void {
    this.#insert.run(row, tokenise(task).join(" "), tokenise(content).join(" "));
  }

  remove(row: number): void {
    this.#delete.run(row);
  }

  /** The `limit` best rows for a query, best first. A query without a letter or digit finds nothing. */
  search(query: string, limit: number): Hit[] {
    const character = singleCjk(query);
    if (character !== undefined) return this.#like.all(`%${character}%`, limit) as unknown as Hit[];
    const tokens = queryTokens(query);
    if (tokens.length === 0) return [];
    const hits = this.#run(this.#affordable(tokens).map(quoted), limit);
    return this.#widened(query, hits, limit);
  }

  /** Adds what rows get for other words for the same, and for single characters of the query. */
  #widened(query: string, hits: Hit[], limit: number): Hit[] {
    const others = synonyms(normalise(query)).flatMap((word) => tokenise(word));
    // They are asked in addition: a quarter of the price, and none that alone costs more.
    const terms = this.#affordable([...new Set(others)], this.#maxPostings / 4, 0).map(quoted);
    const { row: last } = this.#lastRow.get() as { row: number | null };
    const size = last ?? 0;
    const byCharacter = size <= SMALL || (size <= LARGE && hits.length < Math.min(ENOUGH, limit));
    // A prefix of one character finds every pair that starts with it.
    const characters = byCharacter ? cjkCharacters(query).map((char) => `${quoted(char)} *`) : [];
    if (terms.length === 0 && characters.length === 0) return hits;
    const known = new Map(hits.map((hit) => [hit.row, hit]));
    for (const [expressions, weight] of [
      [terms, 1],
      [characters, WIDENED],
    ] as const) {
      for (const { row, relevance } of this.#run(expressions, limit)) {
        const hit = known.get(row);
        if (hit) hit.relevance += relevance * weight;
        else known.set(row, { row, relevance: relevance * weight });
      }
    }
    return [...known.values()].sort((a, b) => b.relevance - a.relevance).slice(0, limit);
  }

  #run(expressions: readonly string[], limit: number): Hit[] {
    if (expressions.length === 0) return [];
    const rows = this.#match.all(expressions.join(" OR "), limit) as unknown as {
      row: number;
      cost: number;
    }[];
    return rows.map(({ row, cost }) => ({ row, relevance: -cost }));
  }

  #affordable(tokens: string[], most = this.#maxPostings, least = MIN_TERMS): string[] {
    if (tokens.length <= least) return tokens;
    const counted = tokens.map((token) => ({ token, documents: this.#documentsOf(token) }));
    counted.sort((a, b) => a.documents - b.documents);
    const kept: string[] = [];
    let postings = 0;
    for (const { token, documents } of counted) {
      if (documents === 0) continue;
      postings += documents;
      if (postings > most && kept.length >= least) break;
      kept.push(token);
    }
    return kept;
  }

  #documentsOf(token: string): number {
    return (this.#documents.get(token) as { doc: number } | undefined)?.doc ?? 0;
  }
}

/** An FTS5 string literal, in which nothing is an operator. @see https://sqlite.org/fts5.html#fts5_strings */
function quoted(token: string): string {
  return `"${token.replaceAll('"', '""')}"`;
}
