/** Deletes old log files by age and by total size, never one that is being written. */
import { readdir, rm, rmdir, stat } from "node:fs/promises";
import path from "node:path";
import { dayOfFile, type LogLocation } from "./paths.ts";

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
    for (const entry of await readdir(dir, { withFileTypes: true }).catch(ignoreMissing)) {
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

/** Applies a policy and returns what was deleted. Session folders left empty are removed. */
export async function prune(
  location: LogLocation,
  policy: RetentionPolicy,
  current: ReadonlySet<string>,
  options: { now?: Date; dryRun?: boolean } = {},
): Promise<LogFile[]> {
  const expired = chooseExpired(await listLogFiles(location), policy, options.now ?? new Date(), current);
  if (options.dryRun) return expired;
  for (const { file } of expired) {
    await rm(file, { force: true });
    await rmdir(path.dirname(file)).catch(() => undefined);
  }
  return expired;
}

function dayStart(day: string): number {
  const [year, month, date] = day.split("-").map(Number);
  return new Date(year ?? 0, (month ?? 1) - 1, date ?? 1).getTime();
}

function ignoreMissing(error: NodeJS.ErrnoException): never[] {
  if (error.code === "ENOENT" || error.code === "ENOTDIR") return [];
  throw error;
}
