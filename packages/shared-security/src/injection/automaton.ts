import { type Concept, conceptIndex, type Lexicon } from "./concepts.ts";
import { foldEntry } from "./normalise.ts";

/** Concept hits in reading order: parallel arrays, `count` long. */
export interface Hits {
  count: number;
  concept: Uint8Array;
  start: Uint32Array;
  end: Uint32Array;
}

/** Gap: what may stand between the words of an entry. */
const GAP = 1;
const SYMBOLS = 46;
/** ASCII code to column of the transition table: 0 none, 1 gap, 2-27 letters, 28-37 digits, then the signs of entries. */
const COLUMN = new Uint8Array(128);
for (const code of [9, 10, 11, 12, 13, 32, 45, 95]) COLUMN[code] = GAP;
for (let i = 0; i < 26; i++) COLUMN[97 + i] = 2 + i;
for (let i = 0; i < 10; i++) COLUMN[48 + i] = 28 + i;
for (const [index, sign] of [..."'./=+~,"].entries()) COLUMN[sign.charCodeAt(0)] = 38 + index;

/** Letters that digits and signs stand for in leetspeak, most usual first. */
const LEET = new Map<number, readonly number[]>(
  Object.entries({
    "0": "o",
    "1": "il",
    "3": "e",
    "4": "a",
    "5": "s",
    "7": "t",
    "@": "a",
    $: "s",
    "!": "i",
  }).map(([sign, letters]) => [sign.charCodeAt(0), [...letters].map((letter) => letter.charCodeAt(0))]),
);

/** Letters of scripts that part words by spaces and write them with one code a letter: Latin, Greek, Cyrillic, Armenian. */
function joinsWord(code: number): boolean {
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
  return (code >= 0xc0 && code <= 0x58f) || (code >= 0x1e00 && code <= 0x1fff);
}

function isWide(code: number): boolean {
  return code >= 0x0e00;
}

interface Node {
  children: Map<number, Node>;
  /** concept * 2 + (1 when any ending may follow). */
  outputs: number[];
  id: number;
}

/** Where the word that `at` stands in ends (looked for 24 characters far). */
function wordEnd(text: string, at: number): number {
  const limit = Math.min(text.length, at + 24);
  let end = at;
  while (end < limit && joinsWord(text.charCodeAt(end))) end++;
  return end;
}

/** Most steps of one walk: longer than any entry, so that the scan stays linear. */
const MAX_STEPS = 64;

/**
 * All entries of all languages as one trie, walked from every word start (from every character in scripts without
 * spaces). The cost is bounded by text length times {@link MAX_STEPS}; on real text a walk ends after a letter or two.
 */
export class ConceptAutomaton {
  readonly entries: number;
  readonly #ascii: Uint16Array;
  readonly #first: Uint16Array;
  readonly #keys: Int32Array;
  readonly #values: Uint16Array;
  readonly #mask: number;
  readonly #outputs: (readonly number[] | undefined)[];

  constructor(lexicons: readonly Lexicon[]) {
    const root: Node = { children: new Map(), outputs: [], id: 0 };
    const nodes: Node[] = [root];
    let entries = 0;
    const wide: [number, number, number][] = [];
    const insert = (entry: string, concept: number) => {
      const anyEnding = entry.endsWith("*");
      const folded = foldEntry(anyEnding ? entry.slice(0, -1) : entry).trim();
      if (folded.length === 0 || folded.length >= MAX_STEPS) {
        throw new Error(`injection lexicon: entry "${entry}" is empty or too long`);
      }
      let node = root;
      for (let i = 0; i < folded.length; i++) {
        let code = folded.charCodeAt(i);
        if (code < 128) {
          if (COLUMN[code] === 0)
            throw new Error(`injection lexicon: "${entry}" holds a sign that no walk can pass`);
          if (COLUMN[code] === GAP) code = 32;
        }
        let child = node.children.get(code);
        if (!child) {
          child = { children: new Map(), outputs: [], id: nodes.length };
          nodes.push(child);
          node.children.set(code, child);
        }
        node = child;
      }
      node.outputs.push(concept * 2 + (anyEnding ? 1 : 0));
      entries++;
    };
    for (const lexicon of lexicons) {
      for (const [concept, words] of Object.entries(lexicon) as [Concept, string][]) {
        const index = conceptIndex(concept);
        for (const entry of words.split("|")) insert(entry.trim(), index);
      }
    }
    if (nodes.length > 0xffff) throw new Error("injection lexicon: too many entries for 16-bit states");
    this.entries = entries;
    this.#ascii = new Uint16Array(nodes.length * SYMBOLS);
    this.#first = new Uint16Array(0x10000);
    this.#outputs = nodes.map((node) => (node.outputs.length > 0 ? node.outputs : undefined));
    for (const node of nodes) {
      for (const [code, child] of node.children) {
        if (code < 128) this.#ascii[node.id * SYMBOLS + (COLUMN[code] as number)] = child.id;
        else if (node === root) this.#first[code] = child.id;
        else wide.push([node.id, code, child.id]);
      }
    }
    let capacity = 1024;
    while (capacity < wide.length * 2) capacity *= 2;
    this.#mask = capacity - 1;
    this.#keys = new Int32Array(capacity).fill(-1);
    this.#values = new Uint16Array(capacity);
    for (const [from, code, to] of wide) {
      let slot = this.#slot(from, code);
      while (this.#keys[slot] !== -1) slot = (slot + 1) & this.#mask;
      this.#keys[slot] = (from << 16) | code;
      this.#values[slot] = to;
    }
  }

  #slot(from: number, code: number): number {
    return (Math.imul(from, 0x9e3779b1) ^ Math.imul(code, 0x85ebca6b)) & this.#mask;
  }

