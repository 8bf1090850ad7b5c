import type { Json, JsonObject } from "../json.ts";
import { RefusedError } from "./refused-error.ts";
import { Turns } from "./turns.ts";

/** Up to this size the built-in functions are quick enough for one turn of the event loop, in bytes. */
const AT_ONCE = 512 * 1024;
/** Deeper nesting is no request of any model API. */
const MAX_DEPTH = 256;
/** A request of more values than this is no conversation; its objects alone would hold up everybody else. */
const MAX_VALUES = 80_000;
/** Values handled between two looks at the clock. */
const VALUES_A_LOOK = 2000;
/** Piece of a long string read or written at once, in UTF-16 units. */
const STRING_PIECE = 512 * 1024;
/** Quotes or white space passed between two looks at the clock. */
const STEPS_A_LOOK = 50_000;

/**
 * Parses a JSON document without holding the event loop: small ones at once, large ones in turns.
 * @returns undefined when the text is not JSON (RFC 8259) or nest too deep
 * @throws RefusedError when the document has too many values, or a name that is none
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
  await turns.pause();
  const text = parts.join("");
  await turns.pause();
  return text;
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

interface ObjectContainer {
  object: JsonObject;
  /** Name of the value to come. */
  key: string | undefined;
}
type Container = { list: Json[] } | ObjectContainer;

