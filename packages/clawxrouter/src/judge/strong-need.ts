/**
 * How much more likely a strong model is to answer right than a weak one. Learned on public records of which of two
 * models answered exam and school questions right (RouteLLM, Ong et al. 2024, arXiv:2406.18665).
 */
import { scoreHashed, sigmoid } from "./linear.ts";
import type { StrongModel } from "./model.ts";
import { type Token, wordBuckets } from "./text.ts";
import { scoreTrees } from "./trees.ts";

/** Tokens read. */
const MAX_TOKENS = 600;

export function strongBuckets(tokens: readonly Token[], bits: number): Uint32Array {
  return wordBuckets(tokens.slice(0, MAX_TOKENS), bits);
}

/** P(strong right) - P(weak right) as the model sees it, -1..1. */
export function strongGain(model: StrongModel, features: Float64Array, buckets: Uint32Array): number {
  const { words, trees, treeShare } = model;
  const byWords = sigmoid(scoreHashed(words.strong, buckets)) - sigmoid(scoreHashed(words.weak, buckets));
  const byTrees = sigmoid(scoreTrees(trees.strong, features)) - sigmoid(scoreTrees(trees.weak, features));
  return treeShare * byTrees + (1 - treeShare) * byWords;
}

/** The gain as a rank among exam questions: 0 the weak model does as well, 1 the strong model is needed most. */
export function rankOf(gain: number, quantiles: readonly number[]): number {
  const steps = quantiles.length - 1;
  for (let i = 0; i <= steps; i++) {
    const here = quantiles[i] ?? 0;
    if (gain >= here) continue;
    if (i === 0) return 0;
    const before = quantiles[i - 1] ?? here;
    return (i - 1 + (here > before ? (gain - before) / (here - before) : 0)) / steps;
  }
  return 1;
}
