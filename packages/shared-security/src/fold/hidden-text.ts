import { Decoded } from "./decoded.ts";
import { opaqueView, type View } from "./view.ts";

/** The plane-14 block: its high surrogate. */
const HIGH = 0xdb40;
/** Fewer are a flag (`gbeng`) or stray. */
const MIN_LENGTH = 8;
const UTF8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Text written in characters that show nothing: tags (U+E0020..E007E, one an ASCII character) and variation selectors
 * (U+FE00..FE0F, U+E0100..E01EF, one a byte of UTF-8). Read of the text as it is, for folding takes them away: tags among
 * the words around them, tags alone, each row of them, selectors alone, each row of them.
 */
export function hiddenText(text: string): View[] {
  const views: View[] = [];
  if (text.includes("\udb40")) tags(text, views);
  if (/[\ufe00-\ufe0f\udb40]/.test(text)) selectors(text, views);
  return views;
}

function tags(text: string, views: View[]): void {
  const mixed = new Decoded();
  const alone = new Decoded();
  const apart = new Decoded();
  let copied = 0;
  let count = 0;
  let run = 0;
  /** Whether a value may be hidden character by character. */
  let scattered = false;
  for (let at = text.indexOf("\udb40"); at >= 0; at = text.indexOf("\udb40", at + 1)) {
    const low = text.charCodeAt(at + 1);
    if (!(low >= 0xdc20 && low <= 0xdc7e)) continue;
    const character = String.fromCharCode(low - 0xdc00);
    mixed.copy(text, copied, at);
    mixed.add(character, at, at + 2);
    alone.add(character, at, at + 2);
    if (copied < at) {
      apart.add("\n", at, at);
      if (count > 0 && run < MIN_LENGTH) scattered = true;
      run = 0;
    }
    run++;
    apart.add(character, at, at + 2);
    copied = at + 2;
    count++;
  }
  if (count < MIN_LENGTH) return;
  mixed.copy(text, copied, text.length);
  views.push(mixed.view(), apart.view());
  if (scattered || run < MIN_LENGTH) views.push(alone.view());
}

function selectors(text: string, views: View[]): void {
  const bytes: number[] = [];
  let run: number[] = [];
  let start = -1;
  let first = -1;
  let end = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    let byte = -1;
    let width = 1;
    if (unit >= 0xfe00 && unit <= 0xfe0f) byte = unit - 0xfe00;
    else if (unit === HIGH) {
      const low = text.charCodeAt(at + 1);
      if (low >= 0xdd00 && low <= 0xddef) byte = low - 0xdd00 + 16;
      width = 2;
    }
    if (byte >= 0) {
      if (first < 0) first = at;
      if (at > end || start < 0) {
        if (run.length < bytes.length) show(run, start, end, views);
        run = [];
        start = at;
      }
      bytes.push(byte);
      run.push(byte);
      end = at + width;
    }
    at += width - 1;
  }
  if (run.length < bytes.length) show(run, start, end, views);
  show(bytes, first, end, views);
}

function show(bytes: readonly number[], start: number, end: number, views: View[]): void {
  if (bytes.length < MIN_LENGTH) return;
  try {
    const decoded = UTF8.decode(Uint8Array.from(bytes));
    // Selectors behind emoji are all the same and decode to a control character.
    if (/[\x20-\x7e\u00a0-\uffff]{8}/.test(decoded)) views.push(opaqueView(decoded, start, end));
  } catch {
    // No text.
  }
}
