import { chmodSync, closeSync, existsSync, mkdirSync, openSync, renameSync, statSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { migrate, NewerSchema } from "./migrations.ts";

/** The knowledge base cannot be opened; the message says what to do. */
export class StoreUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "StoreUnavailable";
  }
}

export interface OpenedDatabase {
  db: DatabaseSync;
  file: string;
  /** Where a damaged file was moved to, when there was one. */
  movedAside?: string;
  /** The state folder cannot be written: searching works, saving does not. */
  readOnly: boolean;
}

/** SQLite result codes that mean the file's bytes are wrong. @see https://sqlite.org/rescode.html */
const SQLITE_ERROR = 1;
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

interface SqliteError extends Error {
  errcode?: number;
}

/** What a fault of the file means for a person, in both languages, by result code. */
const FAULTS: Readonly<Record<number, { zh: string; en: string }>> = {
  5: {
    zh: "知识库正被另一个进程占用，请稍后重试",
    en: "another process is using the knowledge base; try again in a moment",
  },
  8: { zh: "知识库文件只读，无法保存", en: "the knowledge base file can only be read" },
  10: {
    zh: "读写知识库文件出错，请检查磁盘",
    en: "the knowledge base file cannot be read or written; check the disk",
  },
  13: {
    zh: "磁盘已满，未能保存；清理空间后重试",
    en: "the disk is full, nothing was saved; free some space and try again",
  },
};

/** What to tell a person of a database error; undefined when it is none, or one that only a developer understands. */
export function faultOf(error: unknown): { zh: string; en: string } | undefined {
  const code = (error as Partial<SqliteError> | undefined)?.errcode;
  return code === undefined ? undefined : FAULTS[code & 0xff];
}

/** Whether an error says that the database file is damaged (as opposed to busy, full or forbidden). */
export function isCorruption(error: unknown): boolean {
  const { errcode: code, message = "" } = (error ?? {}) as Partial<SqliteError>;
  if (code === undefined) return false;
  if ([SQLITE_CORRUPT, SQLITE_NOTADB].includes(code & 0xff)) return true;
  // All statements are this program's own: what they name is missing only where the file lost it.
  return (
    code === SQLITE_ERROR &&
    /^no such (?:table|column)|^malformed database schema|vtable constructor failed/.test(message)
  );
}

/**
 * Opens the knowledge base file, making it (0600, in a 0700 folder, WAL) when there is none.
 *
 * A damaged file is moved aside with its WAL and a new one made. In a folder that cannot be written an existing file
 * is opened for reading.
 *
 * @param file absolute path of the SQLite file.
 * @throws StoreUnavailable when there is neither a usable file nor a way to make one.
 */
export function openDatabase(file: string, now = new Date()): OpenedDatabase {
  try {
    return { db: openWritable(file), file, readOnly: false };
  } catch (error) {
    if (isCorruption(error)) {
      const movedAside = moveAside(file, now);
      return { db: openWritable(file), file, movedAside, readOnly: false };
    }
    const db = error instanceof NewerSchema ? undefined : openReadOnly(file);
    if (db) return { db, file, readOnly: true };
    const reason = error instanceof Error ? error.message : String(error);
    const advice =
      error instanceof NewerSchema
        ? ""
        : " Make the folder writable for this user, then restart the gateway.";
    throw new StoreUnavailable(`the knowledge base cannot be opened at ${file} (${reason}).${advice}`, {
      cause: error,
    });
  }
}

function openWritable(file: string): DatabaseSync {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  // SQLite gives -wal and -shm the mode of the main file: making that first keeps all three private.
  closeSync(openSync(file, "a", 0o600));
  chmodSync(file, 0o600);
  const db = new DatabaseSync(file);
  try {
    // The pragmas trade nothing but the last transactions of a power cut (not of a killed process) for speed.
    db.exec("PRAGMA busy_timeout = 3000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
    db.exec(
      "PRAGMA cache_size = -16000; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; PRAGMA secure_delete = FAST;",
    );
    migrate(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function openReadOnly(file: string): DatabaseSync | undefined {
  if (!existsSync(file)) return undefined;
  // Where its -shm file can be used or made, the write-ahead log is read too; `immutable` does without both.
  const immutable = pathToFileURL(file);
  immutable.searchParams.set("immutable", "1");
  for (const target of [file, immutable]) {
    try {
      const db = new DatabaseSync(target, { readOnly: true });
      try {
        db.prepare("SELECT count(*) FROM knowledge").get();
        return db;
      } catch {
        db.close();
      }
    } catch {
      // The next way.
    }
  }
  return undefined;
}

/** Identity of the file at a path, or undefined when there is none. */
export function identityOf(file: string): string | undefined {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat && `${stat.dev}:${stat.ino}`;
}

/** Moves a damaged database and its side files out of the way. @returns where the main file is now. */
export function moveAside(file: string, now = new Date()): string {
  const target = `${file}.corrupt-${now.toISOString().replace(/[:.]/g, "-")}`;
  renameSync(file, target);
  for (const side of ["-wal", "-shm"]) {
    if (existsSync(file + side)) renameSync(file + side, target + side);
  }
  return target;
}
