import type { Finding, PrivateLevel } from "../types.ts";
import { FOLD, INVISIBLE, withoutInvisible } from "./fold-unit.ts";
import { MIN_PART, variantsOf } from "./variants.ts";

/** A private value to look for. */
export interface KnownValue {
  value: string;
  type: string;
  level: PrivateLevel;
}

/** Rule ids of what this index finds. */
export const KNOWN_RULE = "vault/known";

/** One string to look for. Its first `GRAM` units (or two, for short ones) are its key in the index. */
interface Pattern {
  readonly owner: Owner;
  /** Folded. */
  readonly text: string;
  /** Where in `text` the indexed units start: 0 for whole matches, any block of a `parts` pattern. */
  readonly offset: number;
  readonly parts: boolean;
  readonly exactCase: string | undefined;
  /** The next pattern with the same hash. */
  next: Pattern | undefined;
}

interface Owner {
  readonly value: string;
  type: string;
  level: PrivateLevel;
  /** How often it was added and not yet removed. */
  count: number;
  keys: { long: boolean; hash: number }[];
}

interface Span {
  start: number;
  end: number;
  owner: Owner;
}

/** Units hashed at each place of the text. */
const GRAM = 8;
/** Values shorter than this must stand as words of their own ("Li" is not in "Listen"). */
const WORD_BELOW = 6;
const BASE = 0x01000193;
const BASE_TO_GRAM_LESS_ONE = (() => {
  let power = 1;
  for (let i = 1; i < GRAM; i++) power = Math.imul(power, BASE);
  return power;
})();

/**
 * Finds many known values in a text at once: whole, by line, in parts of 20 units or more (of keys), JSON-escaped,
 * percent-encoded, in base64 or hex; case and full width do not matter from 8 units on, invisible characters never.
 *
 * A rolling hash of 8 units (Karp and Rabin 1987) is looked up at every place, so the cost hardly depends on the number of
 * values: about a millisecond for 200 kB.
 */
export class KnownIndex {
  readonly #owners = new Map<string, Owner>();
  readonly #long = new Map<number, Pattern>();
  readonly #short = new Map<number, Pattern>();
  /** Two bits a hash (Bloom 1970): most places of a text are done with one look here. */
  #filter = new Uint32Array(1 << 11);
  #filterBits = 16;
  readonly #shortFilter = new Uint8Array(1 << 16);

  /** Distinct values. */
  get size(): number {
    return this.#owners.size;
  }

  /** Add a value; added again it only becomes stricter. Single characters are no values and are ignored. */
  add({ value, type, level }: KnownValue): void {
    const known = this.#owners.get(value);
    if (known !== undefined) {
      known.count++;
      if (level === "S3") known.level = level;
      return;
    }
    if (value.length < 2) return;
    const owner: Owner = { value, type, level, count: 1, keys: [] };
    this.#owners.set(value, owner);
    const seen = new Set<string>();
    for (const variant of variantsOf(value)) {
      const text = foldText(variant.text);
      if (seen.has(text)) continue;
      seen.add(text);
      if (text.length < GRAM)
        this.#index({ owner, text, offset: 0, parts: false, exactCase: variant.text, next: undefined });
      else {
        this.#index({ owner, text, offset: 0, parts: false, exactCase: undefined, next: undefined });
        if (variant.parts) this.#indexBlocks(owner, text);
      }
    }
  }

  /** Undo one `add` of `value`. */
  remove(value: string): void {
    const owner = this.#owners.get(value);
    if (owner === undefined || --owner.count > 0) return;
    this.#owners.delete(value);
    // The filters keep their bits: a stale bit costs a look, no more.
    for (const { long, hash } of owner.keys) {
      const table = long ? this.#long : this.#short;
      const left = without(table.get(hash), owner);
      if (left === undefined) table.delete(hash);
      else table.set(hash, left);
    }
  }

