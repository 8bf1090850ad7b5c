/**
 * The grammar of placeholders: one family, `[REDACTED:TYPE_N]` for S2 values and `[PRIVATE:TYPE_N]` for S3
 * values. Why this shape: docs/decisions/placeholders.md.
 *
 * Text that already looks like a placeholder is escaped by one more colon, and restoring takes one colon away,
 * so that what a user typed is never mistaken for one of ours and comes back exactly.
 */
import type { PrivateLevel } from "../types.ts";

/** The word that opens a placeholder, by the level of the value behind it. */
export const PLACEHOLDER_WORD: Readonly<Record<PrivateLevel, string>> = { S2: "REDACTED", S3: "PRIVATE" };

/** Longest type name kept in a placeholder, in characters; longer ones are cut. */
const MAX_TYPE_LENGTH = 32;

/**
 * Longest placeholder that the vault makes, in UTF-16 code units: `[REDACTED:` + type + `_` + 9 digits + `]`.
 * A stream holds back no more than this, or than the same placeholder as a model may spell it: with Markdown escapes.
 */
export const MAX_PLACEHOLDER_LENGTH = 10 + MAX_TYPE_LENGTH + 1 + 9 + 1;

/** Where a placeholder stands: JSON text doubles the backslashes that a text of its own has. */
export type PlaceholderForm = "text" | "json";

interface Grammar {
  placeholder: RegExp;
  /** A tail of text that may still become a placeholder when more text follows. Wider than `placeholder` on purpose. */
  partial: RegExp;
  colon: RegExp;
  /** A placeholder so far, with a run of three colons or more. */
  colonRun: RegExp;
}

// A model may return a placeholder slightly changed: Markdown escapes (`\[REDACTED:ID\_CARD\_1\]`), percent
// encoding inside a URL, full-width brackets and colons in Chinese text, other case, a space after the colon.
// All of these are recognised; all of them are escaped when they stand in the original text.
function grammar(backslashes: number): Grammar {
  const escapes = String.raw`\\{0,${backslashes}}`;
  const some = String.raw`\\{1,${backslashes}}`;
  const open = String.raw`\[|［|【`;
  const colon = `(?:${escapes}:|：|%3A)`;
  const name = `[A-Z](?:[A-Z0-9]|${escapes}_){0,40}`;
  const prefixes = (word: string): string =>
    [...word].reduceRight((rest, letter) => (rest === "" ? letter : `${letter}(?:${rest})?`), "");
  const word = `(?:${prefixes("REDACTED")}|${prefixes("PRIVATE")})`;
  const afterWord = `(?:REDACTED|PRIVATE)(?:${some}|%3?|${colon}+(?:${some}|%3?|(?: ?(?:[A-Z](?:[A-Z0-9]|${escapes}_){0,60}(?:${some}|%5?)?)?)?))`;
  return {
    placeholder: new RegExp(
      String.raw`(?:(${open})|(%5B))(REDACTED|PRIVATE)(${colon}+)( ?)(${name})${escapes}_([1-9][0-9]{0,8})(?:(${escapes})[\]］】]|(%5D))`,
      "gi",
    ),
    partial: new RegExp(`(?:${some}|%5?|${escapes}(?:${open}|%5B)(?:${word}|${afterWord})?)$`, "i"),
    colon: new RegExp(colon, "gi"),
    colonRun: new RegExp(`^(${escapes}(?:${open}|%5B)(?:REDACTED|PRIVATE))((?:${colon}){3,})`, "i"),
  };
}

const GRAMMARS: Readonly<Record<PlaceholderForm, Grammar>> = { text: grammar(2), json: grammar(4) };

/** Cheap first look: a text without either word holds no placeholder of any form. */
const MAYBE = /REDACTED|PRIVATE/i;

/** Something in a text that has the form of a placeholder, whether or not a vault knows it. */
export interface PlaceholderMatch {
  /** First code unit that belongs to it (a Markdown backslash before the bracket included). */
  start: number;
  /** One past the last code unit. */
  end: number;
  /** The exact placeholder it stands for: upper case, one colon, no escapes. */
  token: string;
  level: PrivateLevel;
  type: string;
  number: number;
  /** How many colons it has: 1 = a placeholder, more = an escaped look-alike. */
  colons: number;
  /** Where the last colon starts and the colons end, in code units. */
  lastColon: number;
  colonsEnd: number;
  /** True when it stood percent-encoded, so that what replaces it must be too. */
  percentEncoded: boolean;
}

/** Build the placeholder of a value. `type` is brought to upper snake case; an unusable one becomes `VALUE`. */
export function formatPlaceholder(level: PrivateLevel, type: string, number: number): string {
  return `[${PLACEHOLDER_WORD[level]}:${placeholderType(type)}_${number}]`;
}

