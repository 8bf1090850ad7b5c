import type { Decoded } from "./decoded.ts";

/** An escape of one byte: a sign and two hexadecimal digits. */
const WIDTH = 3;
export const EQUALS = 0x3d;
const LINE_END = 0x0a;
const RETURN = 0x0d;

/**
 * Decodes the run of bytes that begins at `at`, each two hexadecimal digits behind `sign`, as UTF-8 (RFC 3629) as far
 * as they are. Linear however the run goes on: what is not UTF-8 is looked at once.
 * @param to where the run must end at the latest
 * @returns where the decoded run ends; undefined when nothing of it is UTF-8
 */
export function decodeBytes(
  text: string,
  at: number,
  to: number,
  decoded: Decoded,
  sign: number,
): number | undefined {
  let next = at;
  while (next + WIDTH <= to && text.charCodeAt(next) === sign) {
    const first = hexByte(text, next + 1);
    const size = sizeOf(first);
    if (size === 0) break;
    let code = size === 1 ? first : first & (0xff >> (size + 1));
    let end = next + WIDTH;
    for (let more = 1; more < size; more++) {
      if (sign === EQUALS) end = afterSoftBreak(text, end);
      const byte = end + WIDTH <= to && text.charCodeAt(end) === sign ? hexByte(text, end + 1) : -1;
      if (byte >> 6 !== 0b10) return next === at ? undefined : next;
      code = (code << 6) | (byte & 0x3f);
      end += WIDTH;
    }
    if (!isScalar(code, size)) break;
    decoded.add(String.fromCodePoint(code), next, end);
    next = end;
  }
  return next === at ? undefined : next;
}

/** The byte that two hexadecimal digits at `at` stand for; -1 where there are none. */
export function hexByte(text: string, at: number): number {
  const high = hexDigit(text.charCodeAt(at));
  const low = hexDigit(text.charCodeAt(at + 1));
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

/** Behind the soft line break that begins at `at` (RFC 2045 section 6.7, rule 5), or `at` where none does. */
export function afterSoftBreak(text: string, at: number): number {
  if (text.charCodeAt(at) !== EQUALS) return at;
  const line = text.charCodeAt(at + 1) === RETURN ? at + 2 : at + 1;
  return text.charCodeAt(line) === LINE_END ? line + 1 : at;
}

/** The value of a hexadecimal digit; -1 for anything else, past the end of the text too. */
function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

/** Bytes of the character that begins with this one; 0 when none does. */
function sizeOf(byte: number): number {
  if (byte < 0) return 0;
  if (byte < 0x80) return 1;
  if (byte >= 0xc2 && byte < 0xe0) return 2;
  if (byte >= 0xe0 && byte < 0xf0) return 3;
  return byte >= 0xf0 && byte < 0xf5 ? 4 : 0;
}

/** Whether this many bytes are the form of this character: no longer one, and no half of a surrogate pair. */
function isScalar(code: number, size: number): boolean {
  if (size === 3) return code >= 0x800 && (code < 0xd800 || code > 0xdfff);
  return size !== 4 || (code >= 0x10000 && code <= 0x10ffff);
}
