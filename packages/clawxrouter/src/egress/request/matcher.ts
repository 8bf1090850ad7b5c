/** A pattern found in a text, in UTF-16 units. */
export interface Match<T> {
  start: number;
  end: number;
  tag: T;
}

/** Values shorter than this count only as whole words: "Ann" is not in "Annual", "1234" not in "81234". */
const WHOLE_WORD_BELOW = 8;
/** Values from this length on are skipped to; shorter ones are looked for at every position. */
const SKIP_FROM = 8;
/** Large enough that the blocks of some thousand values do not fill it: a full table skips nothing. */
const TABLE_SIZE = 1 << 18;
/** Enough for some dozen values, and so small that it stays in the cache. */
const SMALL_TABLE_SIZE = 1 << 12;

/**
 * Finds many exact strings in a text at once (Wu and Manber 1994): the text is skipped through by most of the length
 * of the shortest pattern, so that a conversation of 200 kB against thousands of private values costs a fraction of a
 * millisecond. Single characters are no values and are ignored.
 */
export class ExactMatcher<T> {
  readonly #short: BlockTable<T>;
  readonly #long: BlockTable<T>;
  /** Length of the longest pattern, in UTF-16 units. */
  longest = 0;

  /** @param size how many strings there will be: `few` are some dozen, beyond which it only becomes slow */
  constructor(size: "few" | "many" = "many") {
    const tableSize = size === "few" ? SMALL_TABLE_SIZE : TABLE_SIZE;
    this.#short = new BlockTable(2, 2, tableSize);
    this.#long = new BlockTable(SKIP_FROM, 3, tableSize);
  }

  /** Adds a string to find and what it stands for. */
  add(pattern: string, tag: T): void {
    this.longest = Math.max(this.longest, pattern.length);
    if (pattern.length >= SKIP_FROM) this.#long.add(pattern, tag);
    else if (pattern.length >= 2) this.#short.add(pattern, tag);
  }

  /**
   * A match, or undefined when the text holds none of the patterns.
   * @param counts says which patterns count; all when not given
   */
  find(text: string, counts?: (tag: T) => boolean): Match<T> | undefined {
    return this.#long.find(text, counts) ?? this.#short.find(text, counts);
  }
}

class BlockTable<T> {
  /** Patterns by the hash of their first block. */
  readonly #buckets = new Map<number, Array<readonly [string, T]>>();
  /** How far to go on when a block is seen; 0 where a pattern's window may end. */
  readonly #shift: Uint8Array;
  /** 1 for the hash of a first block: spares the map most looks. */
  readonly #first: Uint8Array;
  readonly #window: number;
  readonly #block: 2 | 3;

  /**
   * @param window units looked at in one step; no pattern may be shorter
   * @param block units hashed together
   * @param size of the tables, a power of two
   */
  constructor(window: number, block: 2 | 3, size: number) {
    this.#window = window;
    this.#block = block;
    this.#shift = new Uint8Array(size);
    this.#first = new Uint8Array(size);
    this.#shift.fill(window - block + 1);
  }

  add(pattern: string, tag: T): void {
    const last = this.#window - 1;
    for (let end = this.#block - 1; end <= last; end += 1) {
      const block = this.#hash(pattern, end);
      this.#shift[block] = Math.min(this.#shift[block] ?? 0, last - end);
    }
    const first = this.#hash(pattern, this.#block - 1);
    this.#first[first] = 1;
    const bucket = this.#buckets.get(first);
    if (bucket) bucket.push([pattern, tag]);
    else this.#buckets.set(first, [[pattern, tag]]);
  }

  find(text: string, counts?: (tag: T) => boolean): Match<T> | undefined {
    if (this.#buckets.size === 0) return undefined;
    const shift = this.#shift;
    const beforeEnd = this.#window - 1;
    let at = beforeEnd;
    while (at < text.length) {
      const skip = shift[this.#hash(text, at)] ?? 0;
      if (skip > 0) {
        at += skip;
        continue;
      }
      const start = at - beforeEnd;
      const first = this.#hash(text, start + this.#block - 1);
      if (this.#first[first] === 1) {
        for (const [pattern, tag] of this.#buckets.get(first) ?? []) {
          const end = start + pattern.length;
          if (!text.startsWith(pattern, start) || !standsAlone(text, start, end)) continue;
          if (counts === undefined || counts(tag)) return { start, end, tag };
        }
      }
      at += 1;
    }
    return undefined;
  }

  /** Hash of the block that ends at `end`; collisions only cost a look. */
  #hash(text: string, end: number): number {
    const pair = Math.imul(text.charCodeAt(end - 1), 0x9e5) + text.charCodeAt(end);
    const sum = this.#block === 2 ? pair : Math.imul(text.charCodeAt(end - 2), 0x6f4f1) + pair;
    return (sum ^ (sum >>> 14)) & (this.#shift.length - 1);
  }
}

function standsAlone(text: string, start: number, end: number): boolean {
  if (end - start >= WHOLE_WORD_BELOW) return true;
  return !(
    (isWord(text.charCodeAt(start)) && isWord(text.charCodeAt(start - 1))) ||
    (isWord(text.charCodeAt(end - 1)) && isWord(text.charCodeAt(end)))
  );
}

/** ASCII letter, digit or underscore; NaN (beyond an end of the text) is none. */
function isWord(unit: number): boolean {
  return (
    (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90) || unit === 95 || (unit >= 97 && unit <= 122)
  );
}
