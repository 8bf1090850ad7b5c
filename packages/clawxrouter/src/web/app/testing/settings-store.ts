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
  private readonly past: { id: string; at: number; raw: Raw }[] = [];
  private readonly changed: (version: string) => void;

  constructor(raw: Raw, changed: (version: string) => void) {
    this.raw = raw;
    this.changed = changed;
  }

  read(): ConfigDocument {
    const { managed: _, ...effective } = checkConfig(this.raw, "clawxrouter.json");
    return { version: this.version(), raw: this.raw, effective, error: null, canUndo: this.past.length > 0 };
  }

  write(raw: Raw, version: string): ConfigDocument {
    if (version !== this.version()) throw new Refusal(409, "conflict", { version: this.version() });
    const faults = this.faults(raw);
    if (faults.length > 0) throw new Refusal(422, "invalid", { faults });
    this.past.unshift({
      id: `${Date.now()}-${this.version().slice(0, 8)}.json`,
      at: Date.now(),
      raw: this.raw,
    });
    this.raw = raw;
    this.changed(this.version());
    return this.read();
  }

  undo(version: string, id?: string): ConfigDocument {
    if (version !== this.version()) throw new Refusal(409, "conflict", { version: this.version() });
    const at = id === undefined ? 0 : this.past.findIndex((entry) => entry.id === id);
    const [entry] = this.past.splice(at, 1);
    if (entry === undefined) throw new Refusal(404, "not-found", {});
    this.raw = entry.raw;
    this.changed(this.version());
    return this.read();
  }

  history(): Answer<"configHistory"> {
    return {
      items: this.past.map((entry, at) => ({
        id: entry.id,
        at: entry.at,
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
