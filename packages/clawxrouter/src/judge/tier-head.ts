/** Five-way logistic regression from word groups, shape and n-grams to a tier. */
import { softmax } from "./linear.ts";
import type { TierModel } from "./model.ts";
import { TIER_FEATURES } from "./shape.ts";

export interface TierScores {
  /** By tier, in the order of TIERS; they add up to 1. */
  probabilities: number[];
  /** Names of the features that spoke most for the first tier, strongest first. */
  because: string[];
}

/** Names given as a reason at most. */
const MAX_NAMES = 3;
/** Smallest push, in logits over the mean of the other tiers, that is worth a name. */
const MIN_PUSH = 0.15;

export function standardise(
  model: Pick<TierModel, "mean" | "deviation">,
  features: Float64Array,
): Float64Array {
  return features.map((value, k) => (value - (model.mean[k] ?? 0)) / (model.deviation[k] || 1));
}

export function scoreTiers(model: TierModel, features: Float64Array, buckets: Uint32Array): TierScores {
  const row = standardise(model, features);
  const norm = buckets.length === 0 ? 0 : 1 / Math.sqrt(buckets.length);
  const logits = model.bias.map((bias, c) => {
    const weights = model.features[c] ?? [];
    const grams = model.grams[c];
    let z = bias;
    for (let k = 0; k < row.length; k++) z += (weights[k] ?? 0) * (row[k] ?? 0);
    let sum = 0;
    for (const bucket of buckets) sum += grams?.[bucket] ?? 0;
    return z + sum * norm;
  });
  const probabilities = softmax(logits.map((z) => z * model.sharpness));
  const best = probabilities.indexOf(Math.max(...probabilities));
  return { probabilities, because: strongest(model, features, row, best) };
}

function strongest(model: TierModel, features: Float64Array, row: Float64Array, best: number): string[] {
  const pushes = TIER_FEATURES.map((name, k) => {
    const own = model.features[best]?.[k] ?? 0;
    const others = model.features.reduce(
      (sum, weights, c) => (c === best ? sum : sum + (weights[k] ?? 0)),
      0,
    );
    const push = (own - others / Math.max(1, model.features.length - 1)) * (row[k] ?? 0);
    // What is absent is no reason that helps a reader; length is said as short or long.
    const present = (features[k] ?? 0) > 0;
    return { name: k === 0 ? ((row[0] ?? 0) < 0 ? "short" : "long") : name, push: present ? push : 0 };
  });
  return pushes
    .filter(({ push }) => push >= MIN_PUSH)
    .sort((a, b) => b.push - a.push)
    .slice(0, MAX_NAMES)
    .map(({ name }) => name);
}
