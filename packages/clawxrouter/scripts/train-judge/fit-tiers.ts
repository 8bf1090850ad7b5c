/** Trains the tier head: multinomial logistic regression on word groups, shape and n-grams. */
import { TIERS, type Tier } from "../../src/config-file/schema.ts";
import { packWeights, softmax, unpackWeights } from "../../src/judge/linear.ts";
import type { ModelFile, TierModel } from "../../src/judge/model.ts";
import { shapeOf, TIER_FEATURES } from "../../src/judge/shape.ts";
import { gramBuckets, tokensOf, viewOf } from "../../src/judge/text.ts";
import { scoreTiers, standardise } from "../../src/judge/tier-head.ts";
import { foldOf, type Graded, random, shuffled } from "./data.ts";

export interface TierExample extends Graded {
  features: Float64Array;
  buckets: Uint32Array;
}

/** `both`: two heads, each trained alone so that neither leans on the other, their scores added. */
export type TierVariant = "grams" | "groups" | "both";

export const TIER_BITS = 13;
/** Weight of the n-gram head's scores beside the group head's 1. */
const GRAM_WEIGHT = 2;
const OPTIONS = { l2Features: 0.01, l2Grams: 0.002, rate: 0.05, epochs: 60, seed: 7 };

export function tierExamples(prompts: readonly Graded[]): TierExample[] {
  return prompts.map((p) => {
    const view = viewOf(p.prompt);
    const tokens = tokensOf(view.text);
    return { ...p, features: shapeOf(view, tokens).features, buckets: gramBuckets(tokens, TIER_BITS) };
  });
}

/** As it will be read from the file: n-gram weights as bytes, the others with four digits. */
export function fitTiers(
  train: readonly TierExample[],
  variant: TierVariant = "both",
  sharpness = 1,
): TierModel {
  if (variant !== "both") return fitHead(train, variant, sharpness);
  const groups = fitHead(train, "groups", sharpness);
  const grams = fitHead(train, "grams", sharpness);
  return {
    ...groups,
    bias: groups.bias.map((bias, c) => four(bias + GRAM_WEIGHT * (grams.bias[c] ?? 0))),
    grams: grams.grams.map((w) => w.map((v) => v * GRAM_WEIGHT)),
  };
}

