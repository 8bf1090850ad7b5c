import { type Concept, conceptIndex, type Lexicon } from "./concepts.ts";
import { HitList, type Hits } from "./hits.ts";
import {
  COLUMN,
  GAP,
  IS_LEET,
  isGap,
  isWide,
  joinsWord,
  LEET,
  LETTER,
  SIGN,
  START,
  SYMBOLS,
} from "./letters.ts";
import { foldEntry } from "./normalise.ts";
import { GAP_CODES, hash, PAIR_SLOTS, pairSlot, report, skipGap } from "./steps.ts";

/** In the table of openings: only a walk from the first character tells. */
const WALK = 0xffff;
/** Most steps of one walk: longer than any entry, so that the scan stays linear. */
const MAX_STEPS = 64;

/**
 * All entries of all languages as one trie, walked from every word start (from every character in scripts without
 * spaces). The cost is bounded by text length times {@link MAX_STEPS}; on real text a walk ends after a letter or two.
 */
export class ConceptAutomaton {
  readonly entries: number;
  /** State by row and column; a state without ASCII children has row 0, which is empty. */
  #ascii = new Uint16Array(SYMBOLS * 4096);
  #rowOf = new Uint16Array(0x10000);
  #rows = 1;
  readonly #first = new Uint16Array(0x10000);
  /** 1 where an entry may begin with two such characters, by {@link pairSlot}; most pairs of CJK text do not. */
  readonly #pairs = new Uint8Array(PAIR_SLOTS);
  /** 1 for characters that are an entry by themselves. */
  readonly #single = new Uint8Array(0x10000);
  /** Other children: open addressing, key state << 16 | code. */
  #keys = new Int32Array(1 << 17).fill(-1);
  #values = new Uint16Array(1 << 17);
  #wideCount = 0;
  #states = 1;
  /** By state: concept * 2 + (1 when any ending may follow). */
  readonly #outputs: number[][] = [];
  /** What three ASCII columns lead to: nothing (0), a state, or {@link WALK}. Saves most walks, and the start of others. */
  readonly #openings = new Uint16Array(SYMBOLS * SYMBOLS * SYMBOLS);

  constructor(lexicons: readonly Lexicon[]) {
    let entries = 0;
    for (const lexicon of lexicons) {
      for (const [concept, words] of Object.entries(lexicon) as [Concept, string][]) {
        const index = conceptIndex(concept);
        for (const entry of words.split("|")) {
          this.#insert(entry, index);
          entries++;
        }
      }
    }
    this.entries = entries;
    this.#markOpenings();
  }

