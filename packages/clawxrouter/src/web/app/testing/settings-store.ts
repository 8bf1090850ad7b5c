/** clawxrouter.json in memory, with the checks, the versions and the undo of the real one. */
import { createHash } from "node:crypto";
import { ConfigError, checkConfig, parseConfig } from "../../../config-file/parse.ts";
import { ConfigFileSchema } from "../../../config-file/schema.ts";
import type { Answer, Change, ConfigDocument, Fault } from "../../contract.ts";
import { diff } from "../state/edits.ts";
import { Refusal } from "./refusal.ts";

type Raw = Record<string, unknown>;

export class SettingsStore {
  private raw: Raw;
  private readonly past: { id: string; at: number; raw: Raw; undone: boolean }[] = [];
  private readonly changed: (version: string) => void;

  constructor(raw: Raw, changed: (version: string) => void) {
    this.raw = raw;
    this.changed = changed;
  }

  read(): ConfigDocument {
    const { managed: _, ...effective } = checkConfig(this.raw, "clawxrouter.json");
    return {
      version: this.version(),
      raw: this.raw,
      effective,
      error: null,
      canUndo: this.past.some(({ undone }) => !undone),
    };
  }

  write(raw: Raw, version: string): ConfigDocument {
    if (version !== this.version()) throw new Refusal(409, "conflict", { version: this.version() });
    const faults = this.faults(raw);
    if (faults.length > 0) throw new Refusal(422, "invalid", { faults });
    this.keep(false);
    this.raw = raw;
    this.changed(this.version());
    return this.read();
  }

  undo(version: string, id?: string): ConfigDocument {
    if (version !== this.version()) throw new Refusal(409, "conflict", { version: this.version() });
    const at = this.past.findIndex((entry) => (id === undefined ? !entry.undone : entry.id === id));
    const [entry] = at < 0 ? [] : this.past.splice(at, 1);
    if (entry === undefined) throw new Refusal(404, "not-found", {});
    this.keep(true);
    this.raw = entry.raw;
    this.changed(this.version());
    return this.read();
  }

  history(): Answer<"configHistory"> {
    return {
      items: this.past.map((entry, at) => ({
        id: entry.id,
        at: entry.at,
        undone: entry.undone,
        changes: this.changes(entry.raw, this.past[at - 1]?.raw ?? this.raw),
      })),
    };
  }

  preview(raw: Raw): Answer<"previewConfig"> {
    const faults = this.faults(raw);
    return {
      ok: faults.length === 0,
      faults,
      changes: this.changes(this.raw, raw),
      effect: {
        checked: 40,
        changed: 3,
        samples: [{ detection: 2, at: Date.now(), session: null, before: "S2", after: "S1" }],
      },
    };
  }

  schema(): Answer<"configSchema"> {
    const { managed: __, ...defaults } = checkConfig({}, "defaults");
    return {
      schema: JSON.parse(JSON.stringify(ConfigFileSchema)) as Raw,
      defaults,
      diskOnly: ["/privacy/localModel/module", "/privacy/routers/*/module"],
    };
  }

  faults(raw: unknown, text?: string): Fault[] {
    try {
      if (text === undefined) checkConfig(raw, "clawxrouter.json");
      else parseConfig(text, "clawxrouter.json");
      return [];
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      return error.faults.map(({ path, line, message }) => ({ path, line: line ?? null, message }));
    }
  }

  private keep(undone: boolean): void {
    const at = Date.now();
    this.past.unshift({ id: `${at}-${this.version().slice(0, 8)}.json`, at, raw: this.raw, undone });
  }

  private changes(before: Raw, after: Raw): Change[] {
    const shown = (value: unknown) => (value === undefined ? null : JSON.stringify(value).slice(0, 500));
    return diff(before, after).map((edit) => ({
      path: `/${edit.path.join("/")}`,
      before: shown(edit.before),
      after: shown(edit.after),
    }));
  }

  private version(): string {
    return createHash("sha256").update(JSON.stringify(this.raw)).digest("hex").slice(0, 32);
  }
}
