/** What went wrong with SQLite: with its file, with a row, or (all else) with the disk or a lock. */

/** Whether SQLite says that a file is damaged, or none of its own. */
export function isDamage(error: unknown): boolean {
  return /malformed|not a database|corrupt/i.test(String(error));
}

/** Codes of SQLite that speak of the values, not of the file or the disk: too big, constraint, mismatch, misuse, range. */
const ROWS_CODES = new Set([18, 19, 20, 21, 25]);

/** Whether it is the row that cannot be written, now and ever. */
export function isRowsFault(error: unknown): boolean {
  if (!(error instanceof Error)) return true;
  const code = "errcode" in error && typeof error.errcode === "number" ? error.errcode & 0xff : undefined;
  return code === undefined
    ? error instanceof TypeError || error instanceof RangeError
    : ROWS_CODES.has(code);
}