function fitHead(train: readonly TierExample[], variant: "grams" | "groups", sharpness: number): TierModel {
  const width = TIER_FEATURES.length;
  const mean = Array.from({ length: width }, (_, k) => average(train.map((e) => e.features[k] ?? 0)));
  const deviation = mean.map(
    (m, k) => Math.sqrt(average(train.map((e) => ((e.features[k] ?? 0) - m) ** 2))) || 1,
  );
  const rows = train.map((e) => standardise({ mean, deviation }, e.features));
  const dense = variant === "grams" ? 0 : width;
  const size = variant === "groups" ? 0 : 1 << TIER_BITS;
  // One vector a class: features, then grams, then the bias.
  const total = width + (1 << TIER_BITS) + 1;
  const weights = TIERS.map(() => new Float64Array(total));
  const squares = TIERS.map(() => new Float64Array(total).fill(0.01));
  const sums = TIERS.map(() => new Float64Array(total));
  const next = random(OPTIONS.seed);
  let kept = 0;
  let order = train.map((_, i) => i);
  for (let epoch = 0; epoch < OPTIONS.epochs; epoch++) {
    order = shuffled(order, next);
    for (const i of order) {
      const example = train[i];
      const row = rows[i];
      if (example === undefined || row === undefined) continue;
      const norm = 1 / Math.sqrt(example.buckets.length || 1);
      const logits = weights.map((w) => {
        let z = w[total - 1] ?? 0;
        for (let k = 0; k < dense; k++) z += (w[k] ?? 0) * (row[k] ?? 0);
        if (size > 0) for (const b of example.buckets) z += (w[width + b] ?? 0) * norm;
        return z;
      });
      const p = softmax(logits);
      weights.forEach((w, c) => {
        const s = squares[c] ?? w;
        const error = (p[c] ?? 0) - (TIERS[c] === example.tier ? 1 : 0);
        const step = (at: number, g: number): void => {
          s[at] = (s[at] ?? 0) + g * g;
          w[at] = (w[at] ?? 0) - (OPTIONS.rate * g) / Math.sqrt(s[at] ?? 1);
        };
        for (let k = 0; k < dense; k++) step(k, error * (row[k] ?? 0) + OPTIONS.l2Features * (w[k] ?? 0));
        if (size > 0)
          for (const b of example.buckets)
            step(width + b, error * norm + OPTIONS.l2Grams * (w[width + b] ?? 0));
        step(total - 1, error);
      });
    }
    if (epoch * 2 < OPTIONS.epochs) continue;
    kept += 1;
    weights.forEach((w, c) => {
      const sum = sums[c];
      if (sum !== undefined) for (let k = 0; k < total; k++) sum[k] = (sum[k] ?? 0) + (w[k] ?? 0);
    });
  }
  const mid = sums.map((sum) => sum.map((v) => v / kept));
  return {
    bits: TIER_BITS,
    mean: mean.map(four),
    deviation: deviation.map(four),
    features: mid.map((w) => Array.from(w.subarray(0, width), four)),
    bias: mid.map((w) => four(w[total - 1] ?? 0)),
    grams: mid.map((w) => {
      const grams = w.subarray(width, total - 1);
      return unpackWeights(packWeights(grams), grams.length);
    }),
    sharpness,
  };
}

export interface Guess {
  tier: Tier;
  /** By tier, in the order of TIERS. */
  probabilities: number[];
}

/** Every prompt graded by a model that never saw it. */
export function crossValidateTiers(
  all: readonly TierExample[],
  variant: TierVariant,
  folds: number,
  seed: number,
  sharpness = 1,
): Guess[] {
  const guesses: Guess[] = [];
  for (let f = 0; f < folds; f++) {
    const out = (e: TierExample): boolean => foldOf(e.prompt, folds, seed) === f;
    const model = fitTiers(
      all.filter((e) => !out(e)),
      variant,
      sharpness,
    );
    all.forEach((e, i) => {
      if (!out(e)) return;
      const { probabilities } = scoreTiers(model, e.features, e.buckets);
      const tier = TIERS[probabilities.indexOf(Math.max(...probabilities))];
      if (tier !== undefined) guesses[i] = { tier, probabilities };
    });
  }
  return guesses;
}

/** The sharpness under which cross-validated probabilities fit best (temperature scaling, Guo et al. 2017). */
export function sharpnessOf(all: readonly TierExample[], guesses: readonly Guess[]): number {
  let best = { loss: Number.POSITIVE_INFINITY, sharpness: 1 };
  for (let sharpness = 0.4; sharpness <= 2.5; sharpness += 0.05) {
    const loss = average(
      all.map((e, i) => {
        const z = guesses[i]?.probabilities.map((p) => Math.log(Math.max(p, 1e-12)) * sharpness) ?? [];
        return -Math.log(softmax(z)[TIERS.indexOf(e.tier)] ?? 1e-12);
      }),
    );
    if (loss < best.loss) best = { loss, sharpness: Number(sharpness.toFixed(2)) };
  }
  return best.sharpness;
}

export function tiersFile(model: TierModel): ModelFile["tiers"] {
  return {
    bits: model.bits,
    mean: [...model.mean],
    deviation: [...model.deviation],
    features: model.features.map((row) => [...row]),
    bias: [...model.bias],
    grams: model.grams.map((w) => packWeights(w)),
    sharpness: model.sharpness,
  };
}

function average(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0) / Math.max(1, values.length);
}

function four(value: number): number {
  return Number(value.toPrecision(4));
}
