/**
 * The shape of a question with one right answer: stem, choices, figures, symbols. Features of the strong-or-weak score,
 * which was learned on exam questions and school mathematics.
 */
import type { TextView } from "./text.ts";

export const EXAM_FEATURES = [
  "length",
  "length of the question",
  "length of the choices",
  "has choices",
  "choices are figures",
  "numbers",
  "mathematical signs",
  "share of digits",
  "word length",
  "long words",
  "negated",
  "negated in capitals",
  "combined statements",
  "ends with a question mark",
  "blank to fill",
  "sentences",
  "capitals",
  "commas",
  "quotation marks",
  "choices differ in length",
  "asks which or who",
  "asks how many",
  "asks true or false",
  "signs outside ASCII",
  "all or none of the above",
  "years",
  "percentages",
  "prices",
  "conditions",
  "passage to read",
] as const;

/** Longest choice that is looked at as a figure. */
const FIGURE_CHARS = 40;
const CHOICE = /^[A-J][.)] /;

export interface Exam {
  features: Float64Array;
  /** Multiple choice, or a short problem in words that asks for a number. */
  isQuestion: boolean;
}

export function examOf({ text, chars }: TextView): Exam {
  const firstChoice = text.search(/\n[A-J][.)] /);
  const choices =
    firstChoice < 0
      ? []
      : text
          .split("\n")
          .filter((line) => CHOICE.test(line))
          .map((line) => line.slice(3));
  const stemText = firstChoice > 0 ? text.slice(0, firstChoice) : text;
  const words = stemText.match(/[A-Za-z]+/g) ?? [];
  const lengths = choices.map((choice) => choice.length);
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  const has = (pattern: RegExp, where = stemText): number => (pattern.test(where) ? 1 : 0);
  const numbers = count(/\d+/g);
  const size = Math.max(1, text.length);
  const asksHowMany = has(/\bhow (?:many|much|far|long|old|fast|tall)\b/i);
  const features = Float64Array.of(
    Math.log1p(chars),
    Math.log1p(stemText.length),
    Math.log1p(mean(lengths)),
    choices.length > 0 ? 1 : 0,
    choices.filter((c) => c.length <= FIGURE_CHARS && /^[\s$£€-]*[\d.,]+\s*\S{0,4}$/.test(c.trim())).length,
    Math.log1p(numbers),
    Math.log1p(count(/[=+*^<>∈∀√∫∑πθ×÷]/g)),
    count(/\d/g) / size,
    mean(words.map((word) => word.length)),
    words.filter((word) => word.length >= 8).length / Math.max(1, words.length),
    has(/\b(?:not|except|least|incorrect|false|never)\b/i),
    has(/\b(?:EXCEPT|NOT)\b/),
    has(/\n\s{0,8}I{1,3}\.|Statement [12]|\bI and II\b/, text),
    has(/\?$/, stemText.trimEnd()),
    has(/__/, text),
    Math.log1p(stemText.split(/[.?!]\s/).length),
    count(/[A-Z]/g) / size,
    Math.log1p(count(/,/g)),
    Math.log1p(count(/"/g)),
    lengths.length === 0 ? 0 : Math.log1p(Math.max(...lengths) - Math.min(...lengths)),
    has(/\b(?:which|what|who|when|where)\b/i),
    has(/\bhow (?:many|much)\b/i),
    has(/\b(?:true|false)\b/i, text),
    has(/[\u0080-\uffff]/, text),
    has(/\b(?:all|none|both) of (?:the above|these)\b/i, text),
    has(/\bcentury\b|\b(?:1[89]|20)\d\d\b/, text),
    has(/%|percent/, text),
    has(/\$\d/, text),
    has(/\b(?:if|suppose|let|assume|given)\b/i),
    has(/^This question|following (?:passage|information|excerpt)/i, text),
  );
  const isQuestion =
    choices.length >= 3 ||
    (asksHowMany === 1 && numbers >= 2 && chars >= 60 && chars <= 1_500 && words.length >= 15);
  return { features, isQuestion };
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
