import { jsonEscape } from "../json/text.ts";

/** JSON inside a string of JSON inside ... is followed this deep; tool arguments seldom go beyond two. */
const MAX_DEPTH = 4;

const QUOTE = 34;
const BACKSLASH = 92;
const BRACE = 123;
const BRACKET = 91;

/**
 * Follows JSON text as it is written and knows how many JSON strings the current place is inside of, so that a value put
 * there can be escaped as often. A string counts as JSON itself when it begins as an object or array does: `{"`, `["`, `[{`.
 */
export class JsonDepth {
  readonly #level: Level = new Level(1);

  /** The next piece of JSON text, cut anywhere. */
  feed(text: string): void {
    for (let i = 0; i < text.length; i++) this.#level.feed(text.charCodeAt(i));
  }

  /** How many strings deep the place after what was fed is; 0 outside of any. */
  get depth(): number {
    return this.#level.depth();
  }

  /** `value` as it must be written at the current place. */
  encode(value: string): string {
    let out = value;
    for (let i = Math.max(1, this.depth); i > 0; i--) out = jsonEscape(out);
    return out;
  }
}

/** The lexer of one level; it hands the decoded characters of its strings to the level inside. */
class Level {
  readonly #nesting: number;
  #inString = false;
  #escaped = false;
  /** Digits of a `\uXXXX` still to come, and their value so far. */
  #hexLeft = 0;
  #hex = 0;
  #inner: Level | undefined;
  /** The beginning of the string is still to be judged; the bracket it begins with, once seen. */
  #atStart = false;
  #bracket = 0;

  constructor(nesting: number) {
    this.#nesting = nesting;
  }

  depth(): number {
    return this.#inString ? 1 + (this.#inner?.depth() ?? 0) : 0;
  }

  feed(unit: number): void {
    if (!this.#inString) {
      if (unit === QUOTE) this.#open();
    } else if (this.#hexLeft > 0) {
      this.#hex = this.#hex * 16 + (Number.parseInt(String.fromCharCode(unit), 16) || 0);
      if (--this.#hexLeft === 0) this.#decoded(this.#hex);
    } else if (this.#escaped) {
      this.#escaped = false;
      if (unit === 117) {
        this.#hexLeft = 4;
        this.#hex = 0;
      } else this.#decoded(ESCAPES.get(unit) ?? unit);
    } else if (unit === BACKSLASH) this.#escaped = true;
    else if (unit === QUOTE) this.#inString = false;
    else this.#decoded(unit);
  }

  #open(): void {
    this.#inString = true;
    this.#escaped = false;
    this.#hexLeft = 0;
    this.#inner = undefined;
    this.#atStart = this.#nesting < MAX_DEPTH;
    this.#bracket = 0;
  }

  #decoded(unit: number): void {
    if (this.#atStart && !isSpace(unit)) {
      if (this.#bracket === 0 && (unit === BRACE || unit === BRACKET)) {
        this.#bracket = unit;
        return;
      }
      this.#atStart = false;
      if (this.#bracket !== 0 && beginsJson(this.#bracket, unit)) {
        this.#inner = new Level(this.#nesting + 1);
        this.#inner.feed(this.#bracket);
      }
    }
    this.#inner?.feed(unit);
  }
}

/** `\n`, `\r`, `\t`, `\b`, `\f`; the others stand for themselves. */
const ESCAPES = new Map([
  [110, 10],
  [114, 13],
  [116, 9],
  [98, 8],
  [102, 12],
]);

/** What may follow the bracket in JSON; `[` before a word or `{` before a name is prose or code. */
function beginsJson(bracket: number, next: number): boolean {
  if (next === QUOTE) return true;
  if (bracket === BRACE) return next === 125;
  return next === BRACE || next === BRACKET || next === 93 || next === 45 || (next >= 48 && next <= 57);
}

function isSpace(unit: number): boolean {
  return unit === 32 || unit === 9 || unit === 10 || unit === 13;
}
