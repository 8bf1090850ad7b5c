import { afterSoftBreak, decodeBytes, EQUALS, hexByte } from "./bytes.ts";
import { Decoded } from "./decoded.ts";
import type { View } from "./view.ts";

const RETURN = 0x0d;

/** How much of the text around a break or an escape is shown with it: a value and the words that give it away. */
const AROUND = 1024;

/**
 * Views of the text as one that reads mail sees it, around each soft line break of quoted-printable (RFC 2045 section
 * 6.7, rule 5) and, in a text that has one or an escaped `=`, around each of its escapes. What lies further away than {@link AROUND} is not
 * shown: code has a `=` at the end of a line here and there, and needs not be read twice for it.
 */
export function softBreaks(text: string, views: View[]): void {
  let next = nextSoftBreak(text, 0);
  if (next < 0 && !text.includes("=3D")) return;
  let coded = nextEscape(text, Math.max(0, next - AROUND));
  while (next >= 0 || coded >= 0) {
    const first = next < 0 || (coded >= 0 && coded < next) ? coded : next;
    const decoded = new Decoded();
    let at = Math.max(0, first - AROUND);
    let until = Math.min(text.length, first + AROUND);
    for (;;) {
      const isBreak = next >= 0 && (coded < 0 || next < coded);
      const place = isBreak ? next : coded;
      if (place < 0 || place >= until) break;
      decoded.copy(text, at, place);
      at = isBreak
        ? afterSoftBreak(text, place)
        : (decodeBytes(text, place, text.length, decoded, EQUALS) ?? place);
      if (at === place) {
        // Not UTF-8: as it is.
        at = place + 1;
        decoded.copy(text, place, at);
      }
      until = Math.min(text.length, at + AROUND);
      if (next >= 0 && next < at) next = nextSoftBreak(text, at);
      if (coded >= 0 && coded < at) coded = nextEscape(text, at);
    }
    decoded.copy(text, at, until);
    views.push(decoded.view());
  }
}

/** Where a word goes on behind `=` and a line end; the break is at the `=`. */
function nextSoftBreak(text: string, from: number): number {
  for (let line = text.indexOf("\n", from + 1); line >= 0; line = text.indexOf("\n", line + 1)) {
    const at = text.charCodeAt(line - 1) === RETURN ? line - 2 : line - 1;
    if (at > from && text.charCodeAt(at) === EQUALS && isInside(text, at - 1) && goesOn(text, line + 1))
      return at;
  }
  return -1;
}

function goesOn(text: string, at: number): boolean {
  return isInside(text, at) || (text.charCodeAt(at) === EQUALS && hexByte(text, at + 1) >= 0);
}

/** An escape of ASCII, or several in a row: `=default` is none. */
function nextEscape(text: string, from: number): number {
  for (let at = text.indexOf("=", from); at >= 0; at = text.indexOf("=", at + 1)) {
    const byte = hexByte(text, at + 1);
    if (byte >= 0 && (byte < 0x80 || text.charCodeAt(at + 3) === EQUALS)) return at;
  }
  return -1;
}

function isInside(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code > 0x20 && code !== EQUALS;
}
