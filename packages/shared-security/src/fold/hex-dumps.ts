import { Units } from "./units.ts";
import { opaqueView, type View } from "./view.ts";

/** So many bytes can be a number worth a look. */
const MIN_BYTES = 8;
const MAX_BYTES = 65_536;
/** `xxd`, `hexdump -C`, `od -A x -t x1`: an offset, then up to 16 bytes in groups of one or two (or four). */
const LINE =
  /^(?:"?[\w.-]{1,40}"?:[ \t]?)??[ \t>|]{0,8}[0-9a-f]{4,16}(?::[ \t]{1,4}|[ \t]{1,4})((?:[0-9a-f]{2}){1,8}(?:[ \t]{1,2}(?:[0-9a-f]{2}){1,8}){0,31})(?=\s|$)/i;
/** Groups of two or four bytes without an offset. */
const GROUPS =
  /[0-9a-f]{4}(?:[0-9a-f]{4})?(?:[ :-](?:[0-9a-f]{4}){1,2}){3,4000}(?:[ :-]?[0-9a-f]{2})?(?![0-9a-z])/iy;
/** Four groups with a sign between are so long at least: in each there is a sign at one of the sampled places. */
const STEP = 14;
const LONGEST_GROUP = 8;
/** Behind a sampled place there are so many digits and signs in a row at least. */
const SEEN = 5;
const UNITS = new Units();
/** 1 for each hexadecimal digit and each sign that parts groups, by code unit. */
const IN_GROUPS = new Uint8Array(0x10000);
for (const character of "0123456789abcdefABCDEF :-") IN_GROUPS[character.charCodeAt(0)] = 1;
const MAX_NAME = 40;
const UTF8 = new TextDecoder("utf-8", { fatal: true });

/** The text in dumps of bytes in hexadecimal, line after line. What is found in one covers the whole dump. */
export function hexDumps(text: string): View[] {
  const views: View[] = [];
  lines(text, views);
  groups(text, views);
  return views;
}

function groups(text: string, views: View[]): void {
  const units = UNITS.of(text);
  for (let i = STEP - 1; i + SEEN <= text.length; i += STEP) {
    let seen = 0;
    for (let at = i; at < i + SEEN; at++) seen += IN_GROUPS[units[at] as number] as number;
    if (seen < SEEN) continue;
    let sign = i;
    while (sign <= i + LONGEST_GROUP && isHex(text.charCodeAt(sign))) sign++;
    if (!isSign(text.charCodeAt(sign)) || !isGroup(text, sign - 4) || !isGroup(text, sign + 1)) continue;
    let at = sign - 4;
    while (
      at > 0 &&
      sign - at < 4 * STEP &&
      (isHex(text.charCodeAt(at - 1)) || (isSign(text.charCodeAt(at - 1)) && isGroup(text, at - 5)))
    )
      at--;
    GROUPS.lastIndex = at;
    const match = GROUPS.exec(text);
    if (match === null) continue;
    const end = at + match[0].length;
    const decoded = decode(match[0].replace(/[ :-]/g, ""));
    if (decoded !== undefined) views.push(opaqueView(decoded, at, end));
    i = Math.max(i, end);
  }
}

function isGroup(text: string, at: number): boolean {
  for (let i = at; i < at + 4; i++) if (!isHex(text.charCodeAt(i))) return false;
  return true;
}

function isSign(code: number): boolean {
  return code === 0x20 || code === 0x3a || code === 0x2d;
}

function lines(text: string, views: View[]): void {
  let hex = "";
  let start = 0;
  let end = 0;
  const flush = (): void => {
    const decoded = hex.length >= 2 * MIN_BYTES ? decode(hex) : undefined;
    if (decoded !== undefined) views.push(opaqueView(decoded, start, end));
    hex = "";
  };
  for (let at = 0; at < text.length; ) {
    let next = text.indexOf("\n", at);
    if (next < 0) next = text.length;
    const match = mayBeDump(text, at, next) ? LINE.exec(text.slice(at, Math.min(next, at + 160))) : null;
    if (match === null) {
      if (hex !== "") flush();
    } else if (hex.length < 2 * MAX_BYTES) {
      if (hex === "") start = at;
      hex += (match[1] as string).replace(/[ \t]/g, "");
      end = next;
    }
    at = next + 1;
  }
  flush();
}

/** Whether a line begins with something like an offset, or a name and one: nearly none do. */
function mayBeDump(text: string, at: number, next: number): boolean {
  if (isOffset(text, at, next)) return true;
  let i = at;
  while (i < next && i - at < MAX_NAME && isNamePart(text.charCodeAt(i))) i++;
  return i < next && text.charCodeAt(i) === 0x3a && isOffset(text, i + 1, next);
}

function isOffset(text: string, at: number, next: number): boolean {
  let i = at;
  while (i < next && i < at + 8 && isBefore(text.charCodeAt(i))) i++;
  return isHex(text.charCodeAt(i)) && isHex(text.charCodeAt(i + 1)) && isHex(text.charCodeAt(i + 3));
}

/** A character of a file's name, as `LINE` reads it. */
function isNamePart(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) ||
    ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a) ||
    code === 0x2d ||
    code === 0x2e ||
    code === 0x5f
  );
}

function isBefore(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x3e || code === 0x7c;
}

function isHex(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66);
}

function decode(hex: string): string | undefined {
  const bytes = Buffer.from(hex, "hex");
  if (
    bytes.length < MIN_BYTES ||
    bytes.some((byte) => (byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 13) || byte === 0x7f)
  )
    return undefined;
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}