  /** Every known value in `text`; sorted, without overlaps (what overlaps becomes one finding). */
  find(text: string): Finding[] {
    if (this.#owners.size === 0 || text.length < 2) return [];
    const spans = this.#scan(text, false);
    if (holdsInvisible) {
      const { text: plain, offsets } = withoutInvisible(text);
      for (const { start, end, owner } of this.#scan(plain, false)) {
        spans.push({ start: offsets[start] ?? 0, end: (offsets[end - 1] ?? text.length - 1) + 1, owner });
      }
    }
    return merge(text, spans).map(({ start, end, owner }) => ({
      start,
      end,
      type: owner.type,
      level: owner.level,
      rule: KNOWN_RULE,
      confidence: 1,
      value: text.slice(start, end),
    }));
  }

  /** Whether any known value stands in `text`; stops at the first. */
  has(text: string): boolean {
    if (this.#owners.size === 0 || text.length < 2) return false;
    if (this.#scan(text, true).length > 0) return true;
    return holdsInvisible && this.#scan(withoutInvisible(text).text, true).length > 0;
  }

  #indexBlocks(owner: Owner, text: string): void {
    const seen = new Set<number>();
    for (let offset = 0; offset + GRAM <= text.length; offset += GRAM) {
      const hash = gramHash(text, offset);
      if (seen.has(hash)) continue;
      seen.add(hash);
      this.#index({ owner, text, offset, parts: true, exactCase: undefined, next: undefined });
    }
  }

  #index(pattern: Pattern): void {
    const long = pattern.text.length >= GRAM;
    const hash = long
      ? gramHash(pattern.text, pattern.offset)
      : pairHash(pattern.text.charCodeAt(0), pattern.text.charCodeAt(1));
    const table = long ? this.#long : this.#short;
    pattern.next = table.get(hash);
    table.set(hash, pattern);
    pattern.owner.keys.push({ long, hash });
    if (!long) this.#shortFilter[hash] = 1;
    else if (this.#long.size * 16 > 1 << this.#filterBits && this.#filterBits < 24) this.#growFilter();
    else this.#setFilter(hash);
  }

  #growFilter(): void {
    this.#filterBits = Math.min(24, this.#filterBits + 2);
    this.#filter = new Uint32Array((1 << this.#filterBits) >>> 5);
    for (const hash of this.#long.keys()) this.#setFilter(hash);
  }

  #setFilter(hash: number): void {
    const shift = 32 - this.#filterBits;
    for (const bit of [hash >>> shift, secondBit(hash, shift)]) {
      const word = bit >>> 5;
      this.#filter[word] = (this.#filter[word] ?? 0) | (1 << (bit & 31));
    }
  }

  #scan(text: string, firstOnly: boolean): Span[] {
    const spans: Span[] = [];
    const folded = fold(text);
    const work = new Work(folded, text.length);
    const filter = this.#filter;
    const shift = 32 - this.#filterBits;
    const length = text.length;
    if (this.#short.size > 0) this.#scanShort(text, folded, spans);
    if (firstOnly && spans.length > 0) return spans;
    let partsUntil = 0;
    for (let at = nextCandidate(folded, filter, shift, 0, length); at >= 0; ) {
      partsUntil = this.#matchLong(folded, length, at, gramHashAt(folded, at), partsUntil, spans, work);
      if (firstOnly && spans.length > 0) return spans;
      at = nextCandidate(folded, filter, shift, at + 1, length);
    }
    return spans;
  }

  #scanShort(text: string, folded: Uint16Array, spans: Span[]): void {
    const filter = this.#shortFilter;
    let before = folded[0] ?? 0;
    for (let i = 1; i < text.length; i++) {
      const unit = folded[i] ?? 0;
      const pair = pairHash(before, unit);
      if (filter[pair] === 1) this.#matchShort(text, i - 1, pair, spans);
      before = unit;
    }
  }

  #matchShort(text: string, at: number, hash: number, spans: Span[]): void {
    for (let pattern = this.#short.get(hash); pattern !== undefined; pattern = pattern.next) {
      const { exactCase, owner } = pattern;
      if (exactCase === undefined || !text.startsWith(exactCase, at)) continue;
      const end = at + exactCase.length;
      if (exactCase.length >= WORD_BELOW || standsAlone(text, at, end)) spans.push({ start: at, end, owner });
    }
  }

  /** @returns up to where parts have been found, so that no part is measured twice */
  #matchLong(
    folded: Uint16Array,
    length: number,
    at: number,
    hash: number,
    partsUntil: number,
    spans: Span[],
    work: Work,
  ): number {
    let until = partsUntil;
    for (let pattern = this.#long.get(hash); pattern !== undefined; pattern = pattern.next) {
      if (pattern.parts) {
        if (at + GRAM <= until) continue;
        const span = extend(folded, length, at, pattern);
        if (span === undefined) continue;
        spans.push(span);
        until = Math.max(until, span.end);
      } else if (work.equals(at, pattern)) {
        spans.push({ start: at, end: at + pattern.text.length, owner: pattern.owner });
      }
    }
    return until;
  }
}

