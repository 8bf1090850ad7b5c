import { type Automaton, buildAutomaton } from "../automaton/automaton.ts";
import type { PrivateLevel } from "../types.ts";

/** One of the user's keywords, with the level it raises a text to. */
export interface UserKeyword {
  readonly text: string;
  readonly level: PrivateLevel;
}

export interface KeywordMatch {
  readonly start: number;
  readonly end: number;
  readonly keyword: UserKeyword;
}

const WORD = /\w/;
/** A name in front of a keyword like `.pem` makes it a file name, unless it may as well be a property access. */
const PROPERTY_LIKE = new Set([
  ".env",
  ".key",
  ".config",
  ".token",
  ".secret",
  ".auth",
  ".data",
  ".conf",
  ".local",
]);

/** Finds many keywords in one pass. */
export class KeywordFinder {
  readonly #keywords: readonly UserKeyword[];
  readonly #automaton: Automaton;

  constructor(keywords: readonly UserKeyword[]) {
    this.#keywords = keywords;
    this.#automaton = buildAutomaton(keywords.map((keyword) => keyword.text));
  }

  /** Every occurrence that stands as a word of its own; overlapping ones too. */
  find(text: string): KeywordMatch[] {
    const { classOf, next, outputs } = this.#automaton;
    const found: KeywordMatch[] = [];
    let state = 0;
    for (let i = 0; i < text.length; i++) {
      state = next[(state >> 1) + (classOf[text.charCodeAt(i)] as number)] as number;
      if ((state & 1) === 0) continue;
      for (const { keyword, length } of outputs.get(state >> 1) ?? []) {
        const start = i + 1 - length;
        if (standsAlone(text, start, i + 1)) {
          found.push({ start, end: i + 1, keyword: this.#keywords[keyword] as UserKeyword });
        }
      }
    }
    return found;
  }
}

/**
 * Whether ASCII words end at both edges: `token` is not in `tokenizer`. Chinese, Japanese and Korean have no word
 * edges, so a keyword that starts or ends in them matches there as it is.
 */
function standsAlone(text: string, start: number, end: number): boolean {
  const after = text[end] ?? "";
  if (WORD.test(text[end - 1] as string) && WORD.test(after)) return false;
  const before = start > 0 ? (text[start - 1] as string) : "";
  if (text[start] === "." && WORD.test(before)) return isFileName(text, start, end);
  return !(WORD.test(text[start] as string) && WORD.test(before));
}

/** `server.pem`, `/etc/ssl/x.key` are files; `process.env.PORT`, `event.key`, `config.key = 1` are code. */
function isFileName(text: string, start: number, end: number): boolean {
  if (/^(?:\.\w|\(|\[|\s*[=(])/.test(text.slice(end, end + 4))) return false;
  const stem = /[^\s"'`<>()=,;]*$/.exec(text.slice(Math.max(0, start - 200), start))?.[0] ?? "";
  return /[\\/]/.test(stem) || !PROPERTY_LIKE.has(text.slice(start, end).toLowerCase());
}
