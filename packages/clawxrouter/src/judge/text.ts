/** What the classifier reads of a prompt: a bounded window, its tokens and their hashes. All linear in the window. */

/** Characters read at the head and at the tail of a prompt; the task is said there, what lies between is material. */
export const HEAD_CHARS = 4_000;
export const TAIL_CHARS = 1_000;

export interface TextView {
  /** Head and tail of the prompt, at most HEAD_CHARS + TAIL_CHARS + 1 characters, as written. */
  text: string;
  /** UTF-16 length of the whole prompt. */
  chars: number;
}

export function viewOf(prompt: string): TextView {
  const chars = prompt.length;
  if (chars <= HEAD_CHARS + TAIL_CHARS) return { text: prompt, chars };
  return { text: `${prompt.slice(0, HEAD_CHARS)}\n${prompt.slice(-TAIL_CHARS)}`, chars };
}

const TOKEN = /\p{Script=Han}|\p{L}[\p{L}\p{M}]*|\p{N}+|[^\s\p{L}\p{N}]/gu;
const HAN = /^\p{Script=Han}$/u;

export interface Token {
  text: string;
  kind: "word" | "han" | "number" | "mark";
  /** Of a word its {@link stem}; else the text. */
  stem: string;
}

const HAS_HAN = /\p{Script=Han}/u;

function kindOf(part: string): Token["kind"] {
  const first = part.charCodeAt(0);
  // Most text is ASCII, for which no property of Unicode has to be asked.
  if (first >= 0x61 && first <= 0x7a) return "word";
  if (first < 0x80) return first >= 0x30 && first <= 0x39 ? "number" : "mark";
  if (HAN.test(part)) return "han";
  if (/^\p{L}/u.test(part)) return "word";
  return /^\p{N}/u.test(part) ? "number" : "mark";
}

function token(text: string, kind: Token["kind"]): Token {
  return { text, kind, stem: kind === "word" ? stem(text) : text };
}

/** Lower-cased words, single Han characters, numbers and marks, in order. A word's letters end where Han begins. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (const [part] of text.toLowerCase().matchAll(TOKEN)) {
    const kind = kindOf(part);
    // In a text without spaces `\p{L}+` runs from Latin into Han: cut it there.
    if (kind === "word" && HAS_HAN.test(part)) {
      for (const piece of part.match(/\p{Script=Han}|[^\p{Script=Han}]+/gu) ?? [])
        tokens.push(HAN.test(piece) ? token(piece, "han") : token(piece, "word"));
    } else tokens.push(token(part, kind));
  }
  return tokens;
}

/**
 * 32-bit FNV-1a with a final mix, so that low bits are usable as a bucket.
 * @see http://www.isthe.com/chongo/tech/comp/fnv/
 */
export function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    h ^= text.charCodeAt(i);
    h = Math.imul(h, 16_777_619);
  }
  h ^= h >>> 15;
  h = Math.imul(h, 0x2c1b3c6d);
  h ^= h >>> 12;
  return h >>> 0;
}

/** Distinct buckets of the single tokens of a text; a number counts by its number of digits only. */
export function wordBuckets(tokens: readonly Token[], bits: number): Uint32Array {
  const mask = (1 << bits) - 1;
  const buckets = new Set<number>();
  for (const { text, kind } of tokens)
    buckets.add(hash(kind === "number" ? `#${Math.min(text.length, 4)}` : text) & mask);
  return Uint32Array.from(buckets);
}

/** Distinct buckets of words, neighbouring words, and Chinese runs of one to three characters. */
export function gramBuckets(tokens: readonly Token[], bits: number): Uint32Array {
  const mask = (1 << bits) - 1;
  const buckets = new Set<number>();
  const said = tokens.filter((t) => t.kind === "word" || t.kind === "han" || t.kind === "number");
  for (let i = 0; i < said.length; i++) {
    const [a, b, c] = [said[i], said[i + 1], said[i + 2]];
    if (a === undefined) break;
    const one = a.kind === "number" ? `#${Math.min(a.text.length, 4)}` : a.stem;
    buckets.add(hash(one) & mask);
    if (b === undefined || a.kind !== b.kind) continue;
    if (a.kind === "word") buckets.add(hash(`${one} ${b.stem}`) & mask);
    if (a.kind === "han") {
      buckets.add(hash(a.text + b.text) & mask);
      if (c?.kind === "han") buckets.add(hash(a.text + b.text + c.text) & mask);
    }
  }
  return Uint32Array.from(buckets);
}

/** A light English stem: enough to bring plural, -ed and -ing forms of a verb together. */
export function stem(word: string): string {
  if (word.length < 5)
    return word.length > 3 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
  const cut = word.replace(/(?:ies|ied)$/, "y").replace(/(?:ing|ed|es|s)$/, "");
  return cut.length < 3 ? word : cut.replace(/e$/, "").replace(/([bdgmnprt])\1$/, "$1");
}
