/**
 * Which vault of this installation a database is. One that was damaged or deleted is followed by another, which knows no
 * numbers of the one before: transcripts still hold those, so it must not give them to other values.
 */
import { readFileSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { writePrivateFile } from "../config-file/private-file.ts";

/** Key in `meta`. */
const KEY = "generation";

/**
 * What the types of a vault's placeholders end in: nothing for the first, `R2` for the second, and so on. It is kept in
 * the database, and beside it, where it outlives the database.
 */
export function generationName(db: DatabaseSync, vaultFile: string): string {
  const kept = readKept(db);
  const number = kept ?? begin(db, `${vaultFile}.generation`);
  return number === 1 ? "" : `R${number}`;
}

function begin(db: DatabaseSync, marker: string): number {
  const before = readMarker(marker);
  const isNew = db.prepare("SELECT 1 FROM counters LIMIT 1").get() === undefined;
  const number = isNew ? (before ?? 0) + 1 : (before ?? 1);
  try {
    if (number !== before) writePrivateFile(marker, `${number}\n`);
    db.prepare("INSERT OR IGNORE INTO meta (key, value) VALUES (?, ?)").run(KEY, String(number));
    return readKept(db) ?? number;
  } catch {
    // Another process has it locked: the next opening keeps it.
    return number;
  }
}

function readKept(db: DatabaseSync): number | undefined {
  const row = db.prepare("SELECT value FROM meta WHERE key = ?").get(KEY) as { value: string } | undefined;
  return asNumber(row?.value);
}

function readMarker(file: string): number | undefined {
  try {
    return asNumber(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

function asNumber(text: string | undefined): number | undefined {
  const number = Number(text);
  return Number.isSafeInteger(number) && number > 0 && number < 1_000_000 ? number : undefined;
}
