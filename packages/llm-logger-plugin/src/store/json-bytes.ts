/** UTF-8 bytes as the inside of a JSON string, without a string in between (RFC 8259, section 7). */

/** 0: stands for itself. 1: needs `\\u00xx`. Otherwise the letter after the backslash. */
const ESCAPES = new Uint8Array(256);
ESCAPES.fill(1, 0, 0x20);
for (const [code, letter] of [
  [0x08, "b"],
  [0x09, "t"],
  [0x0a, "n"],
  [0x0c, "f"],
  [0x0d, "r"],
  [0x22, '"'],
  [0x5c, "\\"],
] as const) {
  ESCAPES[code] = letter.charCodeAt(0);
}

const HEX = Buffer.from("0123456789abcdef");

/** Bytes that `escapeInto` will write. */
export function escapedLength(text: Buffer): number {
  let length = text.length;
  for (let i = 0; i < text.length; i++) {
    const mark = ESCAPES[text[i] as number] as number;
    if (mark !== 0) length += mark === 1 ? 5 : 1;
  }
  return length;
}

/**
 * Writes valid UTF-8 text escaped for a JSON string.
 * @param target with room for `escapedLength(text)` bytes from `at` on.
 * @returns the position after the last byte written.
 */
export function escapeInto(target: Buffer, at: number, text: Buffer): number {
  let to = at;
  for (let i = 0; i < text.length; i++) {
    const byte = text[i] as number;
    const mark = ESCAPES[byte] as number;
    if (mark === 0) target[to++] = byte;
    else {
      target[to++] = 0x5c;
      if (mark === 1) {
        target[to++] = 0x75;
        target[to++] = 0x30;
        target[to++] = 0x30;
        target[to++] = HEX[byte >> 4] as number;
        target[to++] = HEX[byte & 15] as number;
      } else target[to++] = mark;
    }
  }
  return to;
}