function without(first: Pattern | undefined, owner: Owner): Pattern | undefined {
  let kept: Pattern | undefined;
  for (let pattern = first; pattern !== undefined; ) {
    const following = pattern.next;
    if (pattern.owner !== owner) {
      pattern.next = kept;
      kept = pattern;
    }
    pattern = following;
  }
  return kept;
}

const MAX_SCRATCH = 1 << 20;
/** Folded text, in one buffer used again and again: scans are synchronous and do not nest. */
let scratch = new Uint16Array(1 << 14);
/** Whether the text folded last holds characters that do not show. */
let holdsInvisible = false;

function fold(text: string): Uint16Array {
  if (scratch.length < text.length) scratch = new Uint16Array(Math.max(text.length, scratch.length * 2));
  else if (scratch.length > MAX_SCRATCH && text.length < MAX_SCRATCH) scratch = new Uint16Array(MAX_SCRATCH);
  const folded = scratch;
  const length = text.length;
  let least = 1;
  for (let i = 0; i < length; i++) {
    const unit = FOLD[text.charCodeAt(i)] ?? 0;
    folded[i] = unit;
    if (unit === INVISIBLE) least = unit;
  }
  holdsInvisible = least === INVISIBLE;
  return folded;
}

/**
 * Compares patterns with the text, and keeps the whole linear: a pattern that fails late again and again (a long run of
 * one character) is searched for once by Knuth-Morris-Pratt instead.
 */
class Work {
  readonly #folded: Uint16Array;
  readonly #length: number;
  readonly #spent = new Map<Pattern, number>();
  readonly #places = new Map<Pattern, Set<number>>();

  constructor(folded: Uint16Array, length: number) {
    this.#folded = folded;
    this.#length = length;
  }

