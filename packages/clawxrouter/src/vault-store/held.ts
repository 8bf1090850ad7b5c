/**
 * Rows of the vault that could not be written because another process has locked it. They are in a file of their own
 * before their placeholder is used, so that nothing is lost when this process is killed; whoever opens the vault next
 * takes them in.
 */
import { closeSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from "node:fs";
import path from "node:path";
import type { PrivateLevel } from "@clawx/shared-security";

/** A row that waits. */
export interface HeldRow {
  token: string;
  value: string;
  type: string;
  level: PrivateLevel;
  session: string;
  at: number;
  quiet: 0 | 1;
  counterName: string;
  counter: number;
}

/** More than this is not held back: then the vault is of no use, and requests are refused. */
const MAX_ROWS = 10_000;
const MAX_CHARS = 32 * 1024 * 1024;

/** The vault is locked, and too much waits for it already. */
export class VaultLockedError extends Error {
  /** As SQLite's own errors say it: the proxy tells them by it. */
  readonly code = "ERR_SQLITE_ERROR";
  constructor() {
    super(
      "the vault is locked by another process and too many values wait for it. Find who has it open (fuser or lsof on vault.sqlite) and end it",
    );
    this.name = "VaultLockedError";
  }
}

export class HeldRows {
  private readonly file: string;
  private rows: HeldRow[] = [];
  private chars = 0;
  private fd: number | undefined;

  /**
   * @param vaultFile the database
   * @param id of this opening, unlike any other
   */
  constructor(vaultFile: string, id: string) {
    this.file = `${vaultFile}.held-${process.pid}-${id}`;
  }

  get size(): number {
    return this.rows.length;
  }

  /** @throws VaultLockedError when too much waits; an error of the file system when it cannot be kept */
  add(row: HeldRow): void {
    if (this.rows.length >= MAX_ROWS || this.chars + row.value.length > MAX_CHARS)
      throw new VaultLockedError();
    this.fd ??= openSync(this.file, "a", 0o600);
    writeSync(this.fd, `${JSON.stringify(row)}\n`);
    this.rows.push(row);
    this.chars += row.value.length;
  }

  find(matches: (row: HeldRow) => boolean): HeldRow | undefined {
    return this.rows.find(matches);
  }

  /** A value that is no longer to be looked for. */
  silence(value: string): void {
    for (const row of this.rows) if (row.value === value) row.quiet = 1;
  }

  /** The first rows; they stay until {@link written}. */
  first(count: number): readonly HeldRow[] {
    return this.rows.slice(0, count);
  }

  /** The first `count` rows are on disk. */
  written(count: number): void {
    for (const row of this.rows.splice(0, count)) this.chars -= row.value.length;
    if (this.rows.length > 0 || this.fd === undefined) return;
    closeSync(this.fd);
    this.fd = undefined;
    rmSync(this.file, { force: true });
  }

  /** Lets the file be; what is in it is taken in by whoever opens the vault next. */
  close(): void {
    if (this.fd !== undefined) closeSync(this.fd);
    this.fd = undefined;
  }
}

/** Rows that processes left behind or still hold back; `done` removes the files of those that are gone. */
export function leftBehind(vaultFile: string): { rows: HeldRow[]; done: () => void } {
  const dir = path.dirname(vaultFile);
  const prefix = `${path.basename(vaultFile)}.held-`;
  const rows: HeldRow[] = [];
  const gone: string[] = [];
  for (const name of readdirSync(dir)) {
    if (!name.startsWith(prefix)) continue;
    const file = path.join(dir, name);
    // First, so that what is added while we read is not removed.
    if (!isAlive(Number(name.slice(prefix.length).split("-")[0]))) gone.push(file);
    rows.push(...readRows(file));
  }
  return {
    rows,
    done: () => {
      for (const file of gone) rmSync(file, { force: true });
    },
  };
}

function readRows(file: string): HeldRow[] {
  const rows: HeldRow[] = [];
  for (const line of textOf(file).split("\n")) {
    try {
      const row = JSON.parse(line) as HeldRow;
      if (isRow(row)) rows.push(row);
    } catch {
      // The last line of a process that was killed: its placeholder was never used.
    }
  }
  return rows;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    // Its process has written everything in the meantime.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}

function isRow(row: Partial<HeldRow> | null): boolean {
  const { token, value, type, session, counterName } = row ?? {};
  const texts = [token, value, type, session, counterName];
  return (
    texts.every((text) => typeof text === "string") &&
    (row?.level === "S2" || row?.level === "S3") &&
    (row.quiet === 0 || row.quiet === 1) &&
    Number.isSafeInteger(row.at) &&
    Number.isSafeInteger(row.counter)
  );
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
