import { opaqueView, type View } from "./view.ts";

/** Shorter runs hold less than a phone number and its context. */
const MIN_LENGTH = 24;
/** Longer ones are files, not messages; their first part is looked at. */
const MAX_LENGTH = 65_536;
/** What all parts of one text may decode to, in bytes: bounds the work however many runs there are. */
const MAX_TOTAL = 262_144;
const PROBE = 48;

const IS_BASE64 = new Uint8Array(128);
for (const character of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_") {
  IS_BASE64[character.charCodeAt(0)] = 1;
}

const NOT_TEXT = /[^\t\n\r\x20-\x7e\u00a0-\uffff]|\ufffd/;

/**
 * The base64 and base64url runs of a text (RFC 4648 sections 4 and 5) that hold text, decoded. What is found in one
 * covers the whole run: a part of it cut out would make the rest unreadable anyway.
 */
export function base64Parts(text: string): View[] {
  const views: View[] = [];
  let budget = MAX_TOTAL;
  // A run of MIN_LENGTH covers a multiple of MIN_LENGTH, so only those positions are looked at.
  for (let i = MIN_LENGTH - 1; i < text.length && budget > 0; i += MIN_LENGTH) {
    if (!isBase64(text.charCodeAt(i))) continue;
    let start = i;
    while (start > 0 && i - start < MIN_LENGTH && isBase64(text.charCodeAt(start - 1))) start--;
    let end = i + 1;
    while (end < text.length && isBase64(text.charCodeAt(end))) end++;
    if (end - start >= MIN_LENGTH) {
      const decoded = decode(text.slice(start, Math.min(end, start + MAX_LENGTH)));
      if (decoded !== undefined) {
        budget -= decoded.length;
        while (text[end] === "=") end++;
        views.push(opaqueView(decoded, start, end));
      }
    }
    // Continue at the first sampling position past the run.
    i += Math.max(0, Math.floor((end - 1 - i) / MIN_LENGTH)) * MIN_LENGTH;
  }
  return views;
}

function decode(run: string): string | undefined {
  // Words and paths are base64 letters too; what they decode to is not text, which the first bytes show.
  if (NOT_TEXT.test(Buffer.from(run.slice(0, PROBE), "base64").toString("utf8").slice(0, -1)))
    return undefined;
  const text = Buffer.from(run, "base64").toString("utf8");
  return NOT_TEXT.test(text.slice(0, -1)) ? undefined : text;
}

function isBase64(code: number): boolean {
  return code < IS_BASE64.length && IS_BASE64[code] === 1;
}
