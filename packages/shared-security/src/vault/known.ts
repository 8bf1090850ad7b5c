import { escapedParts } from "../fold/escapes.ts";
import { fold } from "../fold/fold.ts";
import { compose, type View } from "../fold/view.ts";
import type { Finding, PrivateLevel } from "../types.ts";
import { foldShared, foldText } from "./known/fold.ts";
import { GRAM, GramFilter, gramHash, gramHashAt } from "./known/grams.ts";
import { isNumber, joinNumbers } from "./known/numbers.ts";
import { Comparison, mergeSpans, type Owner, type Pattern, type Span } from "./known/pattern.ts";
import { ShortValues } from "./known/short-values.ts";
import { variantsOf } from "./known/variants.ts";

/** A private value to look for. */
export interface KnownValue {
  value: string;
  type: string;
  level: PrivateLevel;
}

/** Rule id of what this index finds. */
export const KNOWN_RULE = "vault/known";

/** Header of a JSON Web Token, folded: base64url of `{"`. */
const JWT_HEADER = /^eyj[\w-]{8,512}\./;

/** A pattern may be known by any of its grams; so many are tried for one that few others have. */
const TRIED_GRAMS = 6;

/**
 * Finds many known values in a text at once: whole, by line, in parts of 20 units or more (of keys), JSON-escaped,
 * percent-encoded, in base64 or hex; case and full width do not matter from 8 units on, invisible characters never.
 *
 * A rolling hash of 8 units is looked up at every place, so the cost hardly depends on the number of values: about a
 * millisecond for 200 kB.
 */
export class KnownIndex {
  readonly #owners = new Map<string, Owner>();
  readonly #patterns = new Map<number, Pattern>();
  readonly #filter = new GramFilter();
  readonly #short = new ShortValues();
  /** How many values are numbers, which may stand in groups. */
  #numbers = 0;

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
    const owner: Owner = { value, type, level, count: 1, hashes: [], shorts: [] };
    this.#owners.set(value, owner);
    if (isNumber(value)) this.#numbers++;
    const seen = new Set<string>();
    for (const variant of variantsOf(value)) {
      if (variant.text.length < GRAM) {
        owner.shorts.push(variant.text);
        this.#short.add(variant.text, owner);
        continue;
      }
      const text = foldText(variant.text);
      if (seen.has(text)) continue;
      seen.add(text);
      this.#index(owner, text, this.#rarestGram(text), false);
      if (variant.parts) this.#indexBlocks(owner, text);
    }
  }

  /** Undo one `add` of `value`. */
  remove(value: string): void {
    const owner = this.#owners.get(value);
    if (owner === undefined || --owner.count > 0) return;
    this.#owners.delete(value);
    if (isNumber(value)) this.#numbers--;
    for (const text of owner.shorts) this.#short.remove(text, owner);
    // The filter keeps its bits: a stale bit costs a look, no more.
    for (const hash of owner.hashes) {
      const left = without(this.#patterns.get(hash), owner);
      if (left === undefined) this.#patterns.delete(hash);
      else this.#patterns.set(hash, left);
    }
  }

  /** Every known value in `text`; sorted, without overlaps (what overlaps becomes one finding). */
  find(text: string): Finding[] {
    const spans = this.#scan(text, false);
    return mergeSpans(text, spans).map(({ start, end, owner }) => ({
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
    return this.#scan(text, true).length > 0;
  }

  #scan(text: string, firstOnly: boolean): Span[] {
    const spans: Span[] = [];
    if (this.#owners.size === 0 || text.length < 2) return spans;
    this.#scanVisible(text, firstOnly, spans);
    if (firstOnly && spans.length > 0) return spans;
    const folded = fold(text);
    if (folded.text !== text) this.#scanView(folded, firstOnly, spans);
    for (const part of escapedParts(folded.text)) {
      if (firstOnly && spans.length > 0) return spans;
      this.#scanView(compose(folded, part), firstOnly, spans);
    }
    if (this.#numbers > 0) {
      const joined = joinNumbers(folded.text);
      if (joined !== undefined) this.#scanView(compose(folded, joined), firstOnly, spans);
    }
    return spans;
  }

  #scanView(view: View, firstOnly: boolean, spans: Span[]): void {
    const inView: Span[] = [];
    this.#scanVisible(view.text, firstOnly, inView);
    for (const { start, end, owner } of inView)
      spans.push({ start: view.originalStart(start), end: view.originalEnd(end), owner });
  }

  /** @returns whether the text holds characters that do not show */
  #scanVisible(text: string, firstOnly: boolean, spans: Span[]): boolean {
    const folded = foldShared(text);
    const { units, length, holdsInvisible } = folded;
    if (this.#short.size > 0) this.#short.scan(text, spans);
    if (firstOnly && spans.length > 0) return holdsInvisible;
    const comparison = new Comparison(folded);
    for (
      let at = this.#filter.next(units, length, 0);
      at >= 0;
      at = this.#filter.next(units, length, at + 1)
    ) {
      for (
        let pattern = this.#patterns.get(gramHashAt(units, at));
        pattern !== undefined;
        pattern = pattern.next
      ) {
        const span = comparison.match(at, pattern);
        if (span === undefined) continue;
        spans.push(span);
        if (firstOnly) return holdsInvisible;
      }
    }
    return holdsInvisible;
  }

  #indexBlocks(owner: Owner, text: string): void {
    const seen = new Set<number>();
    // All JSON Web Tokens of a kind begin alike: their header (RFC 7519, section 3.1) is no part of any of them.
    const own = text.slice(JWT_HEADER.exec(text)?.[0].length ?? 0);
    for (let offset = 0; offset + GRAM <= own.length; offset += GRAM) {
      const hash = gramHash(own, offset);
      if (!seen.has(hash)) this.#index(owner, own, offset, true);
      seen.add(hash);
    }
  }

  #index(owner: Owner, text: string, offset: number, parts: boolean): void {
    const hash = gramHash(text, offset);
    const next = this.#patterns.get(hash);
    this.#patterns.set(hash, { owner, text, offset, parts, next, behind: 1 + (next?.behind ?? 0) });
    owner.hashes.push(hash);
    this.#filter.add(hash, this.#patterns.size, this.#patterns.keys());
  }

  /** Where the gram stands that the fewest patterns share: ids of one office, keys of one vendor begin alike. */
  #rarestGram(text: string): number {
    let best = 0;
    let fewest = Number.POSITIVE_INFINITY;
    const last = text.length - GRAM;
    for (let i = 0; i < TRIED_GRAMS; i++) {
      const offset = Math.round((last * i) / (TRIED_GRAMS - 1));
      const shared = this.#patterns.get(gramHash(text, offset))?.behind ?? 0;
      if (shared < fewest) {
        best = offset;
        fewest = shared;
      }
      if (shared === 0) break;
    }
    return best;
  }
}

function without(first: Pattern | undefined, owner: Owner): Pattern | undefined {
  let kept: Pattern | undefined;
  for (let pattern = first; pattern !== undefined; ) {
    const following = pattern.next;
    if (pattern.owner !== owner) {
      pattern.next = kept;
      pattern.behind = 1 + (kept?.behind ?? 0);
      kept = pattern;
    }
    pattern = following;
  }
  return kept;
}
