/** Trains the strong-or-weak score, and measures it the way RouteLLM does. */
import { examOf } from "../../src/judge/exam.ts";
import { type HashedModel, packWeights, unpackWeights } from "../../src/judge/linear.ts";
import type { ModelFile, StrongModel } from "../../src/judge/model.ts";
import { strongBuckets, strongGain } from "../../src/judge/strong-need.ts";
import { tokensOf, viewOf } from "../../src/judge/text.ts";
import { type Answered, foldOf } from "./data.ts";
import { fitWords, WORDS } from "./fit-words.ts";
import { growTrees } from "./grow-trees.ts";

export interface Example extends Answered {
  features: Float64Array;
  buckets: Uint32Array;
}

export type Variant = "words" | "structure" | "both";
/** Share of the trees in the score, by approach. */
const TREE_SHARE: Record<Variant, number> = { words: 0, structure: 1, both: 0.5 };
const STEPS = 20;

export function examples(records: readonly Answered[]): Example[] {
  return records.map((record) => {
    const view = viewOf(record.prompt);
    return {
      ...record,
      features: examOf(view).features,
      buckets: strongBuckets(tokensOf(view.text), WORDS.bits),
    };
  });
}

/** As it will be read from the file: weights as bytes. */
export function fitStrong(train: readonly Example[], variant: Variant = "both"): StrongModel {
  const rows = train.map((e) => e.features);
  const buckets = train.map((e) => e.buckets);
  const weak = train.map((e) => Number(e.weak));
  const strong = train.map((e) => Number(e.strong));
  const empty: HashedModel = { bits: WORDS.bits, bias: 0, weights: new Float32Array(1 << WORDS.bits) };
  const none = { base: 0, roots: [], nodes: [] };
  const words = variant !== "structure";
  const trees = variant !== "words";
  return {
    words: {
      weak: words ? asBytes(fitWords(buckets, weak)) : empty,
      strong: words ? asBytes(fitWords(buckets, strong)) : empty,
    },
    trees: {
      weak: trees ? growTrees(rows, weak) : none,
      strong: trees ? growTrees(rows, strong) : none,
    },
    treeShare: TREE_SHARE[variant],
    quantiles: [],
  };
}

function asBytes(model: HashedModel): HashedModel {
  return { ...model, weights: unpackWeights(packWeights(model.weights), model.weights.length) };
}

/** Every record scored by a model that never saw its prompt. */
export function crossValidate(
  all: readonly Example[],
  variant: Variant,
  folds: number,
  seed: number,
): Float64Array {
  const scores = new Float64Array(all.length);
  const fold = all.map((e) => foldOf(e.prompt, folds, seed));
  for (let f = 0; f < folds; f++) {
    const model = fitStrong(
      all.filter((_, i) => fold[i] !== f),
      variant,
    );
    all.forEach((e, i) => {
      if (fold[i] === f) scores[i] = strongGain(model, e.features, e.buckets);
    });
  }
  return scores;
}

/** Scores at equal steps of rank, for `rankOf`. */
export function quantilesOf(scores: ArrayLike<number>): number[] {
  const sorted = Float64Array.from(scores).sort();
  return Array.from({ length: STEPS + 1 }, (_, i) =>
    Number((sorted[Math.round((i * (sorted.length - 1)) / STEPS)] ?? 0).toPrecision(5)),
  );
}

export function strongFile(model: StrongModel, quantiles: number[]): ModelFile["strong"] {
  const hashed = ({ bias, weights }: HashedModel) => ({
    bias: Number(bias.toPrecision(6)),
    weights: packWeights(weights),
  });
  return {
    bits: WORDS.bits,
    words: { weak: hashed(model.words.weak), strong: hashed(model.words.strong) },
    trees: model.trees,
    treeShare: model.treeShare,
    quantiles,
  };
}

export interface Recovery {
  /** Smallest share of strong calls that recovers 80 % of the gap (RouteLLM: CPT(80 %)). */
  callsFor80: number;
  /** Part of the gap recovered at 50, 60 and 70 % strong calls. */
  at50: number;
  at60: number;
  at70: number;
  /** Mean over all shares of calls; random 0.5. */
  mean: number;
}

/**
 * Performance gap recovered: (accuracy - weak's) / (strong's - weak's) when the records with the highest scores go to the
 * strong model (arXiv:2406.18665, section 4).
 */
export function recovery(all: readonly Answered[], scores: ArrayLike<number>): Recovery {
  const order = all.map((_, i) => i).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  const gain = (i: number): number => Number(all[i]?.strong) - Number(all[i]?.weak);
  const gap = order.reduce((sum, i) => sum + gain(i), 0);
  let sum = 0;
  const curve = order.map((i) => {
    sum += gain(i);
    return sum / gap;
  });
  const at = (share: number): number => curve[Math.round(share * curve.length) - 1] ?? 0;
  return {
    callsFor80: (curve.findIndex((part) => part >= 0.8) + 1) / curve.length,
    at50: at(0.5),
    at60: at(0.6),
    at70: at(0.7),
    mean: curve.reduce((a, b) => a + b, 0) / curve.length,
  };
}
