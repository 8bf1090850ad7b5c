/** The model file of the embedded judge, and the model as it is used. */
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { TIERS } from "../config-file/schema.ts";
import { EXAM_FEATURES } from "./exam.ts";
import { type HashedModel, unpackWeights } from "./linear.ts";
import { TIER_FEATURES } from "./shape.ts";
import type { TreeModel } from "./trees.ts";

const Packed = Type.Object({ scale: Type.Number(), bytes: Type.String() });
const Hashed = Type.Object({ bias: Type.Number(), weights: Packed });
const Trees = Type.Object({
  base: Type.Number(),
  roots: Type.Array(Type.Integer()),
  nodes: Type.Array(Type.Number()),
});

/** Layout of `data/model.json`, written by `scripts/train-judge.ts`. */
export const ModelFileSchema = Type.Object({
  version: Type.Literal(1),
  strong: Type.Object({
    bits: Type.Integer({ minimum: 8, maximum: 18 }),
    words: Type.Object({ weak: Hashed, strong: Hashed }),
    trees: Type.Object({ weak: Trees, strong: Trees }),
    /** Share of the trees in the score; the rest is the words'. */
    treeShare: Type.Number({ minimum: 0, maximum: 1 }),
    /** Cross-validated scores at equal steps of rank, rising: rank 0, 0.05, ... 1. */
    quantiles: Type.Array(Type.Number(), { minItems: 2 }),
  }),
  tiers: Type.Object({
    bits: Type.Integer({ minimum: 6, maximum: 16 }),
    mean: Type.Array(Type.Number()),
    deviation: Type.Array(Type.Number()),
    /** Class by class: one weight a feature of {@link TIER_FEATURES}. */
    features: Type.Array(Type.Array(Type.Number())),
    bias: Type.Array(Type.Number()),
    /** Class by class. */
    grams: Type.Array(Packed),
    /** Scores are multiplied by it before they become probabilities. */
    sharpness: Type.Number({ exclusiveMinimum: 0 }),
  }),
});
export type ModelFile = Static<typeof ModelFileSchema>;

export interface StrongModel {
  words: { weak: HashedModel; strong: HashedModel };
  trees: { weak: TreeModel; strong: TreeModel };
  treeShare: number;
  quantiles: readonly number[];
}

export interface TierModel {
  bits: number;
  mean: readonly number[];
  deviation: readonly number[];
  features: readonly (readonly number[])[];
  bias: readonly number[];
  grams: readonly Float32Array[];
  sharpness: number;
}

export interface JudgeModel {
  strong: StrongModel;
  tiers: TierModel;
}

/**
 * @param file content of `data/model.json`
 * @throws Error when the file does not fit this code; the message says what to do
 */
export function loadModel(file: unknown): JudgeModel {
  if (!Value.Check(ModelFileSchema, file)) {
    const first = Value.Errors(ModelFileSchema, file).First();
    throw new Error(
      `judge model: ${first?.path ?? "/"}: ${first?.message ?? "not valid"}; run scripts/train-judge.ts`,
    );
  }
  const { strong, tiers } = file;
  const hashed = ({ bias, weights }: Static<typeof Hashed>): HashedModel => ({
    bits: strong.bits,
    bias,
    weights: unpackWeights(weights, 1 << strong.bits),
  });
  for (const { nodes, roots } of [strong.trees.weak, strong.trees.strong]) checkTrees(nodes, roots);
  const width = TIER_FEATURES.length;
  const rows = [tiers.mean, tiers.deviation, ...tiers.features];
  if (
    rows.some((row) => row.length !== width) ||
    [tiers.features, tiers.bias, tiers.grams].some((list) => list.length !== TIERS.length)
  )
    throw new Error("judge model: /tiers: not the features of this version; run scripts/train-judge.ts");
  return {
    strong: {
      words: { weak: hashed(strong.words.weak), strong: hashed(strong.words.strong) },
      trees: strong.trees,
      treeShare: strong.treeShare,
      quantiles: strong.quantiles,
    },
    tiers: { ...tiers, grams: tiers.grams.map((packed) => unpackWeights(packed, 1 << tiers.bits)) },
  };
}

/** Children must come after their node, so that a walk ends. */
function checkTrees(nodes: readonly number[], roots: readonly number[]): void {
  const count = nodes.length / 5;
  const bad = (): never => {
    throw new Error("judge model: /strong/trees: broken; run scripts/train-judge.ts");
  };
  if (!Number.isInteger(count) || roots.some((root) => root < 0 || root >= count)) bad();
  for (let i = 0; i < count; i++) {
    const [feature, left, right] = [nodes[i * 5] ?? -1, nodes[i * 5 + 2] ?? -1, nodes[i * 5 + 3] ?? -1];
    if (feature < 0) continue;
    if (feature >= EXAM_FEATURES.length || left <= i || right <= i || left >= count || right >= count) bad();
  }
}
