import { BACKSLASH, BACKSLASHES } from "./backslashes.ts";
import { decodeBytes, EQUALS, hexByte } from "./bytes.ts";
import { Decoded } from "./decoded.ts";
import type { Kind } from "./kind.ts";
import { REFERENCES } from "./references.ts";
import { softBreaks } from "./soft-breaks.ts";
import type { View } from "./view.ts";

/** How far around an escape its token is taken along: context for the rules, and a bound on the work. */
const MAX_BEFORE = 256;
const MAX_LENGTH = 4096;
/** How far behind it. */
const MAX_AFTER = 64;

const TOKEN_END = /[\s"'<>`]/;
const ENDS_TOKEN = Uint8Array.from({ length: 128 }, (_, code) =>
  TOKEN_END.test(String.fromCharCode(code)) ? 1 : 0,
);

/**
 * The parts of a text that are written in escapes, decoded: percent-encoding (RFC 3986 section 2.1, UTF-8), the escapes
 * of JSON, JavaScript, Python and C (`\uXXXX`, `\u{X}`, `\xXX`, `\NNN`, with any number of backslashes: escaped text is
 * escaped again), character references of HTML (Living Standard, section 13.2.5), quoted-printable (RFC 2045 section
 * 6.7). Each part is the run of non-space characters around the escapes, at most 4,096 of them, and once more with a few
 * words behind it; every decoded character maps back to its escape. Linear in the text.
 */
export function escapedParts(text: string): View[] {
  const views: View[] = [];
  parts(text, views);
  softBreaks(text, views);
  return views;
}

const PERCENT = 0x25;
const LINE_END = 0x0a;
const SPACE = 0x20;

const KINDS: readonly Kind[] = [
  {
    sign: "%",
    begins: (text, at) => hexByte(text, at + 1) >= 0 || isUnit(text, at),
    decode: (text, at, to, out) =>
      isUnit(text, at) ? unit(text, at, out) : decodeBytes(text, at, to, out, PERCENT),
  },
  BACKSLASHES,
  REFERENCES,
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

/** `%uXXXX`, as `escape` of ECMAScript (annex B.2.1.1) writes a code unit. */
function isUnit(text: string, at: number): boolean {
  return (
    (text.charCodeAt(at + 1) | 0x20) === 0x75 && hexByte(text, at + 2) >= 0 && hexByte(text, at + 4) >= 0
  );
}

function unit(text: string, at: number, decoded: Decoded): number {
  decoded.add(String.fromCharCode((hexByte(text, at + 2) << 8) | hexByte(text, at + 4)), at, at + 6);
  return at + 6;
}

/** Runs of non-space characters around escapes; escapes of all kinds in a run are decoded together. */
function parts(text: string, views: View[]): void {
  const next = KINDS.map((kind) => nextOf(kind, text, 0));
  let row: Row = { from: 0, to: -1 };
  for (let end = 0; ; ) {
    let at = Number.POSITIVE_INFINITY;
    for (const place of next) if (place >= 0 && place < at) at = place;
    if (at === Number.POSITIVE_INFINITY) break;
    let from = at;
    while (from > end && at - from < MAX_BEFORE && !endsToken(text, from - 1)) from--;
    let to = at;
    while (to < text.length && to - from < MAX_LENGTH && !endsToken(text, to)) to++;
    const view = decodeAll(text, from, to);
    if (view !== undefined) views.push(view);
    if (from > row.to) {
      showRow(text, row, views);
      row = { from, to: -1 };
    }
    if (text.charCodeAt(to) === SPACE) row.to = wordsAfter(text, to);
    end = Math.max(to, at + 1);
    KINDS.forEach((kind, index) => {
      const place = next[index] as number;
      if (place >= 0 && place < end) next[index] = nextOf(kind, text, end);
    });
  }
  showRow(text, row, views);
}

/** Runs with words between them. */
interface Row {
  readonly from: number;
  /** Behind the words that follow the last run; -1 when none do. */
  to: number;
}

function showRow(text: string, { from, to }: Row, views: View[]): void {
  const view = to < 0 ? undefined : decodeAll(text, from, to);
  if (view !== undefined) views.push(view);
}

/** Where the words end that may belong to what stands before `to`: the groups of a number, a value behind its name. */
function wordsAfter(text: string, to: number): number {
  let end = to;
  while (end < text.length && end - to < MAX_AFTER && text.charCodeAt(end) !== LINE_END) end++;
  while (end < text.length && end - to < 2 * MAX_AFTER && !endsToken(text, end)) end++;
  return end;
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
