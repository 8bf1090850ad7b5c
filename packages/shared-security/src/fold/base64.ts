import { decodeBase32 } from "./base32.ts";
import { Units } from "./units.ts";
import { opaqueView, type View } from "./view.ts";

/** A phone number in base64 has 15 characters without its padding; shorter runs are words. */
const MIN_LENGTH = 15;
/** Longer ones are files, not messages; their first part is looked at. */
const MAX_LENGTH = 65_536;
/** What all parts of one text may decode to, in bytes: bounds the work however many runs there are. */
const MAX_TOTAL = 262_144;
/** A line this long may be one of several: encoders break lines at 64 or 76 characters (RFC 2045, RFC 7468). */
const MIN_LINE = 40;
/** How many characters tell whether a run can be text. */
const PROBE = 48;
/** Characters of base64 that make three bytes. */
const GROUP = 4;
/** So many bytes in hexadecimal may be a number worth a look. */
const MIN_HEX = 22;
const MIN_BYTES = 11;
/** Behind a sampled place of such a row there are so many digits and separators at least. */
const SEEN = 3;
/** 1 for each character of such a row, by code unit. */
const IN_ROWS = new Uint8Array(0x10000);
for (const character of "0123456789abcdefABCDEFxX :,-") IN_ROWS[character.charCodeAt(0)] = 1;
/** After so many signs of paths inside of a run its beginning is looked for. */
const MAX_BEGINNINGS = 4;

const VALUE = new Int8Array(128).fill(-1);
for (const [value, character] of [
  ..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
].entries()) {
  VALUE[character.charCodeAt(0)] = value;
}
VALUE["-".charCodeAt(0)] = 62;
VALUE["_".charCodeAt(0)] = 63;

/** All bits for each letter of base64, by code unit. */
const IF_LETTER = new Uint8Array(0x10000);
IF_LETTER.set(VALUE.map((value) => (value >= 0 ? 0xff : 0)));
const UNITS = new Units();

const NOT_TEXT = /[^\t\n\r\x20-\x7e\u00a0-\uffff]|\ufffd/;
const HEX = /^(?:0x)?[0-9a-f]+$/i;
const CONTINUATION = /\r?\n[ \t>]{0,8}(?=[A-Za-z0-9+/_-])/y;
const SPACED_HEX = /(?:0x)?[0-9a-f]{2}(?:[ :,-]{1,2}(?:0x)?[0-9a-f]{2}){10,4000}(?!\w)/iy;

/**
 * The base64, base64url, base32 (RFC 4648 sections 4, 5 and 6) and hexadecimal runs of a text that hold text, decoded. What is
 * found in one covers the whole run: a part of it cut out would make the rest unreadable anyway.
 */
export function base64Parts(text: string): View[] {
  const views: View[] = [];
  const { length } = text;
  const units = UNITS.of(text);
  let budget = MAX_TOTAL;
  for (let start = nextRun(units, 0, length); start >= 0 && budget > 0; ) {
    let end = start + MIN_LENGTH;
    while (end < length && IF_LETTER[units[end] as number] !== 0) end++;
    const part = decodeRun(text, start, end);
    if (part !== undefined) {
      budget -= part.view.text.length;
      views.push(part.view);
      end = Math.max(end, part.end);
    }
    start = nextRun(units, end, length);
  }
  if (budget > 0) spacedHex(text, units, views);
  return views;
}

/** Where the next {@link MIN_LENGTH} letters in a row begin, from `from` on; -1 for nowhere. */
function nextRun(units: Uint16Array, from: number, length: number): number {
  let run = 0;
  for (let i = from; i < length; i++) {
    // Words begin and end everywhere: counting costs less than a branch at each of their borders.
    run = (run + 1) & (IF_LETTER[units[i] as number] as number);
    if (run === MIN_LENGTH) return i - MIN_LENGTH + 1;
  }
  return -1;
}

/** Bytes in hexadecimal with something between them, as in dumps: `31 33 38`, `31:33:38`. */
function spacedHex(text: string, units: Uint16Array, views: View[]): void {
  // The shortest row is a separator shorter than this, so one of its bytes is always looked at.
  const step = 3 * (MIN_BYTES - 1);
  for (let i = step - 1; i + SEEN <= text.length; i += step) {
    let seen = 0;
    for (let at = i; at < i + SEEN; at++) seen += IN_ROWS[units[at] as number] as number;
    if (seen < SEEN) continue;
    // Of three characters in such a row one is a separator, with a byte on each side.
    let at = i;
    while (at < i + 4 && !isSeparator(text.charCodeAt(at))) at++;
    if (!isByte(text, at + 1) || !isByte(text, at - 2)) continue;
    at -= 2;
    while (at > 2 && i - at < step && isSeparator(text.charCodeAt(at - 1)) && isByte(text, at - 3)) at -= 3;
    SPACED_HEX.lastIndex = at;
    const match = SPACED_HEX.exec(text);
    if (match === null) continue;
    const decoded = decodeBytes(Buffer.from(match[0].replace(/0x|[ :,-]/gi, ""), "hex"));
    if (decoded !== undefined) views.push(opaqueView(decoded, at, at + match[0].length));
    i = Math.max(i, at + match[0].length);
  }
}

function isSeparator(code: number): boolean {
  return code === 0x20 || code === 0x3a || code === 0x2c || code === 0x2d;
}

