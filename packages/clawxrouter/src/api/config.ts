/** Reading and changing clawxrouter.json for the CLI and the dashboard: versions, no lost updates, undo. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { writePrivateFile } from "../config-file/file.ts";
import { ConfigError, checkConfig, parseConfig } from "../config-file/parse.ts";
import type { Engine } from "../engine/engine.ts";

/** Versions kept for undo. */
const KEPT = 50;
/** Settings that only the file on disk may hold: code that would run, and what setup keeps for itself. */
const DISK_ONLY = ["managed"] as const;

export interface ConfigDocument {
  /** Changes with every change of the file; send it back with a write. */
  version: string;
  /** The file as written, without what setup keeps. */
  raw: Record<string, unknown>;
  /** All settings in force. */
  effective: unknown;
  error: string | undefined;
}

/** The file was changed by somebody else since it was read. */
export class VersionConflict extends Error {
  readonly version: string;
  constructor(version: string) {
    super(
      "clawxrouter.json was changed by somebody else since it was read: load it again and repeat the change",
    );
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
    let raw: Record<string, unknown> = {};
    try {
      raw = text.trim() === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
    } catch {
      // A broken file is reported by `error`; there is nothing to edit in it.
    }
    for (const key of DISK_ONLY) delete raw[key];
    return { version: versionOf(text), raw, effective, error: this.engine.settings.error() };
  }

  /**
   * Replaces the user's part of the file.
   * @param raw the whole document, without what setup keeps
   * @param version as read; the write is refused when the file changed since
   * @throws VersionConflict, or ConfigError when the document is not valid or names a module that the file on disk does not
   */
  write(raw: unknown, version: string): ConfigDocument {
    const text = this.text();
    if (versionOf(text) !== version) throw new VersionConflict(versionOf(text));
    const file = this.engine.configFile;
    const current = text.trim() === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
    checkConfig(raw, file);
    const next: Record<string, unknown> = { ...(raw as Record<string, unknown>) };
    for (const key of DISK_ONLY) {
      delete next[key];
      if (current[key] !== undefined) next[key] = current[key];
    }
    refuseNewModules(next, current, file);
    checkConfig(next, file);
    this.replace(text, `${JSON.stringify(next, null, 2)}\n`);
    return this.read();
  }

  /** Earlier versions, newest first. */
  history(): { id: string; at: number }[] {
    const dir = this.historyDir();
    if (!existsSync(dir)) return [];
    return readdirSync(dir)
      .flatMap((name) => {
        const at = /^(\d+)-[0-9a-f]{8}\.json$/.exec(name)?.[1];
        return at === undefined ? [] : [{ id: name, at: Number(at) }];
      })
      .sort((a, b) => b.at - a.at);
  }

  /**
   * Goes back to an earlier version; what setup keeps stays as it is now.
   * @param id of {@link history}; the newest when absent
   * @throws when there is none
   */
  undo(id = this.history()[0]?.id): ConfigDocument {
    const entry = this.history().find((candidate) => candidate.id === id);
    if (entry === undefined) throw new Error("there is no earlier version to go back to");
    const file = path.join(this.historyDir(), entry.id);
    const old = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
    const text = this.text();
    const current = text.trim() === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
    const next = { ...old, ...(current.managed === undefined ? {} : { managed: current.managed }) };
    checkConfig(next, this.engine.configFile);
    writePrivateFile(this.engine.configFile, `${JSON.stringify(next, null, 2)}\n`);
    rmSync(file, { force: true });
    this.engine.settings.reload();
    return this.read();
  }

  private replace(before: string, after: string): void {
    parseConfig(after, this.engine.configFile);
    if (before.trim() !== "") {
      const id = `${Date.now()}-${versionOf(before).slice(0, 8)}.json`;
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

function versionOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
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
