import type { PrivateLevel } from "../../types.ts";
import type { Folded } from "./fold.ts";
import { MIN_PART } from "./variants.ts";

/** A value and how often it was added. */
export interface Owner {
  readonly value: string;
  type: string;
  level: PrivateLevel;
  /** Additions not yet undone. */
  count: number;
  /** Hashes under which its patterns stand. */
  readonly hashes: number[];
  /** Its short forms. */
  readonly shorts: string[];
}

/** One string of eight units or more to look for, known by the gram at `offset`. */
export interface Pattern {
  readonly owner: Owner;
  /** Folded. */
  readonly text: string;
  readonly offset: number;
  /** True: the gram is a block of key material and any part around it counts. False: only the whole. */
  readonly parts: boolean;
  /** The next pattern with the same hash, and how many there are from here on. */
  next: Pattern | undefined;
  behind: number;
}

/** A place where (part of) a value stands. */
export interface Span {
  start: number;
  end: number;
  owner: Owner;
}

/**
 * Compares patterns with one text and keeps that linear: a pattern that fails late again and again (a long run of one
 * character) is searched for once by Knuth-Morris-Pratt instead.
 */
export class Comparison {
  readonly #folded: Folded;
  readonly #spent = new Map<Pattern, number>();
  readonly #places = new Map<Pattern, Set<number>>();
  /** Up to where parts have been found, so that no part is measured twice. */
  #partsUntil = 0;

  constructor(folded: Folded) {
    this.#folded = folded;
  }

  /** Where the pattern stands when its gram is at `at`; undefined when it does not. */
  match(at: number, pattern: Pattern): Span | undefined {
    if (!pattern.parts) {
      const start = at - pattern.offset;
      return this.#equals(start, pattern)
        ? { start, end: start + pattern.text.length, owner: pattern.owner }
        : undefined;
    }
    if (at < this.#partsUntil) return undefined;
    const span = extend(this.#folded, at, pattern);
    if (span !== undefined) this.#partsUntil = span.end;
    return span;
  }

  #equals(start: number, pattern: Pattern): boolean {
    const { units, length } = this.#folded;
    const wanted = pattern.text;
    if (start < 0 || start + wanted.length > length) return false;
    const long = wanted.length > 64;
    if (long) {
      const places = this.#places.get(pattern);
      if (places !== undefined) return places.has(start);
    }
    let i = 0;
    while (i < wanted.length && units[start + i] === wanted.charCodeAt(i)) i++;
    if (long) {
      const spent = (this.#spent.get(pattern) ?? 0) + i;
      this.#spent.set(pattern, spent);
      if (spent > 2 * length + 4096) this.#places.set(pattern, placesOf(this.#folded, wanted));
    }
    return i === wanted.length;
  }
}

/** Every place where the text holds `wanted`: Knuth, Morris and Pratt 1977. */
function placesOf({ units, length }: Folded, wanted: string): Set<number> {
  const fall = new Int32Array(wanted.length);
  for (let i = 1, k = 0; i < wanted.length; i++) {
    while (k > 0 && wanted.charCodeAt(i) !== wanted.charCodeAt(k)) k = fall[k - 1] ?? 0;
    if (wanted.charCodeAt(i) === wanted.charCodeAt(k)) k++;
    fall[i] = k;
  }
  const places = new Set<number>();
  for (let i = 0, k = 0; i < length; i++) {
    const unit = units[i];
    while (k > 0 && unit !== wanted.charCodeAt(k)) k = fall[k - 1] ?? 0;
    if (unit === wanted.charCodeAt(k)) k++;
    if (k === wanted.length) {
      places.add(i - k + 1);
      k = fall[k - 1] ?? 0;
    }
  }
  return places;
}

/** The longest part of the pattern around its gram at `at`; undefined when it is too short to tell. */
function extend(
  { units, length }: Folded,
  at: number,
  { text: wanted, offset, owner }: Pattern,
): Span | undefined {
  let start = at;
  let from = offset;
  while (from > 0 && start > 0 && units[start - 1] === wanted.charCodeAt(from - 1)) {
    start--;
    from--;
  }
  let end = at;
  let to = offset;
  while (to < wanted.length && end < length && units[end] === wanted.charCodeAt(to)) {
    end++;
    to++;
  }
  return end - start >= Math.min(MIN_PART, wanted.length) ? { start, end, owner } : undefined;
}

/** What may stand between two lines of one key when it is quoted, indented, commented or escaped. */
const BETWEEN_LINES = /^(?:\s|\\+[rnt]|%0[ad]|[>"'+,#|*/;])*$/i;
const MAX_BETWEEN = 24;

/** One span where spans overlap, or where neighbouring lines of one value follow each other; sorted. */
export function mergeSpans(text: string, spans: Span[]): Span[] {
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
  return /\n|\\n/.test(next.owner.value) && BETWEEN_LINES.test(text.slice(last.end, next.start));
}
