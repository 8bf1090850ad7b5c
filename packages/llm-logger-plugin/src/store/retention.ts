/** Deletes old log files by age and by total size, never one that is being written. */
import { open, readdir, rm, rmdir, stat } from "node:fs/promises";
import path from "node:path";
import { PLUGIN_ID } from "../config.ts";
import { DEFAULT_STEM, dayOfFile, type LogLocation } from "./paths.ts";

export interface RetentionPolicy {
  /** Files of days before this many days ago go; 0 keeps all. */
  days: number;
  /** The oldest files go until the rest is at most this large; 0 keeps all. */
  maxBytes: number;
}

export interface LogFile {
  file: string;
  /** Folder name of the session. */
  session: string;
  /** Local day, `YYYY-MM-DD`. */
  day: string;
  bytes: number;
  modifiedAt: number;
}

/** Every log file under a root, oldest first. Folders that vanish meanwhile are skipped; a missing root is empty. */
export async function listLogFiles(location: LogLocation): Promise<LogFile[]> {
  const sessions = await readdir(location.dir, { withFileTypes: true }).catch(ignoreMissing);
  const files: LogFile[] = [];
  for (const session of sessions) {
    if (!session.isDirectory()) continue;
    const dir = path.join(location.dir, session.name);
    // Somebody else's folder that we may not read holds nothing of ours.
    for (const entry of await readdir(dir, { withFileTypes: true }).catch(() => [])) {
      const day = entry.isFile() ? dayOfFile(location, entry.name) : undefined;
      if (day === undefined) continue;
      const file = path.join(dir, entry.name);
      const info = await stat(file).catch(() => undefined);
      if (info) files.push({ file, session: session.name, day, bytes: info.size, modifiedAt: info.mtimeMs });
    }
  }
  return files.sort((a, b) => a.day.localeCompare(b.day) || a.modifiedAt - b.modifiedAt);
}

/**
 * Chooses what to delete.
 * @param files oldest first.
 * @param current paths that are being written; they count for the size and are never chosen.
 */
export function chooseExpired(
  files: LogFile[],
  policy: RetentionPolicy,
  today: Date,
  current: ReadonlySet<string>,
): LogFile[] {
  const firstKept = new Date(today.getFullYear(), today.getMonth(), today.getDate() - policy.days);
  const expired = new Set<LogFile>();
  for (const file of files) {
    if (policy.days > 0 && dayStart(file.day) < firstKept.getTime() && !current.has(file.file))
      expired.add(file);
  }
  if (policy.maxBytes > 0) {
    let total = files.reduce((sum, file) => sum + (expired.has(file) ? 0 : file.bytes), 0);
    for (const file of files) {
      if (total <= policy.maxBytes) break;
      if (expired.has(file) || current.has(file.file)) continue;
      expired.add(file);
      total -= file.bytes;
    }
  }
  return files.filter((file) => expired.has(file));
}

/**
 * Applies a policy and returns what was deleted. Session folders left empty are removed. A file of our name that holds
 * something else is left alone; one that cannot be deleted does not keep the others.
 * @throws the first error, after all files were tried.
 */
export async function prune(
  location: LogLocation,
  policy: RetentionPolicy,
  current: ReadonlySet<string>,
  options: { now?: Date; dryRun?: boolean } = {},
): Promise<LogFile[]> {
  const files = await listLogFiles(location);
  const gone: LogFile[] = [];
  let failed: { error: unknown } | undefined;
  for (const expired of chooseExpired(files, policy, options.now ?? new Date(), current)) {
    // The default name says enough; a name that the user chose may be another program's as well.
    if (location.stem !== DEFAULT_STEM && !(await isOurs(expired.file))) continue;
    if (!options.dryRun) {
      try {
        await rm(expired.file, { force: true });
      } catch (error) {
        failed ??= { error };
        continue;
      }
      await rmdir(path.dirname(expired.file)).catch(() => undefined);
    }
    gone.push(expired);
  }
  if (failed) throw failed.error;
  return gone;
}

/** Whether a file holds log lines: the plugin's name stands near the start of every line. */
async function isOurs(file: string): Promise<boolean> {
  const handle = await open(file, "r").catch(() => undefined);
  if (!handle) return false;
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(64 * 1024), 0, 64 * 1024, 0);
    return buffer.subarray(0, bytesRead).includes(`"plugin":"${PLUGIN_ID}"`);
  } finally {
    await handle.close();
  }
}

function dayStart(day: string): number {
  const [year, month, date] = day.split("-").map(Number);
  return new Date(year ?? 0, (month ?? 1) - 1, date ?? 1).getTime();
}

function ignoreMissing(error: NodeJS.ErrnoException): never[] {
  if (error.code === "ENOENT" || error.code === "ENOTDIR") return [];
  throw error;
}
