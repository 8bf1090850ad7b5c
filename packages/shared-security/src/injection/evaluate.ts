import { addTo, type ConceptSet, has, intersects } from "./concepts.ts";
import type { Hits } from "./hits.ts";
import { type CompiledRule, IGNORE } from "./rules/index.ts";

/** A rule that held: positions in the folded text. */
export interface Match {
  rule: CompiledRule;
  start: number;
  end: number;
  /** 1, or less where the text speaks about the attack instead of making it. */
  factor: number;
}

interface Sentence {
  /** Hits `[from, to)`. */
  from: number;
  to: number;
  start: number;
  end: number;
  concepts: ConceptSet;
}

/** Hits further apart than this never belong together, full stop or not. */
const MAX_SENTENCE = 400;
/** Hits of one sentence that are looked at: more is a flood of key words, which says no more than these. */
const MAX_HITS = 96;
/** Sentences on each side that `around` sees. */
const REACH = 2;
const MAX_MATCHES = 200;
/** Places of one sentence at which one rule is tried. */
const MAX_ANCHORS = 16;

/** `.` and `?` end a sentence only before a space; CJK marks and blank lines always do. */
function endsSentence(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code === 46 || code === 33 || code === 63) {
    const next = at + 1 < text.length ? text.charCodeAt(at + 1) : 32;
    return next <= 32 || next === 34 || next === 39 || next > 0x2000;
  }
  if (code === 10) return text.charCodeAt(at + 1) === 10 || text.charCodeAt(at + 2) === 10;
  return code === 0x3002 || code === 0x0964 || code === 0x061f || code === 0x06d4;
}

function sentences(text: string, hits: Hits): Sentence[] {
  const found: Sentence[] = [];
  let current: Sentence | undefined;
  let scanned = 0;
  let sentenceStart = 0;
  for (let i = 0; i < hits.count; i++) {
    const start = hits.start[i] as number;
    let ended = false;
    for (; scanned < start; scanned++) {
      if (endsSentence(text, scanned)) {
        ended = true;
        sentenceStart = scanned + 1;
      }
    }
    const end = hits.end[i] as number;
    if (!current || ended || start - current.start > MAX_SENTENCE || i - current.from >= MAX_HITS) {
      current = {
        from: i,
        to: i,
        start: current && !ended ? start : sentenceStart,
        end,
        concepts: { low: 0, high: 0 },
      };
      found.push(current);
    }
    current.to = i + 1;
    if (end > current.end) current.end = end;
    addTo(current.concepts, hits.concept[i] as number);
  }
  return found;
}

/** All matches of the rules among the hits, at most one a rule and sentence. Linear in the number of hits. */
export function evaluate(
  text: string,
  hits: Hits,
  rules: readonly CompiledRule[],
  meta: ConceptSet,
): Match[] {
  const matches: Match[] = [];
  if (hits.count === 0) return matches;
  const list = sentences(text, hits);
  for (let s = 0; s < list.length && matches.length < MAX_MATCHES; s++) {
    const sentence = list[s] as Sentence;
    let wide: ConceptSet | undefined;
    for (const rule of rules) {
      if (!all(rule.near, sentence.concepts) || intersects(rule.unless, sentence.concepts)) continue;
      if (rule.embedded && (sentence.end - sentence.start) * 2 > text.length) continue;
      if (rule.around.length > 0) {
        wide ??= union(list, s);
        if (!all(rule.around, wide)) continue;
      }
      const span = closest(text, hits, sentence, rule);
      if (span)
        matches.push({ rule, start: span[0], end: span[1], factor: factorOf(text, span, sentence, meta) });
    }
  }
  return matches;
}

function all(groups: readonly ConceptSet[], concepts: ConceptSet): boolean {
  for (const group of groups) if (!intersects(group, concepts)) return false;
  return true;
}

function union(list: readonly Sentence[], at: number): ConceptSet {
  const set: ConceptSet = { low: 0, high: 0 };
  for (let i = Math.max(0, at - REACH); i <= Math.min(list.length - 1, at + REACH); i++) {
    const concepts = (list[i] as Sentence).concepts;
    set.low |= concepts.low;
    set.high |= concepts.high;
  }
  return set;
}

