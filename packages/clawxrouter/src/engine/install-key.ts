/** The per-install key that is part of every proxy base URL: whoever does not have it is not answered. */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { writePrivateFile } from "../config-file/file.ts";

/** Reads the key, making it (0600) at the first call. */
export function installKey(file: string): string {
  try {
    const key = readFileSync(file, "utf8").trim();
    if (/^[A-Za-z0-9_-]{32,}$/.test(key)) return key;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  const key = randomBytes(30).toString("base64url");
  writePrivateFile(file, `${key}\n`);
  return key;
}
