import { normalise } from "./normalise.ts";
import { stem } from "./stem.ts";
import { isStopToken } from "./stop-words.ts";

/** Scripts written without spaces, whose words the index approximates by pairs of characters. */
const CJK_CLASS = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}々〆ー]`;
const CJK = new RegExp(CJK_CLASS, "v");

/** Runs of CJK, or words of any other script with the marks that hold an identifier together. */
const WORD_CLASS = String.raw`[[\p{L}\p{N}\p{M}]--${CJK_CLASS}]`;
const RUN = new RegExp(
  String.raw`${CJK_CLASS}+|${WORD_CLASS}+(?:[._\/:@'\-]?${WORD_CLASS})*(?:\+\+|#)?`,
  "gv",
);

/** Where one identifier holds several words: fooBar, HTTPServer, sha256sum. */
const CASE_BOUNDARY = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const DIGIT_BOUNDARY = /(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/u;

/** Longest token kept; longer ones (base64, minified code) are cut, they match only themselves anyway. */
const MAX_TOKEN = 64;

/** Tokens of a single very long text beyond this are not indexed: 10^5 tokens are a book, not an experience. */
const MAX_TOKENS = 100_000;

/**
 * Search tokens of a text, in order and with repetitions.
 *
 * CJK runs give their overlapping character pairs (a run of one character gives itself); other words give
 * their parts split at case and punctuation, stemmed, and — when there is more than one part — the identifier as a
 * whole without its punctuation. Same function for documents and queries; only queries drop stop words.
 */
export function tokenise(text: string): string[] {
  const tokens: string[] = [];
  for (const [run] of normalise(text).matchAll(RUN)) {
    if (tokens.length >= MAX_TOKENS) break;
    if (CJK.test(run[0] ?? "")) pushPairs(run, tokens);
    else pushWord(run, tokens);
  }
  return tokens;
}

function pushPairs(run: string, out: string[]): void {
  const chars = Array.from(run);
  if (chars.length === 1) {
    out.push(run);
    return;
  }
  for (let i = 0; i + 1 < chars.length; i += 1) out.push(`${chars[i]}${chars[i + 1]}`);
}

function pushWord(run: string, out: string[]): void {
  const suffix = /(\+\+|#)$/.exec(run)?.[0] ?? "";
  const bare = suffix ? run.slice(0, -suffix.length) : run;
  const parts = bare.split(/[._/:@'-]+/u).flatMap((piece) => piece.split(CASE_BOUNDARY));
  const words: string[] = [];
  for (const part of parts) {
    const lower = part.toLowerCase();
    if (!lower) continue;
    words.push(lower);
    const pieces = lower.split(DIGIT_BOUNDARY);
    // python3 is also found as python; the lone digit would match everything and is left out.
    if (pieces.length > 1) words.push(...pieces.filter((p) => p.length > 1 && /\p{L}/u.test(p)));
  }
  for (const word of words) out.push(stem(word).slice(0, MAX_TOKEN));
  if (suffix) out.push(`${bare.toLowerCase()}${suffix}`.slice(0, MAX_TOKEN));
  if (parts.length > 1) {
    const whole = parts.join("").toLowerCase();
    if (whole && !words.includes(whole)) out.push(whole.slice(0, MAX_TOKEN));
  }
}

/** Distinct tokens of a query without stop words; when only stop words are there, they are what is searched. */
export function queryTokens(query: string, max = 64): string[] {
  const all = [...new Set(tokenise(query))];
  const content = all.filter((token) => !isStopToken(token));
  return (content.length > 0 ? content : all).slice(0, max);
}

/** The character itself when a query is a single CJK character, punctuation aside, which pairs cannot find. */
export function singleCjk(query: string): string | undefined {
  const chars = Array.from(normalise(query).replace(/[^\p{L}\p{N}]/gu, ""));
  const only = chars[0];
  return chars.length === 1 && only !== undefined && CJK.test(only) ? only : undefined;
}

/** The distinct CJK characters of a query that are not part of a stop pair only. */
export function cjkCharacters(query: string): string[] {
  const characters = queryTokens(query).flatMap((token) => (CJK.test(token) ? Array.from(token) : []));
  return [...new Set(characters)].filter((character) => !isStopToken(character));
}
