import { mappedView, type View } from "./view.ts";

/** How far around an escape its token is taken along: context for the rules, and a bound on the work. */
const MAX_BEFORE = 256;
const MAX_LENGTH = 4096;

const TOKEN_END = /[\s"'<>`]/;

/**
 * The parts of a text that are written in escapes, decoded: percent-encoding (RFC 3986 section 2.1, UTF-8), the
 * `\uXXXX` of JSON (RFC 8259 section 7), and numeric character references (HTML Living Standard, section 13.2.5). Each part is the run of non-space characters around the escapes, at most
 * 4,096 of them; every decoded character maps back to its escape. Linear in the text.
 */
export function escapedParts(text: string): View[] {
  return [
    ...parts(text, "%", decodePercent),
    ...parts(text, "\\u", decodeUnicode),
    ...parts(text, "&#", decodeEntities),
  ];
}

type Decoder = (text: string, from: number, to: number) => View | undefined;

function parts(text: string, marker: string, decode: Decoder): View[] {
  const views: View[] = [];
  let end = 0;
  for (let at = text.indexOf(marker); at >= 0; at = text.indexOf(marker, Math.max(at + 1, end))) {
    let from = at;
    while (from > end && at - from < MAX_BEFORE && !TOKEN_END.test(text[from - 1] as string)) from--;
    let to = at;
    while (to < text.length && to - from < MAX_LENGTH && !TOKEN_END.test(text[to] as string)) to++;
    end = to;
    const view = decode(text, from, to);
    if (view !== undefined) views.push(view);
  }
  return views;
}

function decodePercent(text: string, from: number, to: number): View | undefined {
  const decoded = new Decoded();
  let any = false;
  for (let i = from; i < to; ) {
    const bytes: number[] = [];
    let next = i;
    while (next + 2 < to + 1 && text[next] === "%") {
      const byte = hex(text, next + 1, 2);
      if (byte === undefined) break;
      bytes.push(byte);
      next += 3;
    }
    const characters = bytes.length > 0 ? utf8(bytes) : undefined;
    if (characters === undefined) {
      decoded.add(text[i] as string, i, i + 1);
      i++;
      continue;
    }
    any = true;
    for (const character of characters) {
      const width = 3 * Buffer.byteLength(character);
      decoded.add(character, i, i + width);
      i += width;
    }
  }
  return any ? decoded.view() : undefined;
}

function decodeUnicode(text: string, from: number, to: number): View | undefined {
  const decoded = new Decoded();
  let any = false;
  for (let i = from; i < to; ) {
    const code = text.startsWith("\\u", i) ? hex(text, i + 2, 4) : undefined;
    if (code === undefined) {
      decoded.add(text[i] as string, i, i + 1);
      i++;
    } else {
      any = true;
      decoded.add(String.fromCharCode(code), i, i + 6);
      i += 6;
    }
  }
  return any ? decoded.view() : undefined;
}

function decodeEntities(text: string, from: number, to: number): View | undefined {
  const decoded = new Decoded();
  let any = false;
  const entity = /&#(?:x([0-9a-f]{1,6})|(\d{1,7}));?/iy;
  for (let i = from; i < to; ) {
    entity.lastIndex = i;
    const match = text[i] === "&" ? entity.exec(text) : null;
    const code =
      match === null ? Number.NaN : Number.parseInt(match[1] ?? (match[2] as string), match[1] ? 16 : 10);
    if (match !== null && code > 0 && code <= 0x10ffff) {
      any = true;
      decoded.add(String.fromCodePoint(code), i, i + match[0].length);
      i += match[0].length;
    } else {
      decoded.add(text[i] as string, i, i + 1);
      i++;
    }
  }
  return any ? decoded.view() : undefined;
}

/** Collects characters with their places. */
class Decoded {
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  #text = "";

  add(characters: string, start: number, end: number): void {
    this.#text += characters;
    for (let i = 0; i < characters.length; i++) {
      this.#starts.push(start);
      this.#ends.push(end);
    }
  }

  view(): View {
    return mappedView(this.#text, this.#starts, this.#ends);
  }
}

function hex(text: string, at: number, digits: number): number | undefined {
  let value = 0;
  for (let i = at; i < at + digits; i++) {
    const digit = hexDigit(text.charCodeAt(i));
    if (digit < 0) return undefined;
    value = value * 16 + digit;
  }
  return value;
}

/** The value of a hexadecimal digit; -1 for anything else, past the end of the text too. */
function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function utf8(bytes: readonly number[]): string | undefined {
  if (bytes.every((byte) => byte < 0x80)) return String.fromCharCode(...bytes);
  try {
    return UTF8.decode(Uint8Array.from(bytes));
  } catch {
    return undefined;
  }
}
