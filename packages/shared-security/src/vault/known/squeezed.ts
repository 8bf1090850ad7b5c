/** Values whose letters and digits stand in their order, whatever stands between: line ends, quotes, marks, cells. */

import { commonPrefix } from "../../fold/broken-lines.ts";
import { columns } from "../../fold/columns.ts";
import { fold } from "../../fold/fold.ts";
import { Units } from "../../fold/units.ts";
import type { Folded } from "./fold.ts";
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
    this.#scanOnce(text, firstOnly, spans, false);
    if (firstOnly && spans.length > before) return;
    if (hasPrefixes(text)) this.#scanOnce(text, firstOnly, spans, true);
    for (const column of columns(text)) {
      if (firstOnly && spans.length > before) return;
      const inColumn: Span[] = [];
      this.#scanOnce(column.text, firstOnly, inColumn, false);
      for (const { start, end, owner } of inColumn)
        spans.push({ start: column.originalStart(start), end: column.originalEnd(end), owner });
    }
  }

  #scanOnce(text: string, firstOnly: boolean, spans: Span[], skipPrefixes: boolean): void {
    const squeezed = squeeze(text, skipPrefixes);
    // Where the units stood is only asked when something is found: nearly never.
    let places: Uint32Array | undefined;
    const widest = MAX_GAP + (skipPrefixes ? MAX_PREFIX : 0);
    this.#table.scan(squeezed, ({ start, end, owner }) => {
      places ??= placesOf(text, squeezed);
      for (let i = start + 1; i < end; i++)
        if ((places[i] as number) - (places[i - 1] as number) > widest) return false;
      const from = places[start] as number;
      const to = (places[end - 1] as number) + 1;
      if (!standsAlone(text, from, to, squeezed.units.subarray(start, end))) return false;
      spans.push({ start: from, end: to, owner });
      return firstOnly;
    });
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

const SOURCE = new Units();
const SQUEEZED = new Units();

interface Squeezed extends Folded {
  /** What was left out. */
  readonly skipped: readonly Skipped[];
}

interface Skipped {
  readonly from: number;
  readonly to: number;
}

/** The letters and digits of a text, without what is left out; good until the next call. */
function squeeze(text: string, skipPrefixes: boolean): Squeezed {
  const skipped = skippedIn(text, skipPrefixes);
  const source = SOURCE.of(text);
  const units = SQUEEZED.atLeast(text.length);
  let length = 0;
  let from = 0;
  for (const range of skipped) {
    length = squeezeRange(source, from, range.from, units, length);
    from = range.to;
  }
  length = squeezeRange(source, from, text.length, units, length);
  return { units, length, skipped };
}

/** Writes letters and digits of a range down from `length` on, and says how many there are then. */
function squeezeRange(
  source: Uint16Array,
  from: number,
  to: number,
  units: Uint16Array,
  length: number,
): number {
  const table = classTable();
  let count = length;
  for (let i = from; i < to; i++) {
    const unit = table[source[i] as number] as number;
    units[count] = unit;
    // One more when it is not 0. A branch would be taken now and not then: a guess that costs more than the sum.
    count += -unit >>> 31;
  }
  return count;
}

/** Where each unit stood of a squeezed text. */
function placesOf(text: string, { length, skipped }: Squeezed): Uint32Array {
  const table = classTable();
  const places = new Uint32Array(length);
  let count = 0;
  let next = 0;
  for (let i = 0; i < text.length; i++) {
    const range = skipped[next];
    if (range !== undefined && i === range.from) {
      i = range.to - 1;
      next++;
    } else if (table[text.charCodeAt(i)] !== 0) places[count++] = i;
  }
  return places;
}

/** The tags of HTML in a text and, when asked for, what its lines begin with alike; sorted and disjoint. */
function skippedIn(text: string, prefixes: boolean): Skipped[] {
  const skipped: Skipped[] = [];
  let line = 0;
  let end = prefixes ? text.indexOf("\n") : -1;
  let tag = text.indexOf("<");
  while (end >= 0 || tag >= 0) {
    if (end < 0 || (tag >= 0 && tag < end)) {
      const to = endOfTag(text, tag);
      if (to > tag) skipped.push({ from: tag, to: to + 1 });
      tag = text.indexOf("<", to + 1);
      continue;
    }
    const next = end + 1;
    const to = next + commonPrefix(text, line, next);
    if (to > next) {
      skipped.push({ from: next, to });
      if (tag >= 0 && tag < to) tag = text.indexOf("<", to);
    }
    line = next;
    end = text.indexOf("\n", to);
  }
  return skipped;
}

/** Whether lines begin alike, as those of a log do. */
function hasPrefixes(text: string): boolean {
  let line = 0;
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", line)) {
    if (commonPrefix(text, line, end + 1) > 0) return true;
    line = end + 1;
  }
  return false;
}

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
