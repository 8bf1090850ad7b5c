import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import * as z from "zod";
import { configError } from "../exit-codes.ts";
import { makeFolder } from "./folder.ts";

const LOCK_FILE = ".knot-eval.lock";
/** A running process touches its lock this often; after STALE_MS without a touch it is taken for dead. */
const BEAT_MS = 5_000;
const STALE_MS = 60_000;

const ownerSchema = z.object({ pid: z.number(), host: z.string(), started_at: z.string() });

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: there is such a process, of another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Who holds the lock, or undefined when its owner is gone. */
function holder(file: string): z.infer<typeof ownerSchema> | undefined {
  try {
    if (Date.now() - statSync(file).mtimeMs > STALE_MS) return undefined;
    const owner = ownerSchema.parse(JSON.parse(readFileSync(file, "utf8")));
    return owner.host === hostname() && !isAlive(owner.pid) ? undefined : owner;
  } catch {
    // Unreadable: written by nobody who is still at it, or just being taken away.
    return undefined;
  }
}

/** Temporary files of a process that was killed between writing and renaming (see writeFileAtomic). */
function removeLeftovers(dir: string): void {
  for (const name of readdirSync(dir)) {
    if (/^(?:eval_|progress\.|pending_|ai_review_)[\w.]*\.\d+\.[0-9a-f]{8}\.tmp$/.test(name))
      rmSync(path.join(dir, name), { force: true });
  }
}

/**
 * Takes an output folder for one run: two runs in one folder would ask every question twice and cut each other's
 * journal. The lock of a process that was killed is taken over.
 *
 * @returns a function that gives the folder back
 * @throws StageError (exit 2) when another run is at work there; the file system's error when it cannot be written
 */
export function lockFolder(dir: string): () => void {
  makeFolder(dir);
  const file = path.join(dir, LOCK_FILE);
  const owner = JSON.stringify({ pid: process.pid, host: hostname(), started_at: new Date().toISOString() });
  for (let attempt = 0; ; attempt++) {
    try {
      const fd = openSync(file, "wx", 0o600);
      writeSync(fd, owner);
      closeSync(fd);
      break;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST") || attempt >= 3)
        throw error;
      const other = holder(file);
      if (other)
        throw configError(
          `Another run (process ${other.pid} on ${other.host}, since ${other.started_at}) is at work in ${dir}. Wait for it, or use another folder with --out.`,
        );
      rmSync(file, { force: true });
    }
  }
  removeLeftovers(dir);
  const beat = setInterval(() => {
    try {
      const now = new Date();
      utimesSync(file, now, now);
    } catch {
      // Taken away by hand: nothing to keep fresh.
    }
  }, BEAT_MS);
  beat.unref();
  return () => {
    clearInterval(beat);
    rmSync(file, { force: true });
  };
}
