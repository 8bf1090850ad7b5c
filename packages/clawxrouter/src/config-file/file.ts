/** Reads, writes and watches clawxrouter.json. Writes are atomic and private (0600). */
import { readFileSync, unwatchFile, watchFile } from "node:fs";
import { checkBuildable } from "./buildable.ts";
import { keepManaged, withManaged } from "./managed-copy.ts";
import { checkConfig, parseConfig } from "./parse.ts";
import { writePrivateFile } from "./private-file.ts";
import type { RouterConfig } from "./schema.ts";

export { replaceFile, writePrivateFile } from "./private-file.ts";

/** Name of the file in the host's state directory (`~/.openclaw` unless told otherwise). */
export const CONFIG_FILE_NAME = "clawxrouter.json";

/**
 * @returns the settings of the file, all defaults when there is none; what setup keeps also when the file has lost it
 * @throws ConfigError when it is not valid
 */
export function readConfigFile(file: string): RouterConfig {
  const text = readText(file) ?? "";
  const config = parseConfig(text, file);
  checkBuildable(config, file, text);
  const raw = text.trim() === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
  const whole = withManaged(raw, file);
  return whole === raw ? config : checkConfig(whole, file);
}

/** Makes the copy of what setup keeps, where an older version has made none. Never throws. */
export function copyManaged(file: string): void {
  try {
    const raw: unknown = JSON.parse(readText(file) ?? "{}");
    if (typeof raw === "object" && raw !== null && "managed" in raw) keepManaged({ ...raw }, file);
  } catch {
    // Without a copy all is as it was.
  }
}

/** Whether there is no such file, or nothing in it: while an editor writes, or after a mishap. */
export function isBlankFile(file: string): boolean {
  return (readText(file) ?? "").trim() === "";
}

/**
 * The file as the user wrote it (no defaults), for edits that must keep what they do not touch; what setup keeps also
 * when the file has lost it.
 */
export function readRawConfig(file: string): Record<string, unknown> {
  const text = readText(file) ?? "";
  parseConfig(text, file);
  return withManaged(text.trim() === "" ? {} : (JSON.parse(text) as Record<string, unknown>), file);
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
  keepManaged(raw, file);
  writePrivateFile(file, `${JSON.stringify(raw, null, 2)}\n`);
  return config;
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