/** The form of a type name inside a placeholder: `[A-Z][A-Z0-9_]*`, at most 32 characters. */
export function placeholderType(type: string): string {
  const name = type
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "_")
    .replace(/^[_0-9]+/, "")
    .slice(0, MAX_TYPE_LENGTH)
    .replace(/_+$/, "");
  return name === "" ? "VALUE" : name;
}

/** Every placeholder-like string in `text`, in order. Linear time. */
export function findPlaceholders(text: string, form: PlaceholderForm = "text"): PlaceholderMatch[] {
  if (!MAYBE.test(text)) return [];
  const found: PlaceholderMatch[] = [];
  const { placeholder, colon } = GRAMMARS[form];
  for (const hit of text.matchAll(placeholder)) {
    const match = toMatch(text, hit, colon);
    if (match !== undefined) found.push(match);
  }
  return found;
}

function toMatch(text: string, hit: RegExpExecArray, colon: RegExp): PlaceholderMatch | undefined {
  const [whole, open, percentOpen, word, colonRun, , name, number, closeEscape, percentClose] = hit;
  if (word === undefined || colonRun === undefined || name === undefined || number === undefined)
    return undefined;
  if ((percentOpen === undefined) !== (percentClose === undefined)) return undefined;
  const colons = colonRun.match(colon) ?? [];
  const colonsStart = hit.index + (open ?? percentOpen ?? "").length + word.length;
  const colonsEnd = colonsStart + colonRun.length;
  const level: PrivateLevel = word.toUpperCase() === PLACEHOLDER_WORD.S3 ? "S3" : "S2";
  const type = name.replaceAll("\\", "").toUpperCase();
  return {
    start: hit.index - leadingEscape(text, hit.index, closeEscape ?? ""),
    end: hit.index + whole.length,
    token: `[${PLACEHOLDER_WORD[level]}:${type}_${number}]`,
    level,
    type,
    number: Number(number),
    colons: colons.length,
    lastColon: colonsEnd - (colons.at(-1)?.length ?? 0),
    colonsEnd,
    percentEncoded: percentOpen !== undefined,
  };
}

/** A backslash before the bracket is Markdown only when the closing bracket has one too; else it is a path's. */
function leadingEscape(text: string, open: number, closeEscape: string): number {
  let count = 0;
  while (count < closeEscape.length && text.charCodeAt(open - count - 1) === 92) count++;
  return count;
}

/** Escape one match: add a colon. */
export function escapeMatch(text: string, match: PlaceholderMatch): string {
  return `${text.slice(match.start, match.colonsEnd)}:${text.slice(match.colonsEnd, match.end)}`;
}

/** Undo `escapeMatch`: take the last colon away. */
export function unescapeMatch(text: string, match: PlaceholderMatch): string {
  return text.slice(match.start, match.lastColon) + text.slice(match.colonsEnd, match.end);
}

/** Escape everything in `text` that looks like a placeholder, so that restoring gives `text` back. */
export function escapePlaceholders(text: string): string {
  return replaceMatches(text, (match) => escapeMatch(text, match));
}

/** Replace each placeholder-like string by what `replace` gives for it; `undefined` leaves it as it is. */
export function replaceMatches(
  text: string,
  replace: (match: PlaceholderMatch) => string | undefined,
): string {
  const matches = findPlaceholders(text);
  if (matches.length === 0) return text;
  let out = "";
  let at = 0;
  for (const match of matches) {
    const replacement = replace(match);
    if (replacement === undefined) continue;
    out += text.slice(at, match.start) + replacement;
    at = match.end;
  }
  return at === 0 ? text : out + text.slice(at);
}

/** How many code units at the end of `text` may be the beginning of a placeholder still to come. */
export function partialPlaceholderLength(text: string, form: PlaceholderForm = "text"): number {
  const hit = GRAMMARS[form].partial.exec(text);
  return hit === null ? 0 : text.length - hit.index;
}

/**
 * What of a partial placeholder with a run of colons is certain: however it goes on, restoring takes away the last colon
 * at most.
 * @returns how many units may go out at once, and an equivalent, short beginning of which the first `sent` units are
 * among them; undefined when the run is short
 */
export function shortenColons(
  partial: string,
  form: PlaceholderForm = "text",
): { certain: number; short: string; sent: number } | undefined {
  const { colonRun: pattern, colon } = GRAMMARS[form];
  const run = pattern.exec(partial);
  const [, head, colonRun] = run ?? [];
  if (head === undefined || colonRun === undefined) return undefined;
  const colons = colonRun.match(colon) ?? [];
  const last = colons.at(-1) ?? "";
  const kept = head + (colons.at(-2) ?? "");
  const certain = head.length + colonRun.length - last.length;
  return { certain, short: kept + partial.slice(certain), sent: kept.length };
}
