import { sameBesidesCapitals } from "../text/identity.ts";
import { type Features, features } from "./features.ts";

/** How a new item stands to one that is there already. */
export type Relation = "duplicate" | "subset" | "superset" | "conflict" | "complement" | "unrelated";

export interface Comparison {
  relation: Relation;
  /** Share of distinct content tokens in common (Jaccard), 0..1. */
  similarity: number;
  /**
   * The two certainly say the same, so that one may stand for both. Holds only when nothing but width, the kind of
   * punctuation, filler words and the capital of a sentence differs; everything less sure is left to the agent.
   */
  certain: boolean;
}

export interface Comparable {
  task: string;
  content: string;
}

/** Texts with less than this in common are about different things. */
const RELATED = 0.22;
/** From here on a difference in polarity, numbers or operators is a contradiction, not another subject. */
const SAME_SUBJECT = 0.4;
/** Polarity is the stronger sign: less in common is enough. */
const SAME_SUBJECT_OPPOSED = 0.33;
const CONTAINED = 0.88;
/** One text says so much more than the other that a negation may stand in what it adds. */
const MUCH_LONGER = 1.4;

/** Longer texts are compared by their beginnings, and are then never certain duplicates. */
const MAX_TEXT = 8_000;

/** Compares a new item (`left`) with a stored one (`right`): "left is a … of right". */
export function compare(left: Comparable, right: Comparable): Comparison {
  const [leftText, rightText] = [`${left.task}\n${left.content}`, `${right.task}\n${right.content}`];
  const whole = Math.max(leftText.length, rightText.length) <= MAX_TEXT;
  const a = features(leftText.slice(0, MAX_TEXT));
  const b = features(rightText.slice(0, MAX_TEXT));
  const shared = [...a.tokens].filter((token) => b.tokens.has(token)).length;
  const union = a.tokens.size + b.tokens.size - shared;
  const similarity = union === 0 ? (a.core === b.core ? 1 : 0) : shared / union;
  const inLeft = a.tokens.size === 0 ? 0 : shared / a.tokens.size;
  const inRight = b.tokens.size === 0 ? 0 : shared / b.tokens.size;

  const result = (relation: Relation): Comparison => ({ relation, similarity, certain: false });
  if (a.core !== "" && agree(a, b)) {
    if (sameBesidesCapitals(a.core, b.core)) return { relation: "duplicate", similarity: 1, certain: whole };
    if (a.core.toLowerCase() === b.core.toLowerCase()) return result("duplicate");
  }

  if (similarity < RELATED && Math.max(inLeft, inRight) < CONTAINED) return result("unrelated");
  const polarity = a.negated === b.negated && !opposed(a, b);
  const [less, more] = [Math.min(a.tokens.size, b.tokens.size), Math.max(a.tokens.size, b.tokens.size)];
  const longer = more >= less + 4 && more / Math.max(1, less) >= MUCH_LONGER;
  if (polarity || longer) {
    if (inLeft >= CONTAINED && inRight < CONTAINED && holds(b, a)) return result("subset");
    if (inRight >= CONTAINED && inLeft < CONTAINED && holds(a, b)) return result("superset");
  }
  if (!polarity && similarity >= SAME_SUBJECT_OPPOSED) return result("conflict");
  const sameSubject = similarity >= SAME_SUBJECT;
  if (sameSubject && (exclusive(a.numbers, b.numbers) || !equal(a.operators, b.operators)))
    return result("conflict");
  if (similarity >= 0.8 && agree(a, b) && !exchanged(a.core, b.core)) return result("duplicate");
  return result("complement");
}

/** Whether the shorter text's numbers and Latin words are all in the longer one. */
function holds(whole: Features, part: Features): boolean {
  return within(part.numbers, whole.numbers) && within(part.latin, whole.latin);
}

/** Equal polarity, and the same numbers, operators and Latin words in the same order. */
function agree(a: Features, b: Features): boolean {
  return (
    a.negated === b.negated &&
    equal(a.poles, b.poles) &&
    equal(a.numbers, b.numbers) &&
    equal(a.latin, b.latin) &&
    equal(a.operators, b.operators)
  );
}

function opposed(a: Features, b: Features): boolean {
  const only = (x: Features, y: Features) => x.poles.filter((pole) => !y.poles.includes(pole));
  const flip = (pole: string) => (pole.startsWith("+") ? `-${pole.slice(1)}` : `+${pole.slice(1)}`);
  const left = only(a, b);
  const right = only(b, a);
  return left.some((pole) => right.includes(flip(pole)));
}

/** Whether, between what the texts begin and end with, each says something that is not in the other (去年/今年, 甲/乙). */
function exchanged(a: string, b: string): boolean {
  const [x, y] = [Array.from(a.toLowerCase()), Array.from(b.toLowerCase())];
  let start = 0;
  while (start < x.length && start < y.length && x[start] === y[start]) start += 1;
  let end = 0;
  while (end < x.length - start && end < y.length - start && x.at(-1 - end) === y.at(-1 - end)) end += 1;
  const says = (text: string[]) => /[\p{L}\p{N}]/u.test(text.slice(start, text.length - end).join(""));
  return says(x) && says(y);
}

/** Each names something that the other does not. */
function exclusive(a: readonly string[], b: readonly string[]): boolean {
  return a.some((x) => !b.includes(x)) && b.some((x) => !a.includes(x));
}

function within(part: readonly string[], whole: readonly string[]): boolean {
  return part.every((x) => whole.includes(x));
}

function equal(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((x, i) => x === b[i]);
}
