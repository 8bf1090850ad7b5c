import { Decoded } from "./decoded.ts";
import type { View } from "./view.ts";

/** How far around an escape its token is taken along: context for the rules, and a bound on the work. */
const MAX_BEFORE = 256;
const MAX_LENGTH = 4096;

const TOKEN_END = /[\s"'<>`]/;

/**
 * The parts of a text that are written in escapes, decoded: percent-encoding (RFC 3986 section 2.1, UTF-8), the escapes
 * of JSON, JavaScript, Python and C (`\uXXXX`, `\u{X}`, `\xXX`, `\NNN`, with any number of backslashes: escaped text is
 * escaped again), character references of HTML (Living Standard, section 13.2.5), quoted-printable (RFC 2045 section
 * 6.7). Each part is the run of non-space characters around the escapes, at most 4,096 of them; every decoded character
 * maps back to its escape. Linear in the text.
 */
export function escapedParts(text: string): View[] {
  const views: View[] = [];
  parts(text, views);
  const unbroken = withoutSoftBreaks(text);
  if (unbroken !== undefined) views.push(unbroken);
  return views;
}

/** Decodes what starts at `at` and says where that ends; undefined where nothing does. */
type Decode = (text: string, at: number, to: number, decoded: Decoded) => number | undefined;

/** Named character references that can stand inside of a value (HTML Living Standard, section 13.5). */
const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  commat: "@",
  period: ".",
  colon: ":",
  equals: "=",
  lowbar: "_",
  hyphen: "-",
  dash: "-",
  plus: "+",
  sol: "/",
  num: "#",
  nbsp: " ",
  shy: "",
  ZeroWidthSpace: "",
};

const REFERENCE = /&(?:#(?:x([0-9a-f]{1,6})|(\d{1,7}));?|([A-Za-z]{2,14});)/iy;
const BACKSLASHED = /\\{1,8}(?:u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2})|([0-3]?[0-7]{2}))/iy;

interface Kind {
  /** The character that each escape begins with. */
  readonly sign: string;
  /** Whether one begins at `at`, where the sign stands. */
  readonly begins: (text: string, at: number) => boolean;
  readonly decode: Decode;
}

const KINDS: readonly Kind[] = [
  {
    sign: "%",
    begins: (text, at) => hex(text, at + 1) !== undefined,
    decode: (text, at, to, out) => bytes(text, at, to, out, "%"),
  },
  { sign: "\\", begins: (text, at) => matchesAt(BACKSLASHED, text, at), decode: backslashed },
  { sign: "&", begins: (text, at) => matchesAt(REFERENCE, text, at), decode: reference },
  {
    // Three in a row: one alone is an assignment.
    sign: "=",
    begins: (text, at) => text[at + 3] === "=" && text[at + 6] === "=" && hex(text, at + 1) !== undefined,
    decode: (text, at, to, out) => bytes(text, at, to, out, "="),
  },
];

const KIND_OF = new Map(KINDS.map((kind) => [kind.sign.charCodeAt(0), kind]));

function matchesAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** Runs of non-space characters around escapes; escapes of all kinds in a run are decoded together. */
function parts(text: string, views: View[]): void {
  const next = KINDS.map((kind) => nextOf(kind, text, 0));
  for (let end = 0; ; ) {
    let at = Number.POSITIVE_INFINITY;
    for (const place of next) if (place >= 0 && place < at) at = place;
    if (at === Number.POSITIVE_INFINITY) return;
    let from = at;
    while (from > end && at - from < MAX_BEFORE && !TOKEN_END.test(text[from - 1] as string)) from--;
    let to = at;
    while (to < text.length && to - from < MAX_LENGTH && !TOKEN_END.test(text[to] as string)) to++;
    const view = decodeAll(text, from, to);
    if (view !== undefined) views.push(view);
    end = Math.max(to, at + 1);
    KINDS.forEach((kind, index) => {
      const place = next[index] as number;
      if (place >= 0 && place < end) next[index] = nextOf(kind, text, end);
    });
  }
}

/** Where the next escape of a kind begins, from `from` on; -1 for nowhere. */
function nextOf({ sign, begins }: Kind, text: string, from: number): number {
  let at = text.indexOf(sign, from);
  while (at >= 0 && !begins(text, at)) at = text.indexOf(sign, at + 1);
  return at;
}