  #wide(from: number, code: number): number {
    const key = (from << 16) | code;
    let slot = this.#slot(from, code);
    for (;;) {
      const found = this.#keys[slot] as number;
      if (found === key) return this.#values[slot] as number;
      if (found === -1) return 0;
      slot = (slot + 1) & this.#mask;
    }
  }

  /** Every concept word in a folded text. With `inside`, words are also looked for in the middle of words. */
  scan(text: string, inside = false): Hits {
    const hits = new HitList();
    const length = text.length;
    let before = 32;
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i);
      const starts = inside || !joinsWord(code) || !joinsWord(before);
      before = code;
      if (!starts) continue;
      if (code < 128) {
        const column = COLUMN[code] as number;
        if (column === GAP) continue;
        if (column === 0 && !LEET.has(code)) continue;
        this.#walk(text, i, hits);
      } else if (this.#first[code] !== 0) this.#walk(text, i, hits);
    }
    return hits;
  }

  #step(node: number, code: number): number {
    if (code < 128) {
      const column = COLUMN[code] as number;
      return column === 0 ? 0 : (this.#ascii[node * SYMBOLS + column] as number);
    }
    return node === 0 ? (this.#first[code] as number) : this.#wide(node, code);
  }

  #walk(text: string, from: number, hits: HitList): void {
    const length = text.length;
    const limit = Math.min(length, from + MAX_STEPS);
    const mark = hits.count;
    let node = 0;
    let at = from;
    while (at < limit) {
      const code = text.charCodeAt(at);
      let next = this.#step(node, code);
      if (next === 0 && code < 65 && code >= 33) {
        for (const letter of LEET.get(code) ?? []) {
          next = this.#step(node, letter);
          if (next !== 0) break;
        }
      }
      if (next === 0) {
        // Characters of scripts without spaces may be pulled apart by spaces; that hides nothing.
        if (code < 128 && COLUMN[code] === GAP && at > from && isWide(text.charCodeAt(at - 1))) {
          at = this.#skipGap(text, at, limit);
          continue;
        }
        return;
      }
      node = next;
      at = code < 128 && COLUMN[code] === GAP ? this.#skipGap(text, at, limit) : at + 1;
      const outputs = this.#outputs[node];
      if (!outputs) continue;
      const following = at < length ? text.charCodeAt(at) : 32;
      for (const output of outputs) {
        if ((output & 1) === 0 && joinsWord(following) && !isWide(text.charCodeAt(at - 1))) continue;
        hits.put(output >> 1, from, (output & 1) === 1 ? wordEnd(text, at) : at, mark);
      }
    }
  }

  #skipGap(text: string, at: number, limit: number): number {
    let end = at;
    while (end < limit) {
      const code = text.charCodeAt(end);
      if (code >= 128 || COLUMN[code] !== GAP) break;
      end++;
    }
    return end;
  }
}

class HitList implements Hits {
  count = 0;
  concept = new Uint8Array(64);
  start = new Uint32Array(64);
  end = new Uint32Array(64);

  /** Adds a hit, or lengthens the one of the same walk (from `mark` on) and concept. */
  put(concept: number, start: number, end: number, mark: number): void {
    for (let i = this.count - 1; i >= mark; i--) {
      if (this.concept[i] === concept) {
        this.end[i] = end;
        return;
      }
    }
    if (this.count === this.concept.length) {
      const grown = new HitList();
      const size = this.count * 2;
      grown.concept = new Uint8Array(size);
      grown.start = new Uint32Array(size);
      grown.end = new Uint32Array(size);
      grown.concept.set(this.concept);
      grown.start.set(this.start);
      grown.end.set(this.end);
      this.concept = grown.concept;
      this.start = grown.start;
      this.end = grown.end;
    }
    this.concept[this.count] = concept;
    this.start[this.count] = start;
    this.end[this.count++] = end;
  }
}
