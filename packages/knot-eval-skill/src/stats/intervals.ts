/** A share of n with its uncertainty. `low` and `high` are the 95 % Wilson score interval. */
export interface Rate {
  hits: number;
  n: number;
  rate: number | null;
  low: number | null;
  high: number | null;
  /** Too few to say much: under 30. */
  small_sample: boolean;
}

/** 97.5 % quantile of the standard normal distribution. */
const Z95 = 1.959963984540054;

export const SMALL_SAMPLE = 30;

/**
 * Wilson score interval for a binomial share (Wilson 1927, doi:10.1080/01621459.1927.10502953).
 *
 * @returns bounds between 0 and 1, or nulls for n = 0
 */
export function wilson(hits: number, n: number, z = Z95): { low: number | null; high: number | null } {
  if (n === 0) return { low: null, high: null };
  const p = hits / n;
  const z2 = z * z;
  const centre = p + z2 / (2 * n);
  const half = z * Math.sqrt((p * (1 - p)) / n + z2 / (4 * n * n));
  const scale = 1 + z2 / n;
  return { low: Math.max(0, (centre - half) / scale), high: Math.min(1, (centre + half) / scale) };
}

export function rateOf(hits: number, n: number): Rate {
  const { low, high } = wilson(hits, n);
  return { hits, n, rate: n === 0 ? null : hits / n, low, high, small_sample: n < SMALL_SAMPLE };
}

/** Mean of the finite values, with how many of all there were: NaN never enters a mean unseen. */
export function coveredMean(values: readonly (number | null | undefined)[]): {
  mean: number | null;
  n: number;
  total: number;
  coverage: number | null;
} {
  const finite = values.filter((v): v is number => typeof v === "number" && Number.isFinite(v));
  const total = values.length;
  return {
    mean: finite.length === 0 ? null : finite.reduce((sum, v) => sum + v, 0) / finite.length,
    n: finite.length,
    total,
    coverage: total === 0 ? null : finite.length / total,
  };
}

/** Quantile with linear interpolation between order statistics (type 7 of Hyndman and Fan 1996). */
export function quantile(values: readonly number[], q: number): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * q;
  const low = Math.floor(at);
  const a = sorted[low] ?? 0;
  const b = sorted[Math.min(low + 1, sorted.length - 1)] ?? a;
  return a + (b - a) * (at - low);
}
