import type { Excluded, Finding, Vault } from "@clawx/shared-security";
import { isObject, type Json } from "../json.ts";
import { KnownValues } from "./known-values.ts";
import { isOrdinary, isWords } from "./ordinary.ts";
import type { Turns } from "./turns.ts";
import type { CachedVerdict } from "./verdict-cache.ts";
import { windowsOf } from "./windows.ts";

/** Stands between two names; no value goes on over it. */
const BETWEEN = "\n\u0001\n";
/** Property names of the protocols, which are nobody's. Others are looked at. */
const COMMON = new Set(
  (
    "role content type text id name function arguments tool_calls tool_call_id call_id parts part input output " +
    "model messages contents tools parameters properties required description enum items source data signature " +
    "thinking reasoning summary status stream temperature functionCall functionResponse args response"
  ).split(" "),
);

/**
 * The property names of a JSON value.
 * @param into where they are put
 */
export async function keysOf(value: Json | undefined, into: Set<string>, turns: Turns): Promise<void> {
  const left: Array<Json | undefined> = [value];
  for (let at = left.pop(); at !== undefined || left.length > 0; at = left.pop()) {
    if (Array.isArray(at)) {
      if (turns.due()) await turns.pause();
      for (const item of at) if (typeof item === "object" && item !== null) left.push(item);
    } else if (isObject(at)) {
      if (turns.due()) await turns.pause();
      for (const key in at) {
        if (!COMMON.has(key)) into.add(key);
        const item = at[key];
        if (typeof item === "object" && item !== null) left.push(item);
      }
    }
  }
}

/** What is left out of a body's texts and does not count as a name: model ids of the configuration. */
export function isName(excluded: Excluded, models: ReadonlySet<string>): boolean {
  return excluded.why !== "model" || !models.has(excluded.text);
}

/** Names of one piece of a body, and what is remembered of them: in windows when they are long. */
export interface Names {
  text: string;
  windows: ReadonlyArray<{ text: string; seen: CachedVerdict }>;
}

/**
 * Looks for the vault's values where nothing is redacted: in ids, names, schemas and property names, in every form that
 * is looked for in texts.
 */
export class NameCheck {
  readonly #known: KnownValues;
  readonly #common = new Map<string, Names>();

  constructor(vault: Vault) {
    this.#known = new KnownValues(vault);
  }

  /** Takes down names. */
  of(names: Iterable<string>): Names {
    const told: string[] = [];
    // Most are `user` and `assistant`: nobody's, and not worth a search.
    for (const name of names) if (!isOrdinary(name)) told.push(name);
    return told.length === 0 ? NO_NAMES : fresh(told.join(BETWEEN));
  }

  /** As `of`, for names that come back with every request: those of the definitions of tools. */
  ofCommon(names: Iterable<string>): Names {
    const made = this.of(names);
    const known = this.#common.get(made.text);
    if (known) return known;
    for (const [oldest] of this.#common) {
      if (this.#common.size < MAX_COMMON) break;
      this.#common.delete(oldest);
    }
    this.#common.set(made.text, made);
    return made;
  }

  /** A private value in names; undefined when there is none. */
  async find({ windows }: Names, turns: Turns): Promise<Finding | undefined> {
    for (const { text, seen } of windows) {
      if (turns.due()) await turns.pause();
      const found = this.#known.find(text, seen);
      const hit = found.find(({ start, end, type }) => isPrivate(text.slice(start, end), type));
      if (hit) return hit;
    }
    return undefined;
  }
}

const MAX_COMMON = 64;
/** A piece without names. */
export const NO_NAMES: Names = fresh("");

function fresh(text: string): Names {
  const windows = text === "" ? [] : windowsOf({ text, kind: "data" });
  return {
    text,
    windows: windows.map((window) => ({
      text: window.text,
      seen: { verdict: { level: "S1", findings: [] }, known: [], knownAt: -1, marked: false },
    })),
  };
}

/** Whether a value found in a name makes it private: not when it is an everyday word or number. */
export function isPrivate(text: string, type: string): boolean {
  return !isOrdinary(text) && !isWords(text, type);
}
