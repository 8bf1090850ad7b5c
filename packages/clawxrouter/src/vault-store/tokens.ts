/**
 * Tokens of ClawXRouter are the placeholders of shared-security, `[REDACTED:PHONE_17]` for S2 values and
 * `[PRIVATE:SSH_KEY_4]` for S3 values. Numbers are given once per installation, so a token names one value of
 * one conversation and can never be taken for another's. A whole private message stands as `🔒[PRIVATE:TEXT_8]`.
 */
import { findPlaceholders, formatPlaceholder, type PrivateLevel } from "@clawx/shared-security";

/** Type of a token that stands for a whole private text or one of its lines. */
export const PRIVATE_TEXT_TYPE = "TEXT";

const LOCK = "🔒";

/** `[REDACTED:<type>_<n>]` or `[PRIVATE:<type>_<n>]` */
export function formatToken(level: PrivateLevel, type: string, n: number): string {
  return formatPlaceholder(level, type, n);
}

/** How a whole private message is written into a transcript. */
export function lockMark(token: string): string {
  return `${LOCK}${token}`;
}

/** One token-shaped part of a text; whether it is a token of ours only the vault can tell. */
export interface TokenSpan {
  token: string;
  start: number;
  end: number;
}

/** Every token-shaped part, in order; escaped look-alikes (more than one colon) are none. */
export function tokenSpans(text: string): TokenSpan[] {
  return findPlaceholders(text)
    .filter((match) => match.colons === 1)
    .map(({ token, start, end }) => ({ token, start, end }));
}

/**
 * Puts values in the place of tokens.
 * @param lookup undefined leaves the token as it is
 * @returns the text, and a lock mark that stood before a replaced token gone
 */
export function replaceTokens(text: string, lookup: (token: string) => string | undefined): string {
  let out = "";
  let from = 0;
  for (const span of tokenSpans(text)) {
    const value = lookup(span.token);
    if (value === undefined) continue;
    const before = text.slice(from, span.start);
    out += (before.endsWith(LOCK) ? before.slice(0, -LOCK.length) : before) + value;
    from = span.end;
  }
  return from === 0 ? text : out + text.slice(from);
}
