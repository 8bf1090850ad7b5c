import type { ResultItem, ResultsFile } from "../results/schema.ts";
import { ATTRIBUTIONS } from "../scoring/attribution.ts";
import { LAYERS } from "../scoring/matcher.ts";
import { type Confusion, confusion } from "./agreement.ts";
import { coveredMean, quantile, type Rate, rateOf } from "./intervals.ts";
import { type Repetition, repetition } from "./repetition.ts";

export interface Latency {
  p50: number | null;
  p90: number | null;
  p95: number | null;
  mean: number | null;
  n: number;
}

/** Everything the reports say about a run, computed from its results. */
export interface Summary {
  total: number;
  scored: number;
  errors: number;
  /** Scored of all; the quality figures below speak about the scored ones only. */
  coverage: Rate;
  pass: Rate;
  partial: Rate;
  fail: Rate;
  keyword_rate: { mean: number | null; n: number; total: number; coverage: number | null };
  doc_hit: Rate;
  hallucination: Rate;
  reviewed: number;
  flipped: number;
  attributions: { code: string; count: number; share: number }[];
  layers: { layer: string; count: number }[];
  latency_ms: Latency;
  first_token_ms: Latency;
  tokens: {
    input: number;
    output: number;
    total: number;
    n: number;
    per_question: number | null;
    per_pass: number | null;
  };
  cost: {
    currency: string | null;
    total: number | null;
    per_question: number | null;
    per_pass: number | null;
  };
  by_category: { name: string; total: number; scored: number; pass: Rate; keyword_rate: number | null }[];
  by_document: { name: string; total: number; scored: number; pass: Rate; doc_hit: Rate }[];
  review: Confusion;
  repetition: Repetition | null;
  error_kinds: { message: string; count: number }[];
}

function latency(values: readonly (number | null)[]): Latency {
  const finite = values.filter((v): v is number => v !== null && Number.isFinite(v));
  return {
    p50: quantile(finite, 0.5),
    p90: quantile(finite, 0.9),
    p95: quantile(finite, 0.95),
    mean: coveredMean(finite).mean,
    n: finite.length,
  };
}

function groupBy(
  items: readonly ResultItem[],
  keyOf: (item: ResultItem) => string[],
): [string, ResultItem[]][] {
  const groups = new Map<string, ResultItem[]>();
  for (const item of items) {
    for (const key of keyOf(item)) {
      const group = groups.get(key);
      if (group) group.push(item);
      else groups.set(key, [item]);
    }
  }
  return [...groups];
}

const isScored = (item: ResultItem) => item.final_grade !== "ERROR";
const countGrade = (items: readonly ResultItem[], grade: string) =>
  items.filter((item) => item.final_grade === grade).length;

/** Error messages with numbers folded, so that equal causes count together. */
function errorKinds(items: readonly ResultItem[]): Summary["error_kinds"] {
  const groups = groupBy(
    items.filter((item) => item.error !== null),
    (item) => [(item.error ?? "").replace(/\d{4,}/g, "#").slice(0, 160)],
  );
  return groups
    .map(([message, list]) => ({ message, count: list.length }))
    .sort((a, b) => b.count - a.count)
    .slice(0, 20);
}

/** Summarises a result file. Errors are counted apart and enter no quality figure. */
export function summarise(results: ResultsFile): Summary {
  const { items } = results;
  const scored = items.filter(isScored);
  const n = scored.length;
  const passes = countGrade(scored, "PASS");
  const withDocs = scored.filter((item) => item.doc_hit !== null);
  const reviewed = scored.filter((item) => item.ai_review !== null);
  const failing = scored.filter((item) => item.final_attribution !== null);
  const used = items.flatMap((item) => (item.usage ? [item.usage] : []));
  const tokenTotal = used.reduce((sum, u) => sum + u.total, 0);
  const costs = items.flatMap((item) => (item.cost === null ? [] : [item.cost]));
  const costTotal = costs.length === 0 ? null : costs.reduce((sum, c) => sum + c, 0);
  return {
    total: items.length,
    scored: n,
    errors: items.length - n,
    coverage: rateOf(n, items.length),
    pass: rateOf(passes, n),
    partial: rateOf(countGrade(scored, "PARTIAL"), n),
    fail: rateOf(countGrade(scored, "FAIL"), n),
    keyword_rate: coveredMean(items.map((item) => (isScored(item) ? item.keyword_rate : null))),
    doc_hit: rateOf(withDocs.filter((item) => item.doc_hit).length, withDocs.length),
    hallucination: rateOf(reviewed.filter((item) => item.ai_review?.hallucination).length, reviewed.length),
    reviewed: reviewed.length,
    flipped: reviewed.filter((item) => item.final_grade !== item.auto_grade).length,
    attributions: ATTRIBUTIONS.map((code) => {
      const count = failing.filter((item) => item.final_attribution === code).length;
      return { code, count, share: failing.length === 0 ? 0 : count / failing.length };
    }),
    layers: LAYERS.map((layer) => ({
      layer,
      count: scored.reduce((sum, item) => sum + item.keyword_hits.filter((h) => h.layer === layer).length, 0),
    })),
    latency_ms: latency(scored.map((item) => item.latency_ms)),
    first_token_ms: latency(scored.map((item) => item.first_token_ms)),
    tokens: {
      input: used.reduce((sum, u) => sum + u.input, 0),
      output: used.reduce((sum, u) => sum + u.output, 0),
      total: tokenTotal,
      n: used.length,
      per_question: used.length === 0 ? null : tokenTotal / used.length,
      per_pass: used.length === 0 || passes === 0 ? null : tokenTotal / passes,
    },
    cost: {
      currency: results.currency,
      total: costTotal,
      per_question: costTotal === null ? null : costTotal / costs.length,
      per_pass: costTotal === null || passes === 0 ? null : costTotal / passes,
    },
    by_category: groupBy(items, (item) => (item.category ? [item.category] : [])).map(([name, list]) => {
      const good = list.filter(isScored);
      return {
        name,
        total: list.length,
        scored: good.length,
        pass: rateOf(countGrade(good, "PASS"), good.length),
        keyword_rate: coveredMean(good.map((i) => i.keyword_rate)).mean,
      };
    }),
    by_document: groupBy(items, (item) => [...new Set(item.expected_docs)]).map(([name, list]) => {
      const good = list.filter(isScored);
      const hits = good.filter((item) => item.doc_hits.some((hit) => hit.doc === name)).length;
      return {
        name,
        total: list.length,
        scored: good.length,
        pass: rateOf(countGrade(good, "PASS"), good.length),
        doc_hit: rateOf(hits, good.length),
      };
    }),
    review: confusion(
      reviewed.map((item) => [item.auto_grade, item.final_grade] as const),
      ["PASS", "PARTIAL", "FAIL"],
    ),
    repetition: results.repeat > 1 ? repetition(items) : null,
    error_kinds: errorKinds(items),
  };
}
