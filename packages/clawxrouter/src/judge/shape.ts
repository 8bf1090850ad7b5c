/** Features of the tier head: how the text is built, and which groups of words it holds. */
import { countGroups, GROUPS } from "./lexicon.ts";
import type { TextView, Token } from "./text.ts";

const SHAPE_FEATURES = [
  "length",
  "several sentences",
  "commas and list marks",
  "question mark",
  "quoted or pasted text",
  "code block",
  "table or log lines",
  "error trace",
  "large number",
  "small number",
  "file, path or link",
  "mathematical notation",
  "asks for very many words or pages",
  "share of Chinese",
] as const;

export const TIER_FEATURES: readonly string[] = [...SHAPE_FEATURES, ...GROUPS.map((group) => group.name)];

/** Between these a length says something of the task; what is longer is pasted material, whose size says little. */
const SHORT_CHARS = 32;
const LONG_CHARS = 150;
/** Most marks of a kind that count, for the same reason. */
const MARKS = 6;

export interface Shape {
  features: Float64Array;
  /** Number of word groups met. */
  groupsMet: number;
  isGoOn: boolean;
}

const GO_ON = GROUPS.findIndex((group) => group.name === "go on");

export function shapeOf(view: TextView, tokens: readonly Token[]): Shape {
  const { text } = view;
  const words = tokens.filter((t) => t.kind === "word").length;
  const han = tokens.filter((t) => t.kind === "han").length;
  // A Chinese character carries about as much as two Latin letters more than it shows: lengths are made comparable.
  const length = view.chars + 2 * han;
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  const has = (pattern: RegExp): number => (pattern.test(text) ? 1 : 0);
  const groups = countGroups(tokens);
  const numbers = tokens.filter((t) => t.kind === "number").map((t) => Number(t.text));
  const features = Float64Array.of(
    Math.log1p(Math.min(LONG_CHARS, Math.max(SHORT_CHARS, length))),
    Math.log1p(Math.min(MARKS, count(/[.!?。！？；;]/g))),
    Math.log1p(Math.min(MARKS, count(/[,，、:：]/g))),
    has(/[?？]/),
    has(/["“「『][^"”」』]{12}|[:：]\s?\S[^\n]{40}/),
    has(/```/),
    count(/\n/g) >= 4 ? 1 : 0,
    has(/\bat \S{1,80}\(|Traceback|Error:|Exception/),
    numbers.some((n) => n >= 11 && (n < 1_900 || n > 2_100)) ? 1 : 0,
    numbers.some((n) => n <= 10) ? 1 : 0,
    has(/~?\/\w|\w\.(?:csv|txt|md|pdf|json|xlsx?|docx?|py|ts|js|log|html)\b|https?:\/\//),
    has(/[=^√∑∫≤≥∈]|\b[a-z]\([a-z]\)|\b[xyn]\b/),
    asksForLength(text),
    han / Math.max(1, han + words),
    ...Array.from(groups, (n) => Math.log1p(n)),
  );
  const groupsMet = groups.reduce((met, n) => met + (n > 0 ? 1 : 0), 0);
  return { features, groupsMet, isGoOn: length <= 40 && (groups[GO_ON] ?? 0) > 0 && groupsMet <= 2 };
}

/** "3,000 words", "2k words", "15 pages", "五千字", "8000字", "二十页". */
function asksForLength(text: string): number {
  const pattern =
    /\b(?:\d{1,2},?\d{3}|\d{1,2}k|\d{1,3} ?-? ?pages?)\b(?: words)?|[一二三四五六七八九十两万千百\d]{2,6}(?:字|页)|万字/i;
  return pattern.test(text) ? 1 : 0;
}
