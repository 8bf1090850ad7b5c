/** Values whose letters and digits stand in their order, whatever stands between: line ends, quotes, marks, cells. */

import { commonPrefix } from "../../fold/broken-lines.ts";
import { columns } from "../../fold/columns.ts";
import { fold } from "../../fold/fold.ts";
import { GRAM } from "./grams.ts";
import type { Owner, Span } from "./pattern.ts";
import { PatternTable } from "./pattern-table.ts";

/** Fewer digits, letters or both could stand so by chance. */
const MIN_DIGITS = 9;
const MIN_MIXED = 9;
const MIN_LETTERS = 12;
/** Larger values are texts, known by their lines. */
const MAX_VALUE = 8192;
const MIN_LINE = 24;
const MAX_LINES = 200;
/** Longer values are not written backwards or turned letter by letter. */
const MAX_TURNED = 128;
/** What may stand between two letters of a value, in UTF-16 units: a line end with a prefix, a cell's border. */
const MAX_GAP = 48;
/** A tag of HTML inside of a value, or a prefix of a line, is no longer. */
const MAX_TAG = 64;
const MAX_PREFIX = 96;

/** What a unit counts as: 0 for nothing, else its lower-case form. */
let classes: Uint16Array | undefined;

function classTable(): Uint16Array {
  if (classes !== undefined) return classes;
  const table = new Uint16Array(0x10000);
  for (let unit = 0; unit < table.length; unit++) {
    const char = String.fromCharCode(unit);
    if (unit >= 0xd800 && unit <= 0xdfff) table[unit] = unit;
    else if (/[\p{L}\p{N}]/u.test(char)) {
      const lower = char.toLowerCase();
      table[unit] = (lower.length === 1 ? lower : char).charCodeAt(0);
    }
  }
  classes = table;
  return table;
}

/** Finds known values whatever stands between their letters and digits; and backwards, and in ROT13. */
export class SqueezedValues {
  readonly #table = new PatternTable();
  /** By value: what undoes it. */
  readonly #hashes = new Map<Owner, number[]>();

  add(owner: Owner): void {
    const hashes = [...formsOf(owner.value)].map((form) => this.#table.add(owner, form, false));
    if (hashes.length > 0) this.#hashes.set(owner, hashes);
  }

  remove(owner: Owner): void {
    this.#table.remove(owner, this.#hashes.get(owner) ?? []);
    this.#hashes.delete(owner);
  }

  /** Note every place of `text` (folded) where a value stands with something between, or turned. */
  scan(text: string, firstOnly: boolean, spans: Span[]): void {
    if (this.#table.size === 0 || text.length < GRAM) return;
    const before = spans.length;
    const hasPrefixes = this.#scanOnce(text, firstOnly, spans, false);
    if (hasPrefixes && !(firstOnly && spans.length > before)) this.#scanOnce(text, firstOnly, spans, true);
    for (const column of columns(text)) {
      if (firstOnly && spans.length > before) return;
      const inColumn: Span[] = [];
      this.#scanOnce(column.text, firstOnly, inColumn, false);
      for (const { start, end, owner } of inColumn)
        spans.push({ start: column.originalStart(start), end: column.originalEnd(end), owner });
    }
  }

  /** @returns whether lines begin alike, as those of a log do */
  #scanOnce(text: string, firstOnly: boolean, spans: Span[], skipPrefixes: boolean): boolean {
    const { units, length, hasPrefixes } = squeeze(text, skipPrefixes, undefined);
    // Where the units stood is only asked when something is found: nearly never.
    let places: Uint32Array | undefined;
    const widest = MAX_GAP + (skipPrefixes ? MAX_PREFIX : 0);
    this.#table.scan({ units, length }, ({ start, end, owner }) => {
      if (places === undefined) {
        places = new Uint32Array(length);
        squeeze(text, skipPrefixes, places);
      }
      for (let i = start + 1; i < end; i++)
        if ((places[i] as number) - (places[i - 1] as number) > widest) return false;
      const from = places[start] as number;
      const to = (places[end - 1] as number) + 1;
      if (!standsAlone(text, from, to, units.subarray(start, end))) return false;
      spans.push({ start: from, end: to, owner });
      return firstOnly;
    });
    return hasPrefixes;
  }
}