function decodeAll(text: string, from: number, to: number): View | undefined {
  const decoded = new Decoded();
  let any = false;
  for (let i = from; i < to; ) {
    const kind = KIND_OF.get(text.charCodeAt(i));
    const next = kind?.begins(text, i) ? kind.decode(text, i, to, decoded) : undefined;
    if (next === undefined) {
      decoded.add(text[i] as string, i, i + 1);
      i++;
    } else {
      any = true;
      i = next;
    }
  }
  return any ? decoded.view() : undefined;
}

/** A run of bytes in hexadecimal, each behind `sign`, read as UTF-8. */
function bytes(text: string, at: number, to: number, decoded: Decoded, sign: string): number | undefined {
  if (text[at] !== sign) return undefined;
  const values: number[] = [];
  let next = at;
  while (next + 2 < to && text[next] === sign) {
    const byte = hex(text, next + 1);
    if (byte === undefined) break;
    values.push(byte);
    next += 3;
  }
  const characters = values.length > 0 ? utf8(values) : undefined;
  if (characters === undefined) return undefined;
  let i = at;
  for (const character of characters) {
    const width = 3 * Buffer.byteLength(character);
    decoded.add(character, i, i + width);
    i += width;
  }
  return next;
}

function backslashed(text: string, at: number, _to: number, decoded: Decoded): number | undefined {
  if (text[at] !== "\\") return undefined;
  BACKSLASHED.lastIndex = at;
  const match = BACKSLASHED.exec(text);
  if (match === null) return undefined;
  const [whole, braced, four, two, octal] = match;
  const code =
    octal === undefined ? Number.parseInt((braced ?? four ?? two) as string, 16) : Number.parseInt(octal, 8);
  if (code > 0x10ffff) return undefined;
  // A half of a surrogate pair stays one: String.fromCodePoint takes it as it is.
  decoded.add(String.fromCodePoint(code), at, at + whole.length);
  return at + whole.length;
}

function reference(text: string, at: number, _to: number, decoded: Decoded): number | undefined {
  if (text[at] !== "&") return undefined;
  REFERENCE.lastIndex = at;
  const match = REFERENCE.exec(text);
  if (match === null) return undefined;
  const [whole, hexadecimal, decimal, name] = match;
  const end = at + whole.length;
  if (name !== undefined) {
    if (!Object.hasOwn(NAMED, name)) return undefined;
    decoded.add(NAMED[name] as string, at, end);
    return end;
  }
  const code = Number.parseInt(hexadecimal ?? (decimal as string), hexadecimal === undefined ? 10 : 16);
  if (code === 0 || code > 0x10ffff) return undefined;
  decoded.add(String.fromCodePoint(code), at, end);
  return end;
}

/** The text as one that reads mail sees it, from before its first soft break on; undefined when it has none. */
function withoutSoftBreaks(text: string): View | undefined {
  const first = nextSoftBreak(text, 0);
  if (first < 0) return undefined;
  const decoded = new Decoded();
  let at = Math.max(0, first - MAX_BEFORE);
  for (let to = first; ; to = nextSoftBreak(text, at)) {
    const end = to < 0 ? text.length : to;
    while (at < end) {
      const next = bytes(text, at, end, decoded, "=");
      if (next === undefined) {
        decoded.add(text[at] as string, at, at + 1);
        at++;
      } else at = next;
    }
    if (to < 0) return decoded.view();
    at = to + (text[to + 1] === "\r" ? 3 : 2);
  }
}

/** Where a word goes on behind `=` and a line end: the soft line break of quoted-printable. */
function nextSoftBreak(text: string, from: number): number {
  for (let line = text.indexOf("\n", from + 1); line >= 0; line = text.indexOf("\n", line + 1)) {
    const at = text[line - 1] === "\r" ? line - 2 : line - 1;
    if (at > from && text[at] === "=" && isInside(text, at - 1) && isInside(text, line + 1)) return at;
  }
  return -1;
}

function isInside(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code > 0x20 && code !== 0x3d;
}

/** The byte that two hexadecimal digits at `at` stand for. */
function hex(text: string, at: number): number | undefined {
  const high = hexDigit(text.charCodeAt(at));
  const low = hexDigit(text.charCodeAt(at + 1));
  return high < 0 || low < 0 ? undefined : high * 16 + low;
}

/** The value of a hexadecimal digit; -1 for anything else, past the end of the text too. */
function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function utf8(values: readonly number[]): string | undefined {
  if (values.every((byte) => byte < 0x80)) return String.fromCharCode(...values);
  try {
    return UTF8.decode(Uint8Array.from(values));
  } catch {
    return undefined;
  }
}
