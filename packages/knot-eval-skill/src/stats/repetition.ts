import type { ResultItem } from "../results/schema.ts";
import { type Rate, rateOf } from "./intervals.ts";

/** What repeated runs of the same questions say about reliability. */
export interface Repetition {
  k: number;
  questions: number;
  /** Questions passed in every one of their k scored runs (pass^k as in tau-bench, arXiv:2406.12045). */
  pass_power_k: Rate;
  /** pass^j for j = 1..k, estimated over all j-subsets of each question's runs. */
  curve: { j: number; value: number | null }[];
  /** Questions that passed in some runs and not in others. */
  flaky: { q_id: string; question: string; passed: number; runs: number }[];
}

function choose(n: number, k: number): number {
  if (k > n) return 0;
  let result = 1;
  for (let i = 1; i <= k; i++) result = (result * (n - k + i)) / i;
  return result;
}

/** Groups repeated results by question; ERROR runs do not count as failures, a question without k scored runs is left out of pass^k. */
export function repetition(items: readonly ResultItem[]): Repetition {
  const groups = new Map<string, ResultItem[]>();
  for (const item of items) {
    const id = item.key.replace(/\.\d+$/, "");
    const group = groups.get(id);
    if (group) group.push(item);
    else groups.set(id, [item]);
  }
  const k = Math.max(0, ...[...groups.values()].map((group) => group.length));
  const tallies = [...groups.values()].map((group) => {
    const scored = group.filter((item) => item.final_grade !== "ERROR");
    return {
      item: group[0] as ResultItem,
      runs: scored.length,
      passed: scored.filter((item) => item.final_grade === "PASS").length,
    };
  });
  const full = tallies.filter((t) => t.runs === k);
  const curve = Array.from({ length: k }, (_, i) => {
    const j = i + 1;
    const usable = tallies.filter((t) => t.runs >= j);
    const value =
      usable.length === 0
        ? null
        : usable.reduce((sum, t) => sum + choose(t.passed, j) / choose(t.runs, j), 0) / usable.length;
    return { j, value };
  });
  return {
    k,
    questions: groups.size,
    pass_power_k: rateOf(full.filter((t) => t.passed === k).length, full.length),
    curve,
    flaky: tallies
      .filter((t) => t.passed > 0 && t.passed < t.runs)
      .map((t) => ({ q_id: t.item.q_id, question: t.item.question, passed: t.passed, runs: t.runs })),
  };
}
