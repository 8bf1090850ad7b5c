import { quantile } from "./intervals.ts";
import { seededRandom } from "./random.ts";

/** log(n!) by Stirling's series above 20, exact below. */
function logFactorial(n: number): number {
  if (n < 20) {
    let sum = 0;
    for (let i = 2; i <= n; i++) sum += Math.log(i);
    return sum;
  }
  return n * Math.log(n) - n + 0.5 * Math.log(2 * Math.PI * n) + 1 / (12 * n) - 1 / (360 * n ** 3);
}

/**
 * Exact two-sided McNemar test (binomial with p = 1/2 on the discordant pairs; McNemar 1947).
 *
 * @param gained pairs that changed from not passed to passed
 * @param lost pairs that changed from passed to not passed
 * @returns p-value, 1 without any discordant pair
 */
export function mcnemarExact(gained: number, lost: number): number {
  const n = gained + lost;
  if (n === 0) return 1;
  const low = Math.min(gained, lost);
  let tail = 0;
  for (let k = 0; k <= low; k++)
    tail += Math.exp(logFactorial(n) - logFactorial(k) - logFactorial(n - k) - n * Math.LN2);
  return Math.min(1, 2 * tail);
}

/**
 * Paired bootstrap, percentile interval (Efron 1979): resamples the questions, keeping each question's old and
 * new value together.
 *
 * @param differences new minus old, one a question
 * @returns 95 % interval of the mean difference, null without data
 */
export function pairedBootstrap(
  differences: readonly number[],
  options: { resamples?: number; seed?: number } = {},
): { low: number; high: number } | null {
  const n = differences.length;
  if (n === 0) return null;
  const random = seededRandom(options.seed ?? 7);
  const means: number[] = [];
  for (let r = 0; r < (options.resamples ?? 5_000); r++) {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += differences[Math.floor(random() * n)] ?? 0;
    means.push(sum / n);
  }
  return { low: quantile(means, 0.025) ?? 0, high: quantile(means, 0.975) ?? 0 };
}
