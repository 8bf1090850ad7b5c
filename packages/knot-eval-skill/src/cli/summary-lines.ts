import type { Rate } from "../stats/intervals.ts";
import type { Summary } from "../stats/summary.ts";

function pct(value: number | null): string {
  return value === null ? "—" : `${(value * 100).toFixed(1)} %`;
}

function rate(r: Rate): string {
  return `${pct(r.rate)} (${r.hits} of ${r.n}, 95 % CI ${pct(r.low)} to ${pct(r.high)})`;
}

/** A run in a few lines for the terminal. */
export function summaryLines(summary: Summary): string[] {
  const lines = [
    `coverage      ${summary.scored} scored of ${summary.total}`,
    `PASS          ${rate(summary.pass)}`,
    `PARTIAL/FAIL  ${summary.partial.hits} / ${summary.fail.hits}`,
    `keyword rate  ${pct(summary.keyword_rate.mean)}`,
    `document hit  ${rate(summary.doc_hit)}`,
    `latency       p50 ${Math.round(summary.latency_ms.p50 ?? 0)} ms, p95 ${Math.round(summary.latency_ms.p95 ?? 0)} ms`,
  ];
  if (summary.repetition)
    lines.push(
      `pass^${summary.repetition.k}        ${rate(summary.repetition.pass_power_k)}, ${summary.repetition.flaky.length} flaky`,
    );
  if (summary.pass.small_sample)
    lines.push(`note          fewer than 30 scored questions: the interval is wide`);
  return lines;
}
