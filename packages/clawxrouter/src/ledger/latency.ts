/** Latencies as histograms: buckets 10 % wide, so that sums of hours give percentiles of any range. */
import type { LatencySummary } from "./rows.ts";

const SMALLEST_MS = 0.01;
const GROWTH = Math.log(1.1);
const LAST = 200;

/** Number of the bucket whose upper bound is the first not below `ms`. */
export function bucketOf(ms: number): number {
  if (!(ms > SMALLEST_MS)) return 0;
  return Math.min(LAST, Math.ceil(Math.log(ms / SMALLEST_MS) / GROWTH));
}

/** Upper bound of a bucket in milliseconds. */
export function boundOf(bucket: number): number {
  return SMALLEST_MS * 1.1 ** bucket;
}

/** @param buckets sorted by `bucket` */
export function summarise(
  buckets: readonly { bucket: number; n: number; total: number; max: number }[],
): LatencySummary | undefined {
  const n = buckets.reduce((sum, row) => sum + row.n, 0);
  if (n === 0) return undefined;
  const max = Math.max(...buckets.map((row) => row.max));
  const at = (share: number) => {
    let left = Math.ceil(n * share);
    for (const row of buckets) {
      left -= row.n;
      if (left <= 0) return Math.min(max, boundOf(row.bucket));
    }
    return max;
  };
  const total = buckets.reduce((sum, row) => sum + row.total, 0);
  return { n, meanMs: total / n, p50Ms: at(0.5), p95Ms: at(0.95), maxMs: max };
}
