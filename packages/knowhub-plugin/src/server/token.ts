import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import path from "node:path";

/** The file that holds the bearer token of the served knowledge base. */
export function tokenFile(stateDir: string): string {
  return path.join(stateDir, "knowhub", "serve-token");
}

/** A shorter one is a file that was cut off. */
const MIN_LENGTH = 32;

/** The bearer token, made at the first call: 256 random bits in a file only its owner can read. */
export function serveToken(stateDir: string): string {
  const file = tokenFile(stateDir);
  try {
    const token = readFileSync(file, "utf8").trim();
    if (token.length >= MIN_LENGTH) {
      chmodSync(file, 0o600);
      return token;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  const token = randomBytes(32).toString("base64url");
  const temporary = `${file}.${process.pid}.tmp`;
  const fd = openSync(temporary, "w", 0o600);
  try {
    writeSync(fd, `${token}\n`);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  try {
    // A link fails where the file is there already: of two processes that make it at once, the first one's is everybody's.
    linkSync(temporary, file);
    return token;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    const theirs = readFileSync(file, "utf8").trim();
    if (theirs.length >= MIN_LENGTH) return theirs;
    renameSync(temporary, file);
    return token;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Compares in constant time, whatever the lengths. */
export function sameToken(given: string, expected: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
