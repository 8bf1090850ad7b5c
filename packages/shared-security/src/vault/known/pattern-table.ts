import type { Folded } from "./fold.ts";
import { GRAM, GramFilter, gramHash, gramHashAt } from "./grams.ts";
import { Comparison, type Owner, type Pattern, type Span } from "./pattern.ts";

/** A pattern may be known by any of its grams; so many are tried for one that few others have. */
const TRIED_GRAMS = 6;

/** Strings of eight units or more, found all at once wherever they stand in an array of units. */
export class PatternTable {
  readonly #patterns = new Map<number, Pattern>();
  readonly #filter = new GramFilter();

  /** How many hashes are looked for. */
  get size(): number {
    return this.#patterns.size;
  }

  /**
   * Look for `text` (folded, {@link GRAM} units or more).
   * @param offset where the gram begins that it is known by; the rarest when not given
   * @returns the hash to undo it with
   */
  add(owner: Owner, text: string, parts: boolean, offset = this.#rarestGram(text)): number {
    const hash = gramHash(text, offset);
    const next = this.#patterns.get(hash);
    this.#patterns.set(hash, { owner, text, offset, parts, next, behind: 1 + (next?.behind ?? 0) });
    this.#filter.add(hash, this.#patterns.size, this.#patterns.keys());
    return hash;
  }

  /** Undo all additions of an owner. */
  remove(owner: Owner, hashes: readonly number[]): void {
    // The filter keeps its bits: a stale bit costs a look, no more.
    for (const hash of hashes) {
      const left = without(this.#patterns.get(hash), owner);
      if (left === undefined) this.#patterns.delete(hash);
      else this.#patterns.set(hash, left);
    }
  }

  /**
   * Every place where a pattern stands.
   * @param found told of each; returns true to stop
   */
  scan(searched: Folded, found: (span: Span) => boolean): void {
    const { units, length } = searched;
    const comparison = new Comparison(searched);
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
        if (span !== undefined && found(span)) return;
      }
    }
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
