/** Reads, writes and watches clawxrouter.json. Writes are atomic and private (0600). */
import { randomBytes } from "node:crypto";
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  unwatchFile,
  watchFile,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { checkBuildable } from "./buildable.ts";
import { checkConfig, defaultConfig, parseConfig } from "./parse.ts";
import type { RouterConfig } from "./schema.ts";

/** Name of the file in the host's state directory (`~/.openclaw` unless told otherwise). */
export const CONFIG_FILE_NAME = "clawxrouter.json";

/**
 * @returns the settings of the file, all defaults when there is none
 * @throws ConfigError when it is not valid
 */
export function readConfigFile(file: string): RouterConfig {
  const text = readText(file);
  if (text === undefined) return defaultConfig();
  const config = parseConfig(text, file);
  checkBuildable(config, file, text);
  return config;
}

/** Whether there is no such file, or nothing in it: while an editor writes, or after a mishap. */
export function isBlankFile(file: string): boolean {
  return (readText(file) ?? "").trim() === "";
}

/** The file as the user wrote it (no defaults), for edits that must keep what they do not touch. */
export function readRawConfig(file: string): Record<string, unknown> {
  const text = readText(file);
  if (text === undefined || text.trim() === "") return {};
  parseConfig(text, file);
  return JSON.parse(text) as Record<string, unknown>;
}

/**
 * Changes the file: reads it anew, lets `edit` change the raw object, checks the result, replaces the file.
 * @returns the settings now in force
 * @throws ConfigError when the file or the result is not valid; the file then stays as it was
 */
export function editConfigFile(file: string, edit: (raw: Record<string, unknown>) => void): RouterConfig {
  const raw = readRawConfig(file);
  edit(raw);
  const config = checkConfig(raw, file);
  writePrivateFile(file, `${JSON.stringify(raw, null, 2)}\n`);
  return config;
}

/**
 * Replaces `file` in one step (temporary file, fsync, rename), mode 0600, in a folder of mode 0700. Behind a symbolic
 * link its target is replaced and the link stays; on a failure nothing is left behind and `file` is as it was.
 * @param mode permissions of the new file; default 0600
 */
export function writePrivateFile(file: string, text: string, mode = 0o600): void {
  const target = targetOf(file);
  mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 });
  const temporary = `${target}.${process.pid}.${randomBytes(4).toString("hex")}.tmp`;
  const fd = openSync(temporary, "wx", mode);
  try {
    try {
      // Not `writeSync`: on a disk that is nearly full it writes a part and says nothing.
      writeFileSync(fd, text);
      fchmodSync(fd, mode);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** As {@link writePrivateFile} for a file of somebody else's: it keeps the permissions it has. */
export function replaceFile(file: string, text: string): void {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode;
  writePrivateFile(file, text, mode === undefined ? 0o600 : mode & 0o777);
}

/** The file behind symbolic links; the path itself when there is none, or one that leads nowhere. */
function targetOf(file: string): string {
  try {
    return realpathSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return file;
    throw error;
  }
}

/**
 * Calls `changed` after each change of the file (also when it appears or goes). Polls, because editors replace
 * files by rename and because a watcher on a folder that others write to wakes for everything.
 * @returns stops watching
 */
export function watchConfigFile(file: string, changed: () => void, intervalMs = 500): () => void {
  const listener = (
    now: { mtimeMs: number; size: number; ino: number },
    before: { mtimeMs: number; size: number; ino: number },
  ) => {
    if (now.mtimeMs !== before.mtimeMs || now.size !== before.size || now.ino !== before.ino) changed();
  };
  watchFile(file, { interval: intervalMs, persistent: false }, listener);
  return () => unwatchFile(file, listener);
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new Error(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
