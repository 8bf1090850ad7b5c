import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import type { KnowledgeStore } from "./knowledge-store.ts";
import { fromRow, type KnowledgeRow } from "./rows.ts";

/** What could be read of a damaged file. */
export interface Salvaged {
  /** Knowledge items, copies of a server's items included. */
  items: number;
  /** Requests that had not reached their server. */
  requests: number;
}

/**
 * Tables in the order of their worth. `knowledge` is read row by row through its schema; `search` and `vectors` are made anew from
 * it.
 */
const TABLES = [
  "knowledge",
  "outbox",
  "votes",
  "revisions",
  "evolutions",
  "remote_ids",
  "answers",
  "installation",
  "extracted",
  "redactions",
] as const;

/**
 * Takes over what a damaged database still gives. Damage is mostly a few pages, or the index alone: each table is read from its
 * beginning to the first unreadable row, and then from its end.
 *
 * @param from the damaged file, moved aside with its write-ahead log
 * @returns what was taken over; nothing when the file is no database at all
 */
export function salvage(from: string, to: KnowledgeStore): Salvaged {
  const counts = new Map<string, number>();
  let db: DatabaseSync;
  try {
    db = new DatabaseSync(from, { readOnly: true });
  } catch {
    return { items: 0, requests: 0 };
  }
  try {
    to.transaction(() => {
      for (const table of TABLES) counts.set(table, copyTable(table, db, to));
    });
  } finally {
    db.close();
  }
  return { items: counts.get("knowledge") ?? 0, requests: counts.get("outbox") ?? 0 };
}

function copyTable(table: (typeof TABLES)[number], from: DatabaseSync, to: KnowledgeStore): number {
  const columns = columnsOf(table, to.db);
  const insert = to.db.prepare(
    `INSERT OR IGNORE INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
  );
  let copied = 0;
  for (const order of ["ASC", "DESC"]) {
    try {
      const rows = from
        .prepare(`SELECT ${columns.join(", ")} FROM ${table} ORDER BY ${columns[0]} ${order}`)
        .iterate() as Iterable<Record<string, SQLInputValue>>;
      for (const row of rows) copied += put(table, row) ? 1 : 0;
      // Read to its end: nothing is left for the other direction.
      return copied;
    } catch {
      // An unreadable page, or no such table in an older file.
    }
  }
  return copied;

  function put(name: string, row: Record<string, SQLInputValue>): boolean {
    try {
      const item = name === "knowledge" ? fromRow(row as unknown as KnowledgeRow) : undefined;
      if (insert.run(...columns.map((column) => row[column] ?? null)).changes !== 1) return false;
      if (item) to.index.add(item.row, item.record.task, item.record.content);
      return true;
    } catch {
      return false; // Bytes that are no record.
    }
  }
}

function columnsOf(table: string, db: DatabaseSync): string[] {
  const rows = db.prepare(`SELECT name FROM pragma_table_info('${table}')`).all() as { name: string }[];
  return rows.map((row) => row.name);
}
