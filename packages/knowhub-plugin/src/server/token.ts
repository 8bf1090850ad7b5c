import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { chmodSync, closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import path from "node:path";

/** The file that holds the bearer token of the served knowledge base. */
export function tokenFile(stateDir: string): string {
  return path.join(stateDir, "knowhub", "serve-token");
}

/** The bearer token, made at the first call: 256 random bits in a file only its owner can read. */
export function serveToken(stateDir: string): string {
  const file = tokenFile(stateDir);
  try {
    const token = readFileSync(file, "utf8").trim();
    if (token.length >= 32) {
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
  renameSync(temporary, file);
  return token;
}

/** Compares in constant time, whatever the lengths. */
export function sameToken(given: string, expected: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