  #insert(entry: string, concept: number): void {
    const anyEnding = entry.endsWith("*");
    const folded = foldEntry(anyEnding ? entry.slice(0, -1) : entry);
    if (folded.length === 0 || folded.length >= MAX_STEPS) {
      throw new Error(`injection lexicon: entry "${entry}" is empty or too long`);
    }
    this.#markPair(folded);
    let state = 0;
    for (let i = 0; i < folded.length; i++) {
      const code = folded.charCodeAt(i);
      // Several gaps in a row are one: a walk passes them together.
      if (i > 0 && isGap(code) && isGap(folded.charCodeAt(i - 1))) continue;
      if (code < 128 && COLUMN[code] === 0) {
        throw new Error(`injection lexicon: "${entry}" holds a sign that no walk can pass`);
      }
      state = this.#step(state, code) || this.#grow(state, code);
    }
    this.#outputs[state] ??= [];
    this.#outputs[state]?.push(concept * 2 + (anyEnding ? 1 : 0));
  }

  #markPair(folded: string): void {
    const first = folded.charCodeAt(0);
    if (first < 128) return;
    // A single character, and one that a gap may follow, go with anything.
    if (folded.length === 1) this.#single[first] = 1;
    else this.#pairs[pairSlot(first, folded.charCodeAt(1))] = 1;
    for (const gap of GAP_CODES) this.#pairs[pairSlot(first, gap)] = 1;
  }

  #grow(state: number, code: number): number {
    const child = this.#states++;
    if (child > 0xffff) throw new Error("injection lexicon: too many entries for 16-bit states");
    if (code < 128) {
      let row = this.#rowOf[state] as number;
      if (row === 0) {
        row = this.#rows++;
        this.#rowOf[state] = row;
        if (row * SYMBOLS >= this.#ascii.length) {
          const larger = new Uint16Array(this.#ascii.length * 2);
          larger.set(this.#ascii);
          this.#ascii = larger;
        }
      }
      this.#ascii[row * SYMBOLS + (COLUMN[code] as number)] = child;
    } else if (state === 0) this.#first[code] = child;
    else {
      if (++this.#wideCount * 2 > this.#keys.length) this.#rehash();
      this.#put((state << 16) | code, child);
    }
    return child;
  }

  #put(key: number, value: number): void {
    const mask = this.#keys.length - 1;
    let slot = hash(key) & mask;
    while (this.#keys[slot] !== -1) slot = (slot + 1) & mask;
    this.#keys[slot] = key;
    this.#values[slot] = value;
  }

  #rehash(): void {
    const keys = this.#keys;
    const values = this.#values;
    this.#keys = new Int32Array(keys.length * 2).fill(-1);
    this.#values = new Uint16Array(keys.length * 2);
    for (const [slot, key] of keys.entries()) if (key !== -1) this.#put(key, values[slot] as number);
  }

  /** Fills {@link #openings}. Where a gap, a leetspeak sign or the end of an entry is among the three, a walk decides. */
  #markOpenings(): void {
    const table = this.#openings;
    const square = SYMBOLS * SYMBOLS;
    const child = (state: number, column: number) =>
      this.#ascii[(this.#rowOf[state] as number) * SYMBOLS + column] as number;
    for (let a = 0; a < SYMBOLS; a++) {
      const first = child(0, a);
      if (first === 0) continue;
      if (this.#outputs[first] !== undefined) table.fill(WALK, a * square, (a + 1) * square);
      for (let b = 0; b < SYMBOLS; b++) {
        const second = child(first, b);
        if (second === 0) continue;
        const from = a * square + b * SYMBOLS;
        if (this.#outputs[second] !== undefined) table.fill(WALK, from, from + SYMBOLS);
        else {
          for (let c = 0; c < SYMBOLS; c++) {
            const third = child(second, c);
            if (third !== 0 && table[from + c] === 0) table[from + c] = b === GAP || c === GAP ? WALK : third;
          }
        }
      }
    }
    for (const code of LEET.keys()) {
      const sign = COLUMN[code] as number;
      table.fill(WALK, sign * square, (sign + 1) * square);
      for (let a = 0; a < SYMBOLS; a++) {
        table.fill(WALK, a * square + sign * SYMBOLS, a * square + (sign + 1) * SYMBOLS);
        for (let b = 0; b < SYMBOLS; b++) table[a * square + b * SYMBOLS + sign] = WALK;
      }
    }
  }

  /** Every concept word in a folded text. With `inside`, words are also looked for in the middle of words. */
  scan(text: string, inside = false): Hits {
    const hits = new HitList();
    const length = text.length;
    const table = this.#openings;
    const first = this.#first;
    const single = this.#single;
    const pairs = this.#pairs;
    let joined = false;
    let sign = false;
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i);
      if (code >= 128) {
        const joins = code < 0x2000 && joinsWord(code);
        if ((inside || !joins || !joined) && first[code] !== 0) {
          const next = i + 1 < length ? text.charCodeAt(i + 1) : 32;
          if (single[code] === 1 || pairs[pairSlot(code, next)] === 1) this.#walk(text, i, hits, inside);
        }
        joined = joins;
        sign = false;
        continue;
      }
      const start = START[code] as number;
      // A sign begins an entry only where it is not one of a row of signs.
      const starts = start === SIGN ? !sign : start === LETTER && (!joined || inside);
      sign = start === SIGN;
      joined = start === LETTER;
      if (!starts) continue;
      const second = i + 1 < length ? text.charCodeAt(i + 1) : 32;
      const third = i + 2 < length ? text.charCodeAt(i + 2) : 32;
      if (second < 128 && third < 128) {
        const key = ((COLUMN[code] as number) * SYMBOLS + (COLUMN[second] as number)) * SYMBOLS;
        const state = table[key + (COLUMN[third] as number)] as number;
        if (state === 0) continue;
        if (state !== WALK) {
          const mark = hits.count;
          const outputs = this.#outputs[state];
          if (outputs) report(text, i, i + 3, outputs, hits, mark, inside);
          this.#follow(text, i, i + 3, state, hits, mark, inside, false);
          continue;
        }
      }
      this.#walk(text, i, hits, inside);
      if (IS_LEET[code] === 1) this.#walk(text, i, hits, inside, true);
    }
    return hits;
  }

  #step(state: number, code: number): number {
    if (code < 128) {
      return this.#ascii[(this.#rowOf[state] as number) * SYMBOLS + (COLUMN[code] as number)] as number;
    }
    if (state === 0) return this.#first[code] as number;
    const key = (state << 16) | code;
    const mask = this.#keys.length - 1;
    let slot = hash(key) & mask;
    for (;;) {
      const found = this.#keys[slot] as number;
      if (found === key) return this.#values[slot] as number;
      if (found === -1) return 0;
      slot = (slot + 1) & mask;
    }
  }

  /** Follows the trie from `from`; with `leet`, the first character is read as the letter it stands for. */
  #walk(text: string, from: number, hits: HitList, inside: boolean, leet = false): void {
    this.#follow(text, from, from, 0, hits, hits.count, inside, leet);
  }

  #follow(
    text: string,
    from: number,
    start: number,
    startState: number,
    hits: HitList,
    mark: number,
    inside: boolean,
    leet: boolean,
  ): void {
    const ascii = this.#ascii;
    const rowOf = this.#rowOf;
    const length = text.length;
    const limit = Math.min(length, from + MAX_STEPS);
    let state = startState;
    let at = start;
    while (at < limit) {
      const code = text.charCodeAt(at);
      let column = -1;
      let next: number;
      if (code < 128) {
        column = COLUMN[code] as number;
        next = ascii[(rowOf[state] as number) * SYMBOLS + column] as number;
        if (IS_LEET[code] === 1 && (next === 0 || (leet && at === from))) next = this.#leet(state, code);
      } else next = this.#step(state, code);
      if (next === 0) {
        // Characters of scripts without spaces may be pulled apart by spaces; that hides nothing.
        if (column !== GAP || at === from || !isWide(text.charCodeAt(at - 1))) return;
        at = skipGap(text, at, limit);
        continue;
      }
      state = next;
      at = column === GAP ? skipGap(text, at, limit) : at + 1;
      const outputs = this.#outputs[state];
      if (outputs) report(text, from, at, outputs, hits, mark, inside);
    }
  }

  /** The state after a sign read as a letter, 0 when no letter fits. */
  #leet(state: number, sign: number): number {
    for (const letter of LEET.get(sign) ?? []) {
      const next = this.#step(state, letter);
      if (next !== 0) return next;
    }
    return 0;
  }
}
