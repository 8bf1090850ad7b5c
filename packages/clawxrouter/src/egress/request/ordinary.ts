import { saysNothing } from "../../vault-store/telling.ts";

/** Words without digits, joined as identifiers are: `sessions_spawn`, `additionalProperties`, `tool-call`. */
const WORDS = /^[a-z]+(?:[A-Z_.-][a-z]+)*$/;
/** Types of what the user's own rules find: those words are private wherever they stand. */
const USER_TYPES = new Set(["KEYWORD", "PATTERN"]);

/**
 * A user name "admin" or a code "4096" is a value in a text, where it is replaced; as a field name, a role, a tool's
 * parameter or a number of tokens it is none, and must not stop every request. Neither does the border of a key.
 */
export function isOrdinary(value: string): boolean {
  return /^[a-z][a-z_-]{0,11}$/.test(value) || /^\d{1,6}$/.test(value) || saysNothing(value);
}

/**
 * Whether a value is made of words, as names of a protocol and of tools are. Somebody's password "sessions_spawn" must
 * not keep every conversation from its tools; in texts it is replaced all the same.
 */
export function isWords(value: string, type: string): boolean {
  return WORDS.test(value) && !USER_TYPES.has(type);
}

/**
 * A value without the backslashes and quotes at its ends: a cut through an escape leaves one there, and in JSON it
 * would be found before every quote.
 */
export function withoutEnds(value: string): string {
  let start = 0;
  let end = value.length;
  while (start < end && isEnd(value.charCodeAt(start))) start += 1;
  while (end > start && isEnd(value.charCodeAt(end - 1))) end -= 1;
  return value.slice(start, end);
}

/** Backslash, quote or white space. */
function isEnd(unit: number): boolean {
  return unit === 92 || unit === 34 || unit <= 32;
}
