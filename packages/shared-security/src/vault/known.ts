import { encodedIn, openText } from "../fold/opened.ts";
import { compose, type View } from "../fold/view.ts";
import type { Finding, PrivateLevel } from "../types.ts";
import { foldShared, foldText } from "./known/fold.ts";
import { GRAM, gramHash } from "./known/grams.ts";
import { isNumber, joinNumbers } from "./known/numbers.ts";
import { mergeSpans, type Owner, type Span } from "./known/pattern.ts";
import { PatternTable } from "./known/pattern-table.ts";
import { ShortValues } from "./known/short-values.ts";
import { SqueezedValues } from "./known/squeezed.ts";
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

/** Text inside of text is followed so deep. */
const MAX_DEPTH = 2;

/**
 * Finds many known values in a text at once: whole, by line, in parts of 20 units or more (of keys), JSON-escaped,
 * percent-encoded, in base64 or hex, with anything but letters and digits between theirs, backwards, in ROT13; case and
 * full width do not matter from 8 units on, invisible characters never.
 *
 * A rolling hash of 8 units is looked up at every place, so the cost hardly depends on the number of values: about a
 * millisecond for 200 kB.
 */
export class KnownIndex {
  readonly #owners = new Map<string, Owner>();
  readonly #patterns = new PatternTable();
  readonly #squeezed = new SqueezedValues();
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
      owner.hashes.push(this.#patterns.add(owner, text, false));
      if (variant.parts) this.#indexBlocks(owner, text);
    }
    this.#squeezed.add(owner);
  }

  /** Undo one `add` of `value`. */
  remove(value: string): void {
    const owner = this.#owners.get(value);
    if (owner === undefined || --owner.count > 0) return;
    this.#owners.delete(value);
    if (isNumber(value)) this.#numbers--;
    for (const text of owner.shorts) this.#short.remove(text, owner);
    this.#patterns.remove(owner, owner.hashes);
    this.#squeezed.remove(owner);
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
    const opened = openText(text);
    if (opened.folded.text !== text) this.#scanView(opened.folded, firstOnly, spans);
    this.#scanFolded(opened.folded, firstOnly, spans);
    this.#scanInner(opened.encoded, firstOnly, spans, 1);
    this.#scanInner(opened.hidden, firstOnly, spans, 1);
    return spans;
  }

  /** Text inside of text. */
  #scanInner(views: readonly View[], firstOnly: boolean, spans: Span[], depth: number): void {
    for (const view of views) {
      if (firstOnly && spans.length > 0) return;
      this.#scanView(view, firstOnly, spans);
      this.#scanFolded(view, firstOnly, spans);
      if (depth < MAX_DEPTH) this.#scanInner(encodedIn(view), firstOnly, spans, depth + 1);
    }
  }

  /** What a folded text shows besides itself: values with something between. */
  #scanFolded(folded: View, firstOnly: boolean, spans: Span[]): void {
    const { text } = folded;
    if (firstOnly && spans.length > 0) return;
    this.#mapped(folded, spans, (inView) => this.#squeezed.scan(text, firstOnly, inView));
    if (this.#numbers > 0) {
      const joined = joinNumbers(text);
      if (joined !== undefined) this.#scanView(compose(folded, joined), firstOnly, spans);
    }
  }

  #scanView(view: View, firstOnly: boolean, spans: Span[]): void {
    this.#mapped(view, spans, (inView) => this.#scanVisible(view.text, firstOnly, inView));
  }

  /** Notes what is found in a view where it stands in the original. */
  #mapped(view: View, spans: Span[], look: (inView: Span[]) => void): void {
    const inView: Span[] = [];
    look(inView);
    for (const { start, end, owner } of inView)
      spans.push({ start: view.originalStart(start), end: view.originalEnd(end), owner });
  }

  #scanVisible(text: string, firstOnly: boolean, spans: Span[]): void {
    const folded = foldShared(text);
    if (this.#short.size > 0) this.#short.scan(text, spans);
    if (firstOnly && spans.length > 0) return;
    this.#patterns.scan(folded, (span) => {
      spans.push(span);
      return firstOnly;
    });
  }

  #indexBlocks(owner: Owner, text: string): void {
    const seen = new Set<number>();
    // All JSON Web Tokens of a kind begin alike: their header (RFC 7519, section 3.1) is no part of any of them.
    const own = text.slice(JWT_HEADER.exec(text)?.[0].length ?? 0);
    for (let offset = 0; offset + GRAM <= own.length; offset += GRAM) {
      const hash = gramHash(own, offset);
      if (!seen.has(hash)) owner.hashes.push(this.#patterns.add(owner, own, true, offset));
      seen.add(hash);
    }
  }
}
