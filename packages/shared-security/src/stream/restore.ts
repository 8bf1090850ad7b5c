import {
  findPlaceholders,
  type PlaceholderForm,
  partialPlaceholderLength,
  shortenColons,
} from "../placeholder/placeholder.ts";
import type { MatchRestorer, RestoreOptions } from "../placeholder/scope.ts";
import { JsonDepth } from "./json-depth.ts";

/** One text that comes in pieces and goes out in pieces. */
export interface TextStream {
  /** The next piece of the text. @returns what can go out now, possibly nothing */
  push(piece: string): string;
  /** The text is over. @returns the rest */
  end(): string;
}

export interface RestoreStreamOptions extends RestoreOptions {
  /** `json`: the text is JSON being written (tool arguments); values are escaped to fit the string they stand in. */
  format?: "text" | "json";
  /** Called for each placeholder put back, e.g. to count. */
  onRestore?: (token: string) => void;
}

/**
 * Puts values back in the place of placeholders in a text that arrives cut at arbitrary places. Whatever the cuts,
 * the pieces that come out make up what `vault.restore` (or `restoreJson`) gives for the whole. Held back is only a tail that
 * may be the beginning of a placeholder, and of that no more than one is long.
 */
export function restoreStream(vault: MatchRestorer, options: RestoreStreamOptions = {}): TextStream {
  return new RestoreStream(vault, options);
}

class RestoreStream implements TextStream {
  readonly #vault: MatchRestorer;
  readonly #options: RestoreStreamOptions;
  readonly #form: PlaceholderForm;
  readonly #depth: JsonDepth | undefined;
  #held = "";
  /** How much of the beginning of `#held` went out already. */
  #sent = 0;

  constructor(vault: MatchRestorer, options: RestoreStreamOptions) {
    this.#vault = vault;
    this.#options = options;
    this.#form = options.format ?? "text";
    this.#depth = options.format === "json" ? new JsonDepth() : undefined;
  }

  push(piece: string): string {
    if (piece === "") return "";
    const text = this.#held + piece;
    const partial = partialPlaceholderLength(text, this.#form);
    const ready = text.slice(0, text.length - partial);
    this.#held = text.slice(text.length - partial);
    return (ready === "" ? "" : this.#finish(ready)) + this.#shorten();
  }

  end(): string {
    const rest = this.#held;
    this.#held = "";
    return this.#finish(rest);
  }

  /** What a text becomes, less what of it went out already. */
  #finish(text: string): string {
    const sent = this.#sent;
    this.#sent = 0;
    return this.#restore(text).slice(sent);
  }

  /** Colons without end are an escaped look-alike, whatever follows: only the last of them is still open. */
  #shorten(): string {
    const run = shortenColons(this.#held, this.#form);
    if (run === undefined) return "";
    const out = this.#held.slice(this.#sent, run.certain);
    this.#held = run.short;
    this.#sent = run.sent;
    return out;
  }

  #restore(text: string): string {
    let out = "";
    let at = 0;
    for (const match of findPlaceholders(text, this.#form)) {
      const before = text.slice(at, match.start);
      this.#depth?.feed(before);
      const depth = this.#depth;
      const encode = depth === undefined ? undefined : (value: string) => depth.encode(value);
      const restored = this.#vault.restoreMatch(text, match, this.#options, encode);
      const original = text.slice(match.start, match.end);
      if (restored !== undefined && match.colons === 1) this.#options.onRestore?.(match.token);
      out += before + (restored ?? original);
      // A placeholder is text wherever it stands: its bracket opens no array, and `[` before it makes no JSON of a string.
      depth?.feed("x");
      at = match.end;
    }
    const tail = text.slice(at);
    this.#depth?.feed(tail);
    return out + tail;
  }
}
