import { decodeBytes, EQUALS, hexByte } from "./bytes.ts";
import { Decoded } from "./decoded.ts";
import { softBreaks } from "./soft-breaks.ts";
import type { View } from "./view.ts";

/** How far around an escape its token is taken along: context for the rules, and a bound on the work. */
const MAX_BEFORE = 256;
const MAX_LENGTH = 4096;

const TOKEN_END = /[\s"'<>`]/;
const ENDS_TOKEN = Uint8Array.from({ length: 128 }, (_, code) =>
  TOKEN_END.test(String.fromCharCode(code)) ? 1 : 0,
);

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
  softBreaks(text, views);
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

const MAX_BACKSLASHES = 8;
const BACKSLASH = 0x5c;
const PERCENT = 0x25;

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
    begins: (text, at) => hexByte(text, at + 1) >= 0,
    decode: (text, at, to, out) => decodeBytes(text, at, to, out, PERCENT),
  },
  {
    sign: "\\",
    begins: (text, at) => mayBeBackslashed(text, at) && matchesAt(BACKSLASHED, text, at),
    decode: backslashed,
  },
  {
    sign: "&",
    begins: (text, at) => mayBeReference(text.charCodeAt(at + 1)) && matchesAt(REFERENCE, text, at),
    decode: reference,
  },
  {
    // Three in a row: one alone is an assignment.
    sign: "=",
    begins: (text, at) =>
      text.charCodeAt(at + 3) === EQUALS && text.charCodeAt(at + 6) === EQUALS && hexByte(text, at + 1) >= 0,
    decode: (text, at, to, out) => decodeBytes(text, at, to, out, EQUALS),
  },
];

/** The kind by the code of its sign. */
const KIND_OF: readonly (Kind | undefined)[] = Array.from({ length: BACKSLASH + 1 }, (_, code) =>
  KINDS.find((kind) => kind.sign.charCodeAt(0) === code),
);

/** Whether a letter or digit that can begin an escape stands behind the backslashes: `\n` and `\.` are frequent. */
function mayBeBackslashed(text: string, at: number): boolean {
  let next = at + 1;
  while (next < at + MAX_BACKSLASHES && text.charCodeAt(next) === BACKSLASH) next++;
  const code = text.charCodeAt(next);
  return (code >= 0x30 && code <= 0x37) || (code | 0x20) === 0x75 || (code | 0x20) === 0x78;
}

/** A letter, or `#`: `&&` is frequent. */
function mayBeReference(code: number): boolean {
  return code === 0x23 || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a);
}

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
    while (from > end && at - from < MAX_BEFORE && !endsToken(text, from - 1)) from--;
    let to = at;
    while (to < text.length && to - from < MAX_LENGTH && !endsToken(text, to)) to++;
    const view = decodeAll(text, from, to);
    if (view !== undefined) views.push(view);
    end = Math.max(to, at + 1);
    KINDS.forEach((kind, index) => {
      const place = next[index] as number;
      if (place >= 0 && place < end) next[index] = nextOf(kind, text, end);
    });
  }
}

function endsToken(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code < ENDS_TOKEN.length ? ENDS_TOKEN[code] === 1 : TOKEN_END.test(text[at] as string);
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
  let copied = from;
  for (let i = from; i < to; ) {
    const code = text.charCodeAt(i);
    const kind = code <= BACKSLASH ? KIND_OF[code] : undefined;
    if (kind === undefined || !kind.begins(text, i)) {
      i++;
      continue;
    }
    decoded.copy(text, copied, i);
    copied = i;
    const next = kind.decode(text, i, to, decoded);
    if (next === undefined) i++;
    else {
      any = true;
      i = next;
      copied = next;
    }
  }
  if (!any) return undefined;
  decoded.copy(text, copied, to);
  return decoded.view();
}

function backslashed(text: string, at: number, _to: number, decoded: Decoded): number | undefined {
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
