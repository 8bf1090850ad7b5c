import type { DatabaseSync } from "node:sqlite";

const DAY = 86_400_000;

/** How long bookkeeping is kept that nothing else removes. Knowledge, votes and the outbox are never pruned. */
const KEEP: readonly (readonly [table: string, column: string, days: number])[] = [
  ["sessions", "updated_at", 90],
  ["extracted", "at", 90],
  ["redactions", "at", 365],
  ["answers", "at", 30],
  ["remote_ids", "at", 365],
];

/** Removes bookkeeping that has served its time. @returns how many rows */
export function prune(db: DatabaseSync, now: number): number {
  let removed = 0;
  for (const [table, column, days] of KEEP) {
    removed += Number(db.prepare(`DELETE FROM ${table} WHERE ${column} < ?`).run(now - days * DAY).changes);
  }
  return removed;
}