  equals(at: number, pattern: Pattern): boolean {
    const places = this.#places.get(pattern);
    if (places !== undefined) return places.has(at);
    const wanted = pattern.text;
    if (at + wanted.length > this.#length) return false;
    let i = 0;
    while (i < wanted.length && this.#folded[at + i] === wanted.charCodeAt(i)) i++;
    if (wanted.length > 64) {
      const spent = (this.#spent.get(pattern) ?? 0) + i;
      this.#spent.set(pattern, spent);
      if (spent > 2 * this.#length + 4096)
        this.#places.set(pattern, placesOf(this.#folded, this.#length, wanted));
    }
    return i === wanted.length;
  }
}

/** Every place where folded text holds `wanted`: Knuth, Morris and Pratt 1977. */
function placesOf(folded: Uint16Array, length: number, wanted: string): Set<number> {
  const fall = new Int32Array(wanted.length);
  for (let i = 1, k = 0; i < wanted.length; i++) {
    while (k > 0 && wanted.charCodeAt(i) !== wanted.charCodeAt(k)) k = fall[k - 1] ?? 0;
    if (wanted.charCodeAt(i) === wanted.charCodeAt(k)) k++;
    fall[i] = k;
  }
  const places = new Set<number>();
  for (let i = 0, k = 0; i < length; i++) {
    const unit = folded[i];
    while (k > 0 && unit !== wanted.charCodeAt(k)) k = fall[k - 1] ?? 0;
    if (unit === wanted.charCodeAt(k)) k++;
    if (k === wanted.length) {
      places.add(i - k + 1);
      k = fall[k - 1] ?? 0;
    }
  }
  return places;
}

/** The longest part of the pattern around the block that stands at `at`; undefined when it is too short to tell. */
function extend(
  folded: Uint16Array,
  length: number,
  at: number,
  { text: wanted, offset, owner }: Pattern,
): Span | undefined {
  let start = at;
  let from = offset;
  while (from > 0 && start > 0 && folded[start - 1] === wanted.charCodeAt(from - 1)) {
    start--;
    from--;
  }
  let end = at;
  let to = offset;
  while (to < wanted.length && end < length && folded[end] === wanted.charCodeAt(to)) {
    end++;
    to++;
  }
  return end - start >= Math.min(MIN_PART, wanted.length) ? { start, end, owner } : undefined;
}

/** What may stand between two lines of one key when it is quoted, indented, commented or escaped. */
const BETWEEN_LINES = /^(?:\s|\\+[rnt]|%0[ad]|[>"'+,#|*/;])*$/i;
const MAX_BETWEEN = 24;

/** One span where spans overlap, or where neighbouring lines of one value follow each other. */
function merge(text: string, spans: Span[]): Span[] {
  spans.sort((a, b) => a.start - b.start || b.end - a.end);
  const merged: Span[] = [];
  for (const span of spans) {
    const last = merged.at(-1);
    if (last === undefined || !(span.start < last.end || follows(text, last, span))) {
      merged.push({ ...span });
      continue;
    }
    // The type of the longer one; the level of the stricter one.
    const owner = span.end - span.start > last.end - last.start ? span.owner : last.owner;
    const level = span.owner.level === "S3" || last.owner.level === "S3" ? "S3" : "S2";
    last.owner = owner.level === level ? owner : { ...owner, level };
    last.end = Math.max(last.end, span.end);
  }
  return merged;
}

function follows(text: string, last: Span, next: Span): boolean {
  const gap = next.start - last.end;
  if (last.owner.value !== next.owner.value || gap > MAX_BETWEEN) return false;
  if (!/\n|\\n/.test(next.owner.value)) return false;
  return BETWEEN_LINES.test(text.slice(last.end, next.start));
}

function foldText(text: string): string {
  let folded = "";
  for (let i = 0; i < text.length; i++) folded += String.fromCharCode(FOLD[text.charCodeAt(i)] ?? 0);
  return folded;
}

/**
 * The next place from `from` on whose units may start a pattern; -1 when there is none. The hot loop of all: nothing
 * but arithmetic on typed arrays.
 */
function nextCandidate(
  folded: Uint16Array,
  filter: Uint32Array,
  shift: number,
  from: number,
  length: number,
): number {
  let rolling = 0;
  const last = length - GRAM;
  if (from > last) return -1;
  for (let i = from; i < from + GRAM - 1; i++) rolling = (Math.imul(rolling, BASE) + (folded[i] ?? 0)) | 0;
  for (let at = from; at <= last; at++) {
    rolling = (Math.imul(rolling, BASE) + (folded[at + GRAM - 1] ?? 0)) | 0;
    const hash = mix(rolling);
    const bit = hash >>> shift;
    if (((filter[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0) {
      const second = secondBit(hash, shift);
      if (((filter[second >>> 5] ?? 0) & (1 << (second & 31))) !== 0) return at;
    }
    rolling = (rolling - Math.imul(folded[at] ?? 0, BASE_TO_GRAM_LESS_ONE)) | 0;
  }
  return -1;
}

function gramHashAt(folded: Uint16Array, at: number): number {
  let rolling = 0;
  for (let i = at; i < at + GRAM; i++) rolling = (Math.imul(rolling, BASE) + (folded[i] ?? 0)) | 0;
  return mix(rolling);
}

function gramHash(folded: string, at: number): number {
  let hash = 0;
  for (let i = at; i < at + GRAM; i++) hash = (Math.imul(hash, BASE) + folded.charCodeAt(i)) | 0;
  return mix(hash);
}

/** Spread the bits of a rolling hash: its high bits do not yet know the last units (Knuth's multiplicative hash). */
function mix(rolling: number): number {
  return Math.imul(rolling, 0x9e3779b1);
}

function secondBit(hash: number, shift: number): number {
  return Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) >>> shift;
}

function pairHash(first: number, second: number): number {
  return (Math.imul(first, 31) ^ second) & 0xffff;
}

function standsAlone(text: string, start: number, end: number): boolean {
  return !(
    (isWord(text.charCodeAt(start)) && isWord(text.charCodeAt(start - 1))) ||
    (isWord(text.charCodeAt(end - 1)) && isWord(text.charCodeAt(end)))
  );
}

/** ASCII letter or digit; NaN (beyond an end of the text) is none. */
function isWord(unit: number): boolean {
  return (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122);
}