function isByte(text: string, at: number): boolean {
  return isHexDigit(text.charCodeAt(at)) && isHexDigit(text.charCodeAt(at + 1));
}

function isHexDigit(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66);
}

/** The text in a run of base64 characters, which a path or a name may stand in front of. */
function decodeRun(text: string, start: number, end: number): { view: View; end: number } | undefined {
  if (end - start >= MIN_HEX && end - start <= MAX_LENGTH) {
    const run = text.slice(start, end);
    const decoded = HEX.test(run) ? decodeBytes(Buffer.from(run.replace(/^0x/i, ""), "hex")) : undefined;
    if (decoded !== undefined) return { view: opaqueView(decoded, start, end), end };
  }
  const inBase32 = isBase32(text, start) ? decodeBase32(text.slice(start, end)) : undefined;
  if (inBase32 !== undefined) return { view: opaqueView(inBase32, start, end), end };
  let from = start;
  for (let tried = 0; tried <= MAX_BEGINNINGS && end - from >= MIN_LENGTH; tried++) {
    if (beginsText(text, from, end)) {
      const lines = linesOf(text, from, end);
      let to = lines.until;
      let decoded = decodeBytes(Buffer.from(lines.run, "base64"));
      if (decoded === undefined && to > end) {
        // What followed was no line of it.
        to = end;
        decoded = decodeBytes(Buffer.from(text.slice(from, Math.min(end, from + MAX_LENGTH)), "base64"));
      }
      if (decoded !== undefined) {
        while (text[to] === "=") to++;
        return { view: opaqueView(decoded, from, to), end: to };
      }
    }
    while (from < end && !isSign(text.charCodeAt(from))) from++;
    from++;
  }
  return undefined;
}

/** Whether a run begins as base32 does: nearly none do. */
function isBase32(text: string, start: number): boolean {
  for (let at = start; at < start + 8; at++) {
    const code = text.charCodeAt(at);
    if (!((code >= 0x41 && code <= 0x5a) || (code >= 0x32 && code <= 0x37))) return false;
  }
  return true;
}

/** The run with the lines that continue it. */
function linesOf(text: string, from: number, end: number): { run: string; until: number } {
  let run = text.slice(from, Math.min(end, from + MAX_LENGTH));
  let until = end;
  const first = end - from;
  let line = first;
  // Shorter lines are those of an encoder when they are all as long.
  while ((line >= MIN_LINE || line === first) && run.length < MAX_LENGTH) {
    CONTINUATION.lastIndex = until;
    if (!CONTINUATION.test(text)) break;
    const next = CONTINUATION.lastIndex;
    let to = next;
    while (to < text.length && valueAt(text, to) >= 0) to++;
    if (line < MIN_LINE && !endsLine(text, to)) break;
    run += text.slice(next, to);
    until = to;
    line = to - next;
  }
  return { run, until };
}

/** Whether nothing but padding stands between here and the end of the line. */
function endsLine(text: string, at: number): boolean {
  let end = at;
  while (text[end] === "=") end++;
  return end >= text.length || /[\r\n"':,)\]]/.test(text[end] as string);
}

/**
 * Whether the run can be text by its first bytes, all but the last group: nearly all words and keys stop here. UTF-8
 * (RFC 3629) without control characters, or UTF-16.
 */
function beginsText(text: string, from: number, end: number): boolean {
  const limit = Math.min(end - GROUP, from + PROBE);
  /** Bytes that still belong to the character begun. */
  let open = 0;
  for (let at = from; at < limit; at += GROUP) {
    const bits =
      (valueAt(text, at) << 18) |
      (valueAt(text, at + 1) << 12) |
      (valueAt(text, at + 2) << 6) |
      valueAt(text, at + 3);
    if (at === from && ((bits >> 8) & 255) === 0) return bits >> 16 !== 0;
    for (let shift = 16; shift >= 0; shift -= 8) {
      const byte = (bits >> shift) & 255;
      if (byte < 0x80) {
        if (open > 0 || !isTextByte(byte)) return false;
      } else if (byte < 0xc0) {
        if (--open < 0) return false;
      } else {
        if (open > 0 || byte > 0xf4) return false;
        open = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
      }
    }
  }
  return true;
}

/** Printable ASCII or white space. */
function isTextByte(byte: number): boolean {
  return (byte >= 32 && byte !== 127) || byte === 9 || byte === 10 || byte === 13;
}

/** What parts a path or a name, and is a letter of base64 as well. */
function isSign(code: number): boolean {
  return code === 0x2d || code === 0x5f || code === 0x2f || code === 0x2b;
}

function decodeBytes(bytes: Buffer): string | undefined {
  const text = isUtf16(bytes) ? bytes.toString("utf16le") : bytes.toString("utf8");
  return NOT_TEXT.test(text.slice(0, -1)) ? undefined : text;
}

/** Little-endian UTF-16 of mostly ASCII, as PowerShell's `-EncodedCommand` has it: a NUL behind the first letters. */
function isUtf16(bytes: Buffer): boolean {
  return bytes.length >= 4 && bytes[1] === 0 && bytes[3] === 0 && bytes[0] !== 0 && bytes[2] !== 0;
}

function valueAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < VALUE.length ? (VALUE[code] as number) : -1;
}