/** The first place of a sentence where a rule's groups stand close enough together. */
function closest(
  text: string,
  hits: Hits,
  sentence: Sentence,
  rule: CompiledRule,
): [number, number] | undefined {
  const [anchor, ...others] = rule.near as [ConceptSet, ...ConceptSet[]];
  let tried = 0;
  for (let i = sentence.from; i < sentence.to; i++) {
    if (!has(anchor, hits.concept[i] as number)) continue;
    let start = hits.start[i] as number;
    let end = hits.end[i] as number;
    if (rule.opens && !opens(text, sentence.start, start)) continue;
    if (hits.concept[i] === IGNORE && negated(text, start)) continue;
    if (++tried > MAX_ANCHORS) return undefined;
    let complete = true;
    let second = -1;
    for (const group of others) {
      const partner = nearest(text, hits, sentence, i, group, rule);
      if (partner >= 0 && second < 0) second = partner;
      if (partner < 0 || (rule.tight < 200 && !within(hits, sentence, second, group, rule.tight))) {
        complete = false;
        break;
      }
      start = Math.min(start, hits.start[partner] as number);
      end = Math.max(end, hits.end[partner] as number);
    }
    if (complete) return [start, end];
  }
  return undefined;
}

/** Whether a hit of `group` stands within `limit` characters of hit `at` (which may itself belong to it). */
function within(hits: Hits, sentence: Sentence, at: number, group: ConceptSet, limit: number): boolean {
  const start = hits.start[at] as number;
  const end = hits.end[at] as number;
  for (let j = sentence.from; j < sentence.to; j++) {
    if ((hits.start[j] as number) - end > limit) break;
    if (start - (hits.end[j] as number) <= limit && has(group, hits.concept[j] as number)) return true;
  }
  return false;
}

/** CJK and kana say in one character what takes a word elsewhere. */
function reach(text: string, at: number, limit: number): number {
  const code = text.charCodeAt(at);
  return code >= 0x2e80 && code < 0xac00
    ? limit / 2.5
    : code >= 0xac00 && code < 0xd7b0
      ? limit / 1.5
      : limit;
}

function nearest(
  text: string,
  hits: Hits,
  sentence: Sentence,
  from: number,
  group: ConceptSet,
  rule: CompiledRule,
): number {
  const start = hits.start[from] as number;
  const end = hits.end[from] as number;
  // One phrase may carry two ideas ("let's say" holds "say"), but must not vouch for itself.
  const fits = (j: number) =>
    has(group, hits.concept[j] as number) &&
    !((hits.start[j] as number) >= start && (hits.end[j] as number) <= end);
  let best = -1;
  let bestGap = reach(text, start, rule.within);
  for (let j = from + 1; j < sentence.to; j++) {
    const gap = (hits.start[j] as number) - end;
    if (gap > bestGap) break;
    if (!fits(j)) continue;
    best = j;
    bestGap = Math.max(gap, 0);
    break;
  }
  if (rule.follows) return best;
  for (let j = from - 1; j >= sentence.from; j--) {
    // Starts are sorted, ends nearly so (an entry is at most 64 long).
    if (start - (hits.start[j] as number) > bestGap + 64) break;
    if (start - (hits.end[j] as number) <= bestGap && fits(j)) return j;
  }
  return best;
}

const NEGATION =
  /(?:n't|not|never|not to|nicht|kein|не|no|não|nao|non|ne|jamais|不要|不能|不可|不得|别|勿|请勿|切勿|不应|khong|dung|jangan|huwag)\s?(?:ever |simply |just )?$/;
/** "Est ignoré": accents are folded away, so that a participle reads like an imperative. */
const PASSIVE =
  /(?:\best|\bsera|\bsont|\bseront|\betre|\bete|\bis|\bare|\bbe|\bwird|\bwerden|\bes|\bson|\bfoi|\bsido|\bfue|被|会被)\s?$/;

/** "Don't ignore the instructions" is the opposite of an attack. */
function negated(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 16), at);
  return NEGATION.test(before) || PASSIVE.test(before);
}

/** Only a comment mark, a bullet, a quote or a word of courtesy may stand before what opens a sentence or a line. */
function opens(text: string, sentenceStart: number, at: number): boolean {
  const from = Math.max(sentenceStart, text.lastIndexOf("\n", at - 1) + 1);
  if (at - from > 40) return false;
  return !/[\p{L}\p{N}]/u.test(
    text.slice(from, at).replace(/^\W*(?:please|also|now|then|and|finally)\b/, ""),
  );
}

const OPENING = /["'“‘«「『`(]\s?$/u;
const CLOSING = /^[.,!?]?\s?["'”’»」』`)]/u;

/** Quoted and spoken about ("the phrase 'ignore previous instructions' is an attack"): a mention, not an attempt. */
function factorOf(
  text: string,
  span: readonly [number, number],
  sentence: Sentence,
  meta: ConceptSet,
): number {
  if (!intersects(meta, sentence.concepts)) return 1;
  const quoted =
    OPENING.test(text.slice(Math.max(0, span[0] - 3), span[0])) &&
    CLOSING.test(text.slice(span[1], span[1] + 3));
  return quoted ? 0.3 : 1;
}
