import type { Canonical } from "./canonical.ts";
import { isCjk, isWordChar } from "./fold.ts";
import { holdsNegation } from "./negation.ts";
import { END, NUM, UNIT } from "./tokens.ts";

/** A keyword cut into the pieces that must all be near each other in the answer. */
export interface Fragments {
  pieces: string[];
  /** False when the keyword is a list (A、B 和 C): its pieces may come in any order. */
  ordered: boolean;
}

interface Found {
  start: number;
  end: number;
}

const segmenter = new Intl.Segmenter("zh", { granularity: "word" });

const LIST_SPLIT = /[、,，;；/|\n]|(?<=\p{Script=Han})[和与及或](?=\p{Script=Han})|\s(?:and|or)\s|以及|或者/u;

const NEGATING = /^(?:不|没|没有|未|无|非|勿|禁止|无法|无需|并非)$/;

/** Stop-word characters that the segmenter returns as words of their own. */
const FUNCTION_WORDS = new Set(
  "的 了 是 在 和 与 及 或 为 地 得 之 于 其 该 此 以 并 而 也 就 由 从 向 至 到 对 把 被 将 会 能 可 需 有 个 等 您 你 请 可以 需要 进行 以及 或者 通过 应 应该 应当 必须 the an of to is are and or for in on by with".split(
    " ",
  ),
);

function words(text: string): string[] {
  const out: string[] = [];
  // Number tokens with their unit are one word; everything else is segmented.
  for (const part of text.split(/([≤≥<>=≠]?\ue001[^\ue002]*\ue002(?:\ue003[^\ue004]*\ue004)?)/)) {
    if (part.includes(NUM)) {
      out.push(part);
      continue;
    }
    for (const { segment, isWordLike } of segmenter.segment(part)) {
      if (isWordLike) out.push(segment);
    }
  }
  return out;
}

/** Glues a negator to the word after it, so that it can never be matched somewhere else. */
function withNegatorsAttached(list: string[]): string[] {
  const out: string[] = [];
  for (let i = 0; i < list.length; i++) {
    const word = list[i] ?? "";
    if (NEGATING.test(word) && i + 1 < list.length) {
      out.push(word + (list[i + 1] ?? ""));
      i += 1;
    } else out.push(word);
  }
  return out;
}

/** Cuts a keyword: at its list marks when it is a list, else into words. */
export function fragmentsOf(keyword: Canonical): Fragments {
  const text = keyword.base.text.trim();
  const items = text
    .split(LIST_SPLIT)
    .map((item) => item.trim())
    .filter((item) => item.length >= 2);
  if (items.length >= 2 && items.every((item) => words(item).length > 0)) {
    return { pieces: items.map((item) => item.replace(/^[\s"'()*]+|[\s"'()*]+$/g, "")), ordered: false };
  }
  const pieces = withNegatorsAttached(words(text)).filter((word) => !FUNCTION_WORDS.has(word));
  return { pieces, ordered: true };
}

function pieceAt(text: string, piece: string, from: number, to: number): Found | undefined {
  // Only the region itself is searched: a piece that is nowhere near must not cost a walk to the end each time.
  const region = to >= text.length ? text : text.slice(0, to + piece.length - 1);
  for (let at = region.indexOf(piece, from); at >= 0; at = region.indexOf(piece, at + 1)) {
    const end = at + piece.length;
    const first = piece[0];
    const last = piece.at(-1);
    if (isWordChar(first) && isWordChar(text[at - 1])) continue;
    if (isWordChar(last) && isWordChar(text[end]) && !/^e?s(?![a-z])/.test(text.slice(end, end + 3)))
      continue;
    if (last === END && isWordChar(text[end]) && text[end] !== UNIT) continue;
    return { start: at, end };
  }
  return undefined;
}

const SENTENCE_END = /[。！？!?;；]|\n\s*\n|\.\s/;

/** Characters that may stand between two neighbouring pieces of an ordered keyword. */
const MAX_GAP = 8;

function ordered(pieces: string[], text: string, window: number, needed: number): Found[] | undefined {
  const [head, ...rest] = pieces;
  if (head === undefined) return undefined;
  for (let from = 0; ; ) {
    const first = pieceAt(text, head, from, text.length);
    if (!first) return undefined;
    from = first.start + 1;
    const found = [first];
    let last = first;
    for (const piece of rest) {
      const next = pieceAt(text, piece, last.end, Math.min(text.length, first.start + window));
      if (!next) continue;
      const gap = text.slice(last.end, next.start);
      if (gap.length > MAX_GAP || SENTENCE_END.test(gap) || holdsNegation(gap)) continue;
      found.push(next);
      last = next;
    }
    if (found.length >= needed) return found;
  }
}

function unordered(pieces: string[], text: string, window: number, needed: number): Found[] | undefined {
  for (const anchor of pieces) {
    for (let from = 0; ; ) {
      const first = pieceAt(text, anchor, from, text.length);
      if (!first) break;
      from = first.start + 1;
      const low = Math.max(0, first.start - window);
      const high = Math.min(text.length, first.end + window);
      const found: Found[] = [];
      for (const piece of pieces) {
        const at = piece === anchor ? first : nearest(text, piece, low, high, first.start);
        if (at) found.push(at);
      }
      if (found.length >= needed) {
        found.sort((a, b) => a.start - b.start);
        const gapsClean = found.every(
          (f, i) => i === 0 || !holdsNegation(text.slice(found[i - 1]?.end ?? 0, f.start)),
        );
        if (gapsClean) return found;
      }
    }
  }
  return undefined;
}

function nearest(text: string, piece: string, low: number, high: number, anchor: number): Found | undefined {
  let best: Found | undefined;
  for (let from = low; ; ) {
    const found = pieceAt(text, piece, from, high);
    if (!found) return best;
    if (!best || Math.abs(found.start - anchor) < Math.abs(best.start - anchor)) best = found;
    from = found.start + 1;
  }
}

/**
 * Layer 4: all pieces near each other in one sentence (list items: near each other).
 *
 * @returns the pieces' places in the canonical answer, or undefined
 */
export function findFragments(
  fragments: Fragments,
  answer: Canonical,
  options: { minShare: number; windowChars: number },
): Found[] | undefined {
  const { pieces } = fragments;
  if (pieces.length < 2) return undefined;
  // Single Han characters carry too little on their own; with them the pieces must stay in order and complete.
  const weak = pieces.some((piece) => piece.length === 1 && isCjk(piece));
  const needed = weak ? pieces.length : Math.max(2, Math.ceil(pieces.length * options.minShare));
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const window = Math.max(options.windowChars, length * 3);
  const { text } = answer.base;
  return fragments.ordered ? ordered(pieces, text, window, needed) : unordered(pieces, text, window, needed);
}
