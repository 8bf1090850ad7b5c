/** Opens the vault's SQLite file: WAL, 0600 in a 0700 folder; a damaged one is moved aside. */
import { chmodSync, existsSync, mkdirSync, renameSync, statSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";

export interface OpenedDatabase {
  db: DatabaseSync;
  /** Where a damaged file went, if there was one. */
  movedAside: string | undefined;
}

/**
 * @param schema statements that may run on every opening (`CREATE ... IF NOT EXISTS`)
 * @throws when the folder cannot be written
 */
export function openPrivateDatabase(file: string, schema: string): OpenedDatabase {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  // One that was there before may be open to others.
  restrict(path.dirname(file), 0o700);
  try {
    return { db: open(file, schema), movedAside: undefined };
  } catch (error) {
    if (!existsSync(file) || !/malformed|not a database|corrupt/i.test(String(error))) throw error;
    const movedAside = `${file}.damaged-${Date.now()}`;
    renameSync(file, movedAside);
    restrict(movedAside, 0o600);
    for (const suffix of ["-wal", "-shm"]) {
      if (existsSync(file + suffix)) renameSync(file + suffix, movedAside + suffix);
    }
    return { db: open(file, schema), movedAside };
  }
}

/** Takes others' rights away, where that is ours to do. */
function restrict(file: string, mode: number): void {
  try {
    if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") throw error;
  }
}

function open(file: string, schema: string): DatabaseSync {
  const previous = process.umask(0o077);
  try {
    const db = new DatabaseSync(file, { timeout: existsSync(file) ? 250 : 2_000 });
    try {
      db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON;");
      db.exec(schema);
      const check = db.prepare("PRAGMA quick_check(1)").get() as { quick_check: string };
      if (check.quick_check !== "ok") throw new Error(`malformed: ${check.quick_check}`);
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
