import { opaqueView, type View } from "./view.ts";

/** So many bytes can be a number worth a look. */
const MIN_BYTES = 8;
/** Longer lists are files, not messages; their first part is looked at. */
const MAX_BYTES = 16_384;
const NUMBER = /[ \t\r\n]{0,64}(?:0[xX]([0-9a-fA-F]{1,2})|(\d{1,3}))[ \t\r\n]{0,64}([,\]])/y;
/** Without brackets so many. */
const MIN_BARE = 9;
/** Each of two digits, with a sign between. */
const SHORTEST_BARE = 3 * MIN_BARE - 1;
const BINARY = /^[01]{8}$/;
const BETWEEN = /[\s,;:|]+/;
const BARE =
  /(?<![\w.])(?:0x[0-9a-f]{2}|[01]{8}|\d{2,3})(?:[\s,;:|]{1,6}(?:0x[0-9a-f]{2}|[01]{8}|\d{2,3})){8,16384}(?![\w.])/gi;
const UTF8 = new TextDecoder("utf-8", { fatal: true });

/**
 * The lists of bytes in a text that are text themselves, decoded: what `JSON.stringify` makes of a Buffer,
 * `new Uint8Array([49, 51])`, `bytes([0x31, 0x33])`. What is found in one covers the whole list.
 */
export function byteLists(text: string): View[] {
  const views: View[] = [];
  /** Up to where lists in brackets were read. */
  let done = 0;
  for (let at = text.indexOf("["); at >= 0; at = text.indexOf("[", at + 1)) {
    const { bytes, end } = listAt(text, at + 1);
    if (bytes.length < MIN_BYTES) continue;
    bareLists(text.slice(done, at), done, views);
    done = end;
    const decoded = decode(bytes);
    if (decoded !== undefined) views.push(opaqueView(decoded, at, end));
    at = end - 1;
  }
  bareLists(text.slice(done), done, views);
  return views;
}

/**
 * Numbers that are bytes with nothing but signs between, without brackets: `49 51 57`, `49,51,57`, `00110001 00110011`.
 * @param offset where `text` begins in the whole
 */
function bareLists(text: string, offset: number, views: View[]): void {
  if (text.length < SHORTEST_BARE) return;
  for (const { 0: run, index } of text.matchAll(BARE)) {
    const numbers = run.split(BETWEEN);
    const isBinary = numbers.every((number) => BINARY.test(number));
    const bytes = numbers.map((number) => (isBinary ? Number.parseInt(number, 2) : Number(number)));
    if (bytes.length < MIN_BARE || bytes.some((byte) => byte > 255)) continue;
    const decoded = decode(bytes);
    if (decoded !== undefined) views.push(opaqueView(decoded, offset + index, offset + index + run.length));
  }
}

/** The numbers from `from` on that are bytes, and where they end. */
function listAt(text: string, from: number): { bytes: number[]; end: number } {
  const bytes: number[] = [];
  let end = from;
  while (bytes.length < MAX_BYTES) {
    NUMBER.lastIndex = end;
    const match = NUMBER.exec(text);
    if (match === null) break;
    const [whole, hexadecimal, decimal, after] = match;
    const byte = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16);
    if (byte > 255) break;
    bytes.push(byte);
    end += whole.length;
    if (after === "]") break;
  }
  return { bytes, end };
}

/** The text that numbers are the bytes of (UTF-8); undefined where they are too few, or no text. */
export function textOfBytes(numbers: readonly unknown[]): string | undefined {
  if (numbers.length < MIN_BYTES || !numbers.every(isByte)) return undefined;
  return decode(numbers);
}

function isByte(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 255;
}

function decode(bytes: readonly number[]): string | undefined {
  if (bytes.some((byte) => (byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 13) || byte === 0x7f))
    return undefined;
  try {
    return UTF8.decode(Uint8Array.from(bytes));
  } catch {
    return undefined;
  }
}
