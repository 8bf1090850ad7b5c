/**
 * One-time links. The command line makes the code and leaves its hash in a file of the state directory; the gateway,
 * another process, takes the file away when the code is used. Whoever takes it away first is let in, nobody else.
 */
import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

/** How long a link can be used, in milliseconds. */
export const CODE_LIFETIME_MS = 5 * 60_000;
/** Codes that may wait at a time. */
const MOST = 20;

function folder(dataDir: string): string {
  return path.join(dataDir, "dashboard-codes");
}

/** @returns the code; only its hash is kept */
export function issueCode(dataDir: string, now = Date.now()): string {
  const dir = folder(dataDir);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const waiting = prune(dir, now);
  for (const name of waiting.slice(0, Math.max(0, waiting.length - MOST + 1))) remove(path.join(dir, name));
  const code = randomBytes(24).toString("base64url");
  writeFileSync(path.join(dir, nameOf(code)), "", { mode: 0o600, flag: "wx" });
  return code;
}

/** @returns whether the code was good; it is used up then */
export function takeCode(dataDir: string, code: string, now = Date.now()): boolean {
  if (!/^[A-Za-z0-9_-]{32}$/.test(code)) return false;
  const file = path.join(folder(dataDir), nameOf(code));
  try {
    const { mtimeMs } = statSync(file);
    // Only one process, and one request in it, can remove a file.
    unlinkSync(file);
    // Either way: a clock that was set back must not make a link last longer.
    return Math.abs(now - mtimeMs) <= CODE_LIFETIME_MS;
  } catch {
    return false;
  }
}

/** The name is a hash: it tells nothing of the code, and comparing names tells nothing of it either. */
function nameOf(code: string): string {
  return createHash("sha256").update(`clawxrouter one-time link\n${code}`).digest("hex");
}

/** Removes what is too old. @returns the names left, oldest first */
function prune(dir: string, now: number): string[] {
  const left: { name: string; at: number }[] = [];
  for (const name of readdirSync(dir)) {
    const file = path.join(dir, name);
    try {
      const at = statSync(file).mtimeMs;
      if (Math.abs(now - at) > CODE_LIFETIME_MS) remove(file);
      else left.push({ name, at });
    } catch {
      // Taken away meanwhile.
    }
  }
  return left.sort((a, b) => a.at - b.at).map(({ name }) => name);
}

function remove(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // Taken away meanwhile.
  }
}
