/**
 * Looks for private values in what recording servers received. It is made to see more than a plain search: a value
 * counts as found in any encoding that {@link readings} undoes, in full-width characters, with anything but letters and
 * digits between its characters, backwards, in other case, cut over several texts of one or more bodies, and, when it
 * is long, in part.
 */
import { readings } from "./readings.ts";

/** What to look for: `name` is reported when any of `values` is seen. */
export interface Sought {
  name: string;
  /** Random parts only: what stands in every value of a kind (`@example.com`) would be found in clean text. */
  values: readonly string[];
}

/** One request as a recording server got it. */
export interface Wire {
  url?: string;
  headers?: Readonly<Record<string, string | string[] | undefined>>;
  raw: Buffer;
}

/** Letters and digits at the start of a value by which it is looked up. */
const GRAM = 8;
/** Shorter values are searched as they are: their letters alone would be found by chance. */
const SHORTEST = 10;
/** A value at least twice so long is also found by a piece of so many letters and digits. */
const PIECE = 16;

export class LeakSearch {
  /** Looked-for strings, squeezed, by their first letters. */
  private readonly index = new Map<string, { squeezed: string; name: string }[]>();
  private readonly plain: { value: string; name: string }[] = [];
  private readonly known = new Set<string>();

  constructor(sought: Iterable<Sought> = []) {
    for (const one of sought) this.add(one);
  }

  add({ name, values }: Sought): void {
    for (const value of values) {
      const squeezed = squeeze(value);
      if (squeezed.length < SHORTEST) {
        if (value !== "") this.plain.push({ value: fold(value), name });
        continue;
      }
      this.put(squeezed, name);
      for (let at = 0; squeezed.length >= 2 * PIECE && at + PIECE <= squeezed.length; at++)
        this.put(squeezed.slice(at, at + PIECE), name);
    }
  }

  /** Names of the values that a request holds: address, headers and body. */
  find({ url = "", headers = {}, raw }: Wire): string[] {
    const found = new Set<string>();
    const head = Buffer.from(`${url}\n${JSON.stringify(headers)}`);
    for (const text of [...readings(head), ...readings(raw, String(headers["content-encoding"] ?? ""))])
      this.look(text, found);
    return [...found];
  }

  /**
   * Names of the values that stand cut in pieces over the texts of one or several bodies, in the order in which they
   * were sent; a text that was sent before (history) counts once. The host's time stamps in between are left out.
   */
  findAcross(wires: Iterable<Wire>): string[] {
    const seen = new Set<string>();
    const byRole = new Map<string, string[]>();
    for (const { raw, headers = {} } of wires) {
      const [text = ""] = readings(raw, String(headers["content-encoding"] ?? ""));
      for (const [role, leaf] of leaves(text)) {
        const key = `${role}\n${leaf}`;
        if (seen.has(key)) continue;
        seen.add(key);
        byRole.set(role, [...(byRole.get(role) ?? []), leaf.replace(STAMP, "")]);
      }
    }
    const found = new Set<string>();
    for (const all of byRole.values()) this.scan(squeeze(all.join("")), found);
    return [...found];
  }

  private put(squeezed: string, name: string): void {
    const key = `${name} ${squeezed}`;
    if (this.known.has(key)) return;
    this.known.add(key);
    const gram = squeezed.slice(0, GRAM);
    const list = this.index.get(gram);
    if (list === undefined) this.index.set(gram, [{ squeezed, name }]);
    else list.push({ squeezed, name });
  }

  private look(text: string, found: Set<string>): void {
    const folded = fold(text);
    for (const { value, name } of this.plain) if (standsAlone(folded, value)) found.add(name);
    const squeezed = squeeze(text);
    this.scan(squeezed, found);
    this.scan([...squeezed].reverse().join(""), found);
  }

  private scan(squeezed: string, found: Set<string>): void {
    for (let at = 0; at + GRAM <= squeezed.length; at++) {
      const list = this.index.get(squeezed.slice(at, at + GRAM));
      if (list === undefined) continue;
      for (const one of list) if (squeezed.startsWith(one.squeezed, at)) found.add(one.name);
    }
  }
}

/** `[Mon 2026-11-30 18:00 UTC] ` before a user's words, as OpenClaw puts it there. */
const STAMP = /^\[[A-Z][a-z]{2} \d{4}-\d\d-\d\d \d\d:\d\d [A-Z]+\] /;

/** Characters that show nothing: zero-width ones, soft hyphen, fillers, joiners, variation selectors, tags. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

function fold(text: string): string {
  return text.normalize("NFKC").replaceAll(INVISIBLE, "");
}

/** Letters and digits only, compatible forms made one, in lower case. */
function squeeze(text: string): string {
  return fold(text)
    .replaceAll(/[^\p{L}\p{N}]+/gu, "")
    .toLowerCase();
}

/** A short value counts where no letter or digit goes on at its ends: `10.1.2.3` is not in `110.1.2.33`. */
function standsAlone(text: string, value: string): boolean {
  const runsOn = (char: string | undefined) => char !== undefined && /[\p{L}\p{N}]/u.test(char);
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    const before = /^[\p{L}\p{N}]/u.test(value) && /[0-9A-Za-z]/.test(text[at - 1] ?? "");
    if (!before && !(runsOn(value.at(-1)) && /[0-9A-Za-z]/.test(text[at + value.length] ?? ""))) return true;
  }
  return false;
}

/** String leaves of a JSON body (or of the `data:` lines of a stream), each with the role of its message. */
function leaves(text: string): [string, string][] {
  const out: [string, string][] = [];
  const walk = (value: unknown, role: string): void => {
    if (typeof value === "string") out.push([role, value]);
    else if (Array.isArray(value)) for (const item of value) walk(item, role);
    else if (typeof value === "object" && value !== null) {
      const own = "role" in value && typeof value.role === "string" ? value.role : role;
      for (const [key, item] of Object.entries(value)) {
        if (key !== "role" && key !== "type" && key !== "id" && key !== "index") walk(item, own);
      }
    }
  };
  const documents = text.startsWith("data:") || text.includes("\ndata:") ? sseData(text) : [text];
  for (const document of documents) {
    try {
      walk(JSON.parse(document), "");
    } catch {
      out.push(["", document]);
    }
  }
  return out;
}

function sseData(text: string): string[] {
  return text
    .split(/\r?\n/)
    .filter((line) => line.startsWith("data:"))
    .map((line) => line.slice(5).trim());
}
