/** Reading and changing clawxrouter.json for the CLI and the dashboard: versions, no lost updates, undo. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { checkBuildable } from "../config-file/buildable.ts";
import { writePrivateFile } from "../config-file/file.ts";
import { withManaged } from "../config-file/managed-copy.ts";
import { ConfigError, type ConfigFault, checkConfig, parseConfig } from "../config-file/parse.ts";
import type { RouterConfig } from "../config-file/schema.ts";
import type { Engine } from "../engine/engine.ts";
import { changesBetween, type ValueChange } from "./changes.ts";
import { hideKeys, KEPT as KEPT_KEY, restoreKeys } from "./secrets.ts";

/** Versions kept for undo. */
const KEPT = 50;
/** Settings that only the file on disk may hold: what setup keeps for itself. Modules are checked apart. */
const DISK_ONLY = ["managed"] as const;
/** Pointers that the page shows and does not edit; `*` is any key. */
export const NOT_EDITABLE = ["/managed", "/privacy/routers/*/module", "/privacy/localModel/module"] as const;

type Raw = Record<string, unknown>;

export interface ConfigDocument {
  /** Changes with every change of the file; send it back with a write. */
  version: string;
  /** The file as written, without what setup keeps and without keys. */
  raw: Raw;
  /** All settings in force. */
  effective: Raw;
  error: { message: string; faults: readonly ConfigFault[] } | undefined;
  canUndo: boolean;
}

export interface HistoryEntry {
  id: string;
  /** When it was replaced, epoch milliseconds. */
  at: number;
  /** It was replaced by a step back. */
  undone: boolean;
}

/** The file was changed by somebody else since it was read. */
export class VersionConflict extends Error {
  readonly version: string;
  constructor(version: string, what = "clawxrouter.json") {
    super(`${what} was changed by somebody else since it was read: load it again and repeat the change`);
    this.name = "VersionConflict";
    this.version = version;
  }
}

export class ConfigApi {
  private readonly engine: Engine;
  constructor(engine: Engine) {
    this.engine = engine;
  }

  read(): ConfigDocument {
    const text = this.text();
    const { managed: _, ...effective } = this.engine.config();
    const message = this.engine.settings.error();
    return {
      version: versionOf(text),
      raw: hideKeys(withoutDiskOnly(rawOf(text))) as Raw,
      effective: hideKeys(effective) as Raw,
      error: message === undefined ? undefined : { message, faults: this.faultsOf(text) },
      canUndo: this.history().some((entry) => !entry.undone),
    };
  }

  version(): string {
    return versionOf(this.text());
  }

  /**
   * Replaces the user's part of the file.
   * @param given the whole document, without what setup keeps; or its text
   * @param version as read; the write is refused when the file changed since
   * @throws VersionConflict, or ConfigError when the document is not valid or names a module that the file on disk does not
   */
  write(given: unknown, version: string): ConfigDocument {
    const text = this.text();
    if (versionOf(text) !== version) throw new VersionConflict(versionOf(text));
    const { next } = this.prepare(given, text);
    // Saved as it is: no version of its own, and nothing to undo.
    if (!isDeepStrictEqual(next, rawOf(text))) this.replace(text, `${JSON.stringify(next, null, 2)}\n`);
    return this.read();
  }

  /** What a write would say against the document; empty when it is fine. */
  validate(given: unknown): readonly ConfigFault[] {
    try {
      this.prepare(given, this.text());
      return [];
    } catch (error) {
      if (error instanceof ConfigError) return error.faults;
      throw error;
    }
  }

  /**
   * What a write would change.
   * @throws ConfigError as {@link write}
   */
  preview(given: unknown): { changes: ValueChange[]; config: RouterConfig } {
    const text = this.text();
    const { next, config } = this.prepare(given, text);
    const changes = changesBetween(hideKeys(withoutDiskOnly(rawOf(text))), hideKeys(withoutDiskOnly(next)));
    return { changes, config };
  }

  /** The user's part of the file as a text, for a download. */
  exported(): string {
    return `${JSON.stringify(hideKeys(withoutDiskOnly(rawOf(this.text()))), null, 2)}\n`;
  }

  /** Earlier versions, newest first. */
  history(): HistoryEntry[] {
    const dir = this.historyDir();
    if (!existsSync(dir)) return [];
    return readdirSync(dir)
      .flatMap((name) => {
        const [, at, undone] = /^(\d+)-[0-9a-f]{8}(-undone)?\.json$/.exec(name) ?? [];
        return at === undefined ? [] : [{ id: name, at: Number(at), undone: undone !== undefined }];
      })
      .sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
  }

  /** Earlier versions with what was changed after each, newest first. */
  historyWithChanges(limit = 20): (HistoryEntry & { changes: ValueChange[] })[] {
    let newer = withoutDiskOnly(rawOf(this.text()));
    return this.history()
      .slice(0, limit)
      .map((entry) => {
        const older = withoutDiskOnly(rawOf(readFileSync(path.join(this.historyDir(), entry.id), "utf8")));
        const changes = changesBetween(hideKeys(older), hideKeys(newer));
        newer = older;
        return { ...entry, changes };
      });
  }