/** A JSON parser without recursion that pauses; strings and numbers are left to `JSON.parse`. */
class Parser {
  readonly #text: string;
  readonly #stack: Container[] = [];
  readonly #turns = new Turns();
  #at = 0;
  #result: Json | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  async parse(): Promise<Json | undefined> {
    for (let count = 1; ; count += 1) {
      const done = this.#value();
      // Most values are read at once: waiting for those, too, would cost as much as reading them.
      if (done === true || (done !== false && (await done))) break;
      if (count % VALUES_A_LOOK === 0) await this.#turns.pause();
      if (count > MAX_VALUES)
        throw new RefusedError("bad-body", `more than ${MAX_VALUES} values in one request`);
    }
    if (this.#space()) await this.#longSpace();
    if (this.#at !== this.#text.length) throw new SyntaxError("text after the JSON value");
    return this.#result;
  }

  /** Reads up to and including one scalar or bracket. @returns true when the document is complete */
  #value(): boolean | Promise<boolean> {
    if (this.#space()) return this.#longSpace().then(() => this.#value());
    const unit = this.#text.charAt(this.#at);
    if (unit === "{" || unit === "[") {
      if (this.#stack.length >= MAX_DEPTH) throw new SyntaxError("nested too deep");
      this.#at += 1;
      this.#stack.push(unit === "{" ? { object: {}, key: undefined } : { list: [] });
      return this.#open();
    }
    if (unit !== '"') return this.#place(this.#scalar());
    const value = this.#string();
    return typeof value === "string" ? this.#place(value) : value.then((text) => this.#place(text));
  }

  /** Behind an opening bracket: an empty container closes, an object goes on with its first name. */
  #open(): boolean | Promise<boolean> {
    if (this.#space()) return this.#longSpace().then(() => this.#open());
    const container = this.#stack.at(-1);
    if (!container) throw new SyntaxError("no container");
    const isList = "list" in container;
    if (this.#text.charAt(this.#at) === (isList ? "]" : "}")) {
      this.#at += 1;
      this.#stack.pop();
      return this.#place(isList ? container.list : container.object);
    }
    return isList ? false : this.#key(container);
  }

  /** Puts a complete value where it belongs and closes what ends after it. */
  #place(value: Json): boolean | Promise<boolean> {
    const container = this.#stack.at(-1);
    if (!container) {
      this.#result = value;
      return true;
    }
    if ("list" in container) container.list.push(value);
    else define(container.object, container.key ?? "", value);
    return this.#next();
  }

  /** Behind a value: a comma, or brackets that close. */
  #next(): boolean | Promise<boolean> {
    for (;;) {
      if (this.#space()) return this.#longSpace().then(() => this.#next());
      const container = this.#stack.at(-1);
      if (!container) throw new SyntaxError("no container");
      const isList = "list" in container;
      const unit = this.#text.charAt(this.#at);
      this.#at += 1;
      if (unit === ",") return isList ? false : this.#key(container);
      if (unit !== (isList ? "]" : "}")) throw new SyntaxError(`unexpected character at ${this.#at - 1}`);
      this.#stack.pop();
      const complete = isList ? container.list : container.object;
      const outer = this.#stack.at(-1);
      if (!outer) {
        this.#result = complete;
        return true;
      }
      if ("list" in outer) outer.list.push(complete);
      else define(outer.object, outer.key ?? "", complete);
    }
  }

  /** A name and its colon. @returns false: the value is still to come */
  #key(container: ObjectContainer): false | Promise<false> {
    if (this.#space()) return this.#longSpace().then(() => this.#key(container));
    if (this.#text.charAt(this.#at) !== '"') throw new SyntaxError(`expected a key at ${this.#at}`);
    const key = this.#string();
    if (typeof key === "string") return this.#colon(container, key);
    // A name goes through many hands whole; that long it is no name of any model API.
    return key.then(() => {
      throw new RefusedError("bad-body", `a property name of more than ${STRING_PIECE} characters`);
    });
  }

  #colon(container: ObjectContainer, key: string): false | Promise<false> {
    if (this.#space()) return this.#longSpace().then(() => this.#colon(container, key));
    if (this.#text.charAt(this.#at) !== ":") throw new SyntaxError(`expected a colon at ${this.#at}`);
    this.#at += 1;
    container.key = key;
    return false;
  }

  /** One string; a long one in turns. */
  #string(): string | Promise<string> {
    const start = this.#at;
    const end = this.#text.indexOf('"', start + 1);
    if (end === -1) throw new SyntaxError("unterminated string");
    if (this.#text.charCodeAt(end - 1) !== 92) {
      if (end - start > STRING_PIECE) return this.#longString();
      this.#at = end + 1;
      const value: string = JSON.parse(this.#text.slice(start, end + 1));
      return value;
    }
    return this.#escapedString();
  }

  /** A string with a backslash before a quote: looked through up to a length that is done at once. */
  #escapedString(): string | Promise<string> {
    const start = this.#at;
    const end = this.#endOfString(start + 1, start + STRING_PIECE);
    if (end === undefined) return this.#longString();
    this.#at = end + 1;
    const value: string = JSON.parse(this.#text.slice(start, end + 1));
    return value;
  }

  /** Where the quote is that ends a string, from `from` on; undefined when it is not before `to`. */
  #endOfString(from: number, to: number): number | undefined {
    let end = from - 1;
    let escapes: number;
    do {
      end = this.#text.indexOf('"', end + 1);
      if (end === -1) throw new SyntaxError("unterminated string");
      if (end >= to) return undefined;
      escapes = 0;
      while (this.#text.charCodeAt(end - 1 - escapes) === 92) escapes += 1;
    } while (escapes % 2 === 1);
    return end;
  }

  /** A long string in pieces, none of which ends inside of an escape. */
  async #longString(): Promise<string> {
    const text = this.#text;
    const parts: string[] = [];
    let from = this.#at + 1;
    for (;;) {
      await this.#turns.pause();
      const to = wholeEscapes(text, from, Math.min(text.length, from + STRING_PIECE));
      const end = endBefore(text, from, to);
      const part: string = JSON.parse(`"${text.slice(from, end ?? to)}"`);
      parts.push(part);
      if (end !== undefined) {
        this.#at = end + 1;
        await this.#turns.pause();
        const value = parts.join("");
        await this.#turns.pause();
        return value;
      }
      if (to >= text.length) throw new SyntaxError("unterminated string");
      from = to;
    }
  }

  #scalar(): Json {
    SCALAR.lastIndex = this.#at;
    const match = SCALAR.exec(this.#text);
    if (!match) throw new SyntaxError(`unexpected character at ${this.#at}`);
    this.#at = SCALAR.lastIndex;
    const value: Json = JSON.parse(match[0]);
    return value;
  }

  /** Passes white space. @returns true when there is more of it than is passed at once */
  #space(): boolean {
    const most = this.#at + STEPS_A_LOOK;
    for (;;) {
      const unit = this.#text.charCodeAt(this.#at);
      if (unit !== 32 && unit !== 10 && unit !== 13 && unit !== 9) return false;
      this.#at += 1;
      if (this.#at >= most) return true;
    }
  }

  async #longSpace(): Promise<void> {
    do await this.#turns.pause();
    while (this.#space());
  }
}

/** The last place up to `to` that is not inside of an escape; `from` is not in one. */
function wholeEscapes(text: string, from: number, to: number): number {
  // Six units are the longest escape; a backslash before them decides nothing.
  let at = to;
  for (let back = 1; back <= 6 && to - back >= from; back += 1) {
    if (text.charCodeAt(to - back) !== 92) continue;
    let run = 1;
    while (to - back - run >= from && text.charCodeAt(to - back - run) === 92) run += 1;
    const start = to - back;
    if (run % 2 === 0) break;
    const length = text.charCodeAt(start + 1) === 117 ? 6 : 2;
    if (start + length > to) at = start;
    break;
  }
  return at;
}

/** Where the quote is that ends a string, in `text` from `from` up to `to`; undefined when it is not there. */
function endBefore(text: string, from: number, to: number): number | undefined {
  let end = from - 1;
  for (;;) {
    end = text.indexOf('"', end + 1);
    if (end === -1 || end >= to) return undefined;
    let escapes = 0;
    while (end - 1 - escapes >= from && text.charCodeAt(end - 1 - escapes) === 92) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
}

const SCALAR = /[-+.\w]{1,400}/y;

/** As `JSON.parse` does: `__proto__` is a key like any. */
function define(object: JsonObject, key: string, value: Json): void {
  if (key === "__proto__") {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  } else object[key] = value;
}
