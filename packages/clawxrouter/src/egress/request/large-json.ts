import type { Json, JsonObject } from "../json.ts";
import { RefusedError } from "./refused-error.ts";
import { Turns } from "./turns.ts";

/** Up to this size the built-in functions are quick enough for one turn of the event loop, in bytes. */
const AT_ONCE = 512 * 1024;
/** Deeper nesting is no request of any model API. */
const MAX_DEPTH = 256;
/** A request of more values than this is no conversation; its objects alone would hold up everybody else. */
const MAX_VALUES = 300_000;
/** Values handled between two looks at the clock. */
const VALUES_A_LOOK = 2000;
/** Piece of a long string written at once, in UTF-16 units. */
const STRING_PIECE = 512 * 1024;

/**
 * Parses a JSON document without holding the event loop: small ones at once, large ones in turns.
 * @returns undefined when the text is not JSON (RFC 8259) or nest too deep
 * @throws RefusedError when the document has too many values
 */
export async function parseInTurns(text: string): Promise<Json | undefined> {
  try {
    if (text.length <= AT_ONCE) {
      const value: Json = JSON.parse(text);
      return value;
    }
    return await new Parser(text).parse();
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** As `JSON.stringify`; `sizeHint` (bytes) says whether to do it in turns. */
export async function stringifyInTurns(body: Json, sizeHint: number): Promise<string> {
  if (sizeHint <= AT_ONCE) return JSON.stringify(body);
  const turns = new Turns();
  const parts: string[] = [];
  let count = 0;
  for (const part of pieces(body)) {
    parts.push(part);
    count += 1;
    if ((count % VALUES_A_LOOK === 0 || part.length > STRING_PIECE / 2) && turns.due()) await turns.pause();
  }
  return parts.join("");
}

/** The text of a JSON value in pieces, without recursion. */
function* pieces(root: Json): Generator<string> {
  const stack: Array<{
    close: string;
    entries: Iterator<readonly [string, Json | undefined]>;
    first: boolean;
  }> = [];
  let value: Json | undefined = root;
  for (;;) {
    if (typeof value === "string" && value.length > STRING_PIECE) yield* stringPieces(value);
    else if (Array.isArray(value)) {
      yield "[";
      stack.push({ close: "]", entries: items(value), first: true });
    } else if (typeof value === "object" && value !== null) {
      yield "{";
      stack.push({ close: "}", entries: members(value), first: true });
    } else yield JSON.stringify(value ?? null);
    for (;;) {
      const top = stack.at(-1);
      if (!top) return;
      const next = top.entries.next();
      if (next.done) {
        yield top.close;
        stack.pop();
        continue;
      }
      const [prefix, item] = next.value;
      yield top.first ? prefix : `,${prefix}`;
      top.first = false;
      value = item;
      break;
    }
  }
}

function* items(list: Json[]): Generator<readonly [string, Json]> {
  for (const item of list) yield ["", item];
}

function* members(object: JsonObject): Generator<readonly [string, Json]> {
  for (const [key, item] of Object.entries(object))
    if (item !== undefined) yield [`${JSON.stringify(key)}:`, item];
}

function* stringPieces(text: string): Generator<string> {
  yield '"';
  for (let at = 0; at < text.length; at += STRING_PIECE) {
    // A surrogate pair cut in two is written as two escapes: the same string.
    yield JSON.stringify(text.slice(at, at + STRING_PIECE)).slice(1, -1);
  }
  yield '"';
}

type Container = { list: Json[] } | { object: JsonObject; key: string };

/** A JSON parser without recursion that pauses; strings and numbers are left to `JSON.parse`. */
class Parser {
  readonly #text: string;
  readonly #stack: Container[] = [];
  #at = 0;
  #result: Json | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  async parse(): Promise<Json | undefined> {
    const turns = new Turns();
    for (let count = 1; !this.#value(); count += 1) {
      if (count % VALUES_A_LOOK === 0) await turns.pause();
      if (count > MAX_VALUES)
        throw new RefusedError("bad-body", `more than ${MAX_VALUES} values in one request`);
    }
    this.#space();
    if (this.#at !== this.#text.length) throw new SyntaxError("text after the JSON value");
    return this.#result;
  }

  /** Reads up to and including one scalar or bracket. @returns true when the document is complete */
  #value(): boolean {
    this.#space();
    const unit = this.#text.charAt(this.#at);
    if (unit === "{" || unit === "[") {
      if (this.#stack.length >= MAX_DEPTH) throw new SyntaxError("nested too deep");
      this.#at += 1;
      this.#space();
      const close = unit === "{" ? "}" : "]";
      if (this.#text.charAt(this.#at) === close) {
        this.#at += 1;
        return this.#place(unit === "{" ? {} : []);
      }
      this.#stack.push(unit === "{" ? { object: {}, key: this.#key() } : { list: [] });
      return false;
    }
    return this.#place(unit === '"' ? this.#string() : this.#scalar());
  }

  /** Puts a complete value where it belongs and closes what ends after it. */
  #place(value: Json): boolean {
    let complete = value;
    for (;;) {
      const container = this.#stack.at(-1);
      if (!container) {
        this.#result = complete;
        return true;
      }
      if ("list" in container) container.list.push(complete);
      else define(container.object, container.key, complete);
      this.#space();
      const unit = this.#text.charAt(this.#at);
      this.#at += 1;
      if (unit === ",") {
        if (!("list" in container)) container.key = this.#key();
        return false;
      }
      if (unit !== ("list" in container ? "]" : "}"))
        throw new SyntaxError(`unexpected character at ${this.#at - 1}`);
      this.#stack.pop();
      complete = "list" in container ? container.list : container.object;
    }
  }

  #key(): string {
    this.#space();
    if (this.#text.charAt(this.#at) !== '"') throw new SyntaxError(`expected a key at ${this.#at}`);
    const key = this.#string();
    this.#space();
    if (this.#text.charAt(this.#at) !== ":") throw new SyntaxError(`expected a colon at ${this.#at}`);
    this.#at += 1;
    return key;
  }

  #string(): string {
    const start = this.#at;
    let end = start;
    let escapes: number;
    do {
      end = this.#text.indexOf('"', end + 1);
      if (end === -1) throw new SyntaxError("unterminated string");
      escapes = 0;
      while (this.#text.charCodeAt(end - 1 - escapes) === 92) escapes += 1;
    } while (escapes % 2 === 1);
    this.#at = end + 1;
    const value: string = JSON.parse(this.#text.slice(start, end + 1));
    return value;
  }

  #scalar(): Json {
    SCALAR.lastIndex = this.#at;
    const match = SCALAR.exec(this.#text);
    if (!match) throw new SyntaxError(`unexpected character at ${this.#at}`);
    this.#at = SCALAR.lastIndex;
    const value: Json = JSON.parse(match[0]);
    return value;
  }

  #space(): void {
    for (;;) {
      const unit = this.#text.charCodeAt(this.#at);
      if (unit !== 32 && unit !== 10 && unit !== 13 && unit !== 9) return;
      this.#at += 1;
    }
  }
}

const SCALAR = /[-+.\w]{1,400}/y;

/** As `JSON.parse` does: `__proto__` is a key like any. */
function define(object: JsonObject, key: string, value: Json): void {
  if (key === "__proto__") {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  } else object[key] = value;
}