/** The letters and digits of each form of a value that is looked for. */
function formsOf(value: string): Set<string> {
  const forms = new Set<string>();
  if (value.length > MAX_VALUE) return forms;
  const folded = fold(value).text;
  const whole = lettersOf(folded);
  if (isTelling(whole)) {
    forms.add(whole);
    if (value.length <= MAX_TURNED) {
      forms.add([...whole].reverse().join(""));
      forms.add(rot13(whole));
      for (const spoken of spokenAddress(folded)) forms.add(lettersOf(spoken));
    }
  }
  const lines = value.split(/\r?\n/, MAX_LINES);
  if (lines.length > 1) {
    for (const line of lines) {
      const letters = lettersOf(fold(line).text);
      if (letters.length >= MIN_LINE && isTelling(letters)) forms.add(letters);
    }
  }
  return forms;
}

/** An address as people write it for people: `name at host dot org`. */
function spokenAddress(value: string): string[] {
  const [name, host, ...more] = value.split("@");
  if (!name || !host || more.length > 0 || /\s/.test(value)) return [];
  return [
    `${name}at${host}`,
    `${name}at${host.replaceAll(".", "dot")}`,
    `${name}at${host}`.replaceAll(".", "dot"),
  ];
}

function rot13(text: string): string {
  return text.replace(/[a-z]/g, (letter) =>
    String.fromCharCode(((letter.charCodeAt(0) - 0x61 + 13) % 26) + 0x61),
  );
}

function lettersOf(text: string): string {
  const table = classTable();
  let out = "";
  for (let i = 0; i < text.length; i++) {
    const unit = table[text.charCodeAt(i)] as number;
    if (unit !== 0) out += String.fromCharCode(unit);
  }
  return out;
}

function isTelling(letters: string): boolean {
  // A row of one character is no value.
  if (letters.length < GRAM || new Set(letters).size < 2) return false;
  if (/^\d+$/.test(letters)) return letters.length >= MIN_DIGITS;
  if (/\d/.test(letters)) return letters.length >= MIN_MIXED;
  return letters.length >= (/^[\0-\x7f]+$/.test(letters) ? MIN_LETTERS : GRAM);
}

/** Words and plain numbers must not begin or end inside of longer ones. */
function standsAlone(text: string, from: number, to: number, found: Uint16Array): boolean {
  let digits = 0;
  for (const unit of found) if (isDigit(unit)) digits++;
  if (digits > 0 && digits < found.length) return true;
  const isSame = digits > 0 ? isDigit : isLetter;
  return !isSame(text.charCodeAt(from - 1)) && !isSame(text.charCodeAt(to));
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

/** An ASCII letter: other scripts write words without spaces. */
function isLetter(unit: number): boolean {
  return (unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x7a;
}

/** Larger buffers are given back after use. */
const MAX_SCRATCH = 1 << 20;
let scratch = new Uint16Array(1 << 14);

interface Squeezed {
  units: Uint16Array;
  length: number;
  hasPrefixes: boolean;
}

/**
 * The letters and digits of a text, without the tags of HTML among them; good until the next call.
 * @param places where to write down where each stood
 */
function squeeze(text: string, skipPrefixes: boolean, places: Uint32Array | undefined): Squeezed {
  const table = classTable();
  const { length } = text;
  if (scratch.length < length) scratch = new Uint16Array(Math.max(length, scratch.length * 2));
  else if (scratch.length > MAX_SCRATCH && length < MAX_SCRATCH) scratch = new Uint16Array(MAX_SCRATCH);
  const units = scratch;
  let count = 0;
  let line = 0;
  let hasPrefixes = false;
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    const unit = table[code] as number;
    if (unit !== 0) {
      if (places !== undefined) places[count] = i;
      units[count++] = unit;
    } else if (code === LINE_END) {
      if (!hasPrefixes || skipPrefixes) {
        const prefix = commonPrefix(text, line, i + 1);
        hasPrefixes ||= prefix > 0;
        line = i + 1;
        if (skipPrefixes) i += prefix;
      }
    } else if (code === LESS_THAN) i = endOfTag(text, i);
  }
  return { units, length: count, hasPrefixes };
}

const LINE_END = 0x0a;
const LESS_THAN = 0x3c;

/** Where a tag ends that begins at `at`, or `at`. */
function endOfTag(text: string, at: number): number {
  const next = text.charCodeAt(at + 1);
  if (!isLetter(next) && next !== 0x2f && next !== 0x21) return at;
  const limit = Math.min(text.length, at + MAX_TAG);
  for (let i = at + 2; i < limit; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x3e) return i;
    if (code === 0x3c || code === 0x0a) return at;
  }
  return at;
}
