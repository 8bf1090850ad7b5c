import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { confusion } from "./agreement.ts";
import { coveredMean, quantile, rateOf, wilson } from "./intervals.ts";
import { mcnemarExact, pairedBootstrap } from "./paired.ts";
import { seededRandom } from "./random.ts";

describe("Wilson interval", () => {
  // Reference values: statsmodels proportion_confint(method="wilson").
  it.each([
    [8, 10, 0.49016, 0.94332],
    [0, 10, 0, 0.27753],
    [10, 10, 0.72247, 1],
    [28, 31, 0.75101, 0.96654],
  ])("%i of %i", (hits, n, low, high) => {
    expect(wilson(hits, n).low).toBeCloseTo(low, 4);
    expect(wilson(hits, n).high).toBeCloseTo(high, 4);
  });

  it("holds the share and stays in 0..1 (property)", () => {
    fc.assert(
      fc.property(fc.nat(500), fc.nat(500), (a, b) => {
        const n = a + b;
        const { low, high } = wilson(a, n);
        if (n === 0) return low === null && high === null;
        return (
          low !== null &&
          high !== null &&
          low >= 0 &&
          high <= 1 &&
          low <= a / n + 1e-12 &&
          high >= a / n - 1e-12
        );
      }),
    );
  });

  it("warns under 30", () => {
    expect(rateOf(1, 29).small_sample).toBe(true);
    expect(rateOf(1, 30).small_sample).toBe(false);
    expect(rateOf(0, 0).rate).toBeNull();
  });
});

describe("kappa", () => {
  it("gives Cohen's textbook value", () => {
    // 20 yes/yes, 5 yes/no, 10 no/yes, 15 no/no: kappa 0.4
    const pairs = [
      ...Array(20).fill(["y", "y"]),
      ...Array(5).fill(["y", "n"]),
      ...Array(10).fill(["n", "y"]),
      ...Array(15).fill(["n", "n"]),
    ] as [string, string][];
    const result = confusion(pairs, ["y", "n"]);
    expect(result.matrix).toEqual([
      [20, 5],
      [10, 15],
    ]);
    expect(result.agreement).toBeCloseTo(0.7, 10);
    expect(result.kappa).toBeCloseTo(0.4, 10);
  });

  it("is null without data or without variation", () => {
    expect(confusion([], ["a"]).kappa).toBeNull();
    expect(confusion([["a", "a"]], ["a", "b"]).kappa).toBeNull();
  });
});

describe("McNemar", () => {
  // Python: min(1, 2 * sum(comb(n, i) for i in range(min + 1)) / 2**n)
  it.each([
    [0, 0, 1],
    [5, 5, 1],
    [1, 9, 0.02148438],
    [0, 6, 0.03125],
    [12, 30, 0.0079159],
    [150, 200, 0.00872],
  ])("%i gained, %i lost: p = %f", (gained, lost, p) => {
    expect(mcnemarExact(gained, lost)).toBeCloseTo(p, 4);
    expect(mcnemarExact(lost, gained)).toBeCloseTo(p, 4);
  });
});

describe("bootstrap and quantiles", () => {
  it("is reproducible and holds the mean", () => {
    const differences = [...Array(30).fill(1), ...Array(60).fill(0), ...Array(10).fill(-1)] as number[];
    const interval = pairedBootstrap(differences, { seed: 3 });
    expect(pairedBootstrap(differences, { seed: 3 })).toEqual(interval);
    expect(interval?.low).toBeGreaterThan(0.05);
    expect(interval?.high).toBeLessThan(0.35);
    expect(pairedBootstrap([])).toBeNull();
  });

  it("interpolates as numpy does", () => {
    expect(quantile([1, 2, 3, 4], 0.5)).toBe(2.5);
    expect(quantile([10, 20, 30], 0.9)).toBeCloseTo(28, 10);
    expect(quantile([], 0.5)).toBeNull();
  });

  it("never lets NaN into a mean", () => {
    expect(coveredMean([1, Number.NaN, null, 0.5])).toEqual({ mean: 0.75, n: 2, total: 4, coverage: 0.5 });
  });

  it("draws evenly", () => {
    const random = seededRandom(42);
    const mean = Array.from({ length: 20_000 }, random).reduce((a, b) => a + b, 0) / 20_000;
    expect(mean).toBeCloseTo(0.5, 1);
  });
});