  /**
   * Goes back to an earlier version; what setup keeps stays as it is now. What is replaced is kept as well, so that a
   * step back can be taken back; the next step without an `id` goes further back, not forth again.
   * @param id of {@link history}; the newest that was not itself taken back when absent
   * @param version as read, when it matters
   * @throws when there is none, VersionConflict, ConfigError
   */
  undo(id = this.history().find((entry) => !entry.undone)?.id, version?: string): ConfigDocument {
    const text = this.text();
    if (version !== undefined && versionOf(text) !== version) throw new VersionConflict(versionOf(text));
    const entry = this.history().find((candidate) => candidate.id === id);
    if (entry === undefined) throw new Error("there is no earlier version to go back to");
    const file = path.join(this.historyDir(), entry.id);
    const current = withManaged(rawOf(text), this.engine.configFile);
    const earlier = readFileSync(file, "utf8");
    // A version that could not be read then, either: nothing to go back to.
    parseConfig(earlier, file);
    const next: Raw = { ...rawOf(earlier) };
    for (const key of isJson(text) ? DISK_ONLY : []) {
      delete next[key];
      if (current[key] !== undefined) next[key] = current[key];
    }
    if (isJson(text)) refuseNewModules(next, current, this.engine.configFile);
    checkBuildable(checkConfig(next, this.engine.configFile), this.engine.configFile);
    this.replace(text, `${JSON.stringify(next, null, 2)}\n`, "-undone");
    rmSync(file, { force: true });
    return this.read();
  }

  /** The file that a write would make. */
  private prepare(given: unknown, text: string): { next: Raw; config: RouterConfig } {
    const file = this.engine.configFile;
    // A file that cannot be read must not be written over: what setup keeps in it would be lost.
    if (!isJson(text)) parseConfig(text, file);
    const current = withManaged(rawOf(text), file);
    const source = typeof given === "string" ? given : "";
    const parsed = typeof given === "string" ? parseText(given, file) : given;
    checkConfig(parsed, file, source);
    const next = restoreKeys(parsed, current) as Raw;
    refuseHidden(next, file);
    for (const key of DISK_ONLY) {
      delete next[key];
      if (current[key] !== undefined) next[key] = current[key];
    }
    refuseNewModules(next, current, file);
    const config = checkConfig(next, file);
    checkBuildable(config, file, source);
    return { next, config };
  }

  private faultsOf(text: string): readonly ConfigFault[] {
    try {
      checkBuildable(parseConfig(text, this.engine.configFile), this.engine.configFile, text);
      return [];
    } catch (error) {
      return error instanceof ConfigError ? error.faults : [];
    }
  }

  private replace(before: string, after: string, mark: "" | "-undone" = ""): void {
    if (before.trim() !== "") {
      // Newer than the newest, also when the clock was set back: the order of versions is told by their times.
      const at = Math.max(Date.now(), (this.history()[0]?.at ?? 0) + 1);
      const id = `${at}-${versionOf(before).slice(0, 8)}${mark}.json`;
      writePrivateFile(path.join(this.historyDir(), id), before);
      for (const old of this.history().slice(KEPT))
        rmSync(path.join(this.historyDir(), old.id), { force: true });
    }
    writePrivateFile(this.engine.configFile, after);
    this.engine.settings.reload();
  }

  private text(): string {
    return existsSync(this.engine.configFile) ? readFileSync(this.engine.configFile, "utf8") : "";
  }

  private historyDir(): string {
    return path.join(this.engine.dataDir, "config-history");
  }
}

export function versionOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

function parseText(text: string, file: string): unknown {
  // Faults in the syntax are named with their line by the same code that reads the file.
  parseConfig(text, file);
  return text.trim() === "" ? {} : JSON.parse(text);
}

function isJson(text: string): boolean {
  if (text.trim() === "") return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A broken file is reported by `error`; there is nothing to edit in it. */
function rawOf(text: string): Raw {
  try {
    const value: unknown = text.trim() === "" ? {} : JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Raw) : {};
  } catch {
    return {};
  }
}

function withoutDiskOnly(raw: Raw): Raw {
  const rest = { ...raw };
  for (const key of DISK_ONLY) delete rest[key];
  return rest;
}

/** What stood in the place of a key comes from another file: here is no key to put back. */
function refuseHidden(next: unknown, file: string): void {
  const faults = placesOf(next, KEPT_KEY).map((at) => ({
    path: at,
    line: undefined,
    message:
      "stands for a key that was taken out on export: put the key in on disk, or leave the setting out",
  }));
  if (faults.length > 0) throw new ConfigError(file, faults);
}

function placesOf(value: unknown, wanted: string, at = ""): string[] {
  if (value === wanted) return [at];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => placesOf(item, wanted, `${at}/${key}`));
}

/** Every `module` of the new document must already be at the same place in the file on disk. */
function refuseNewModules(next: unknown, current: unknown, file: string): void {
  const known = new Set(modulesOf(current, "").map(({ path: at, value }) => `${at}\n${String(value)}`));
  const faults = modulesOf(next, "")
    .filter(({ path: at, value }) => !known.has(`${at}\n${String(value)}`))
    .map(({ path: at }) => ({
      path: at,
      line: undefined,
      message: "a module can only be named by editing clawxrouter.json on disk, because it runs as code",
    }));
  if (faults.length > 0) throw new ConfigError(file, faults);
}

function modulesOf(value: unknown, at: string): { path: string; value: unknown }[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    key === "module" ? [{ path: `${at}/${key}`, value: item }] : modulesOf(item, `${at}/${key}`),
  );
}
