/** Gradient boosting with log loss on binned features (Friedman 2001; second-order leaf values as in XGBoost). */
import { sigmoid } from "../../src/judge/linear.ts";
import type { TreeModel } from "../../src/judge/trees.ts";
import { random } from "./data.ts";

export interface GrowOptions {
  trees: number;
  depth: number;
  rate: number;
  minLeaf: number;
  lambda: number;
  sample: number;
  bins: number;
  seed: number;
}

export const GROW: GrowOptions = {
  trees: 120,
  depth: 3,
  rate: 0.06,
  minLeaf: 60,
  lambda: 5,
  sample: 0.7,
  bins: 24,
  seed: 7,
};

interface Split {
  gain: number;
  feature: number;
  bin: number;
}

/**
 * @param rows one row of features a record
 * @param labels 0 or 1 a record
 */
export function growTrees(
  rows: readonly Float64Array[],
  labels: readonly number[],
  options = GROW,
): TreeModel {
  const n = rows.length;
  const width = rows[0]?.length ?? 0;
  const cuts = Array.from({ length: width }, (_, k) => cutsOf(rows, k, options.bins));
  const binned = cuts.map((edges, k) => Uint8Array.from(rows, (row) => binOf(row[k] ?? 0, edges)));
  const share = labels.reduce((a, b) => a + b, 0) / n;
  const base = Math.log(share / (1 - share));
  const score = new Float64Array(n).fill(base);
  const gradient = new Float64Array(n);
  const hessian = new Float64Array(n);
  const next = random(options.seed);
  const model: TreeModel = { base, roots: [], nodes: [] };

  const addNode = (): number => model.nodes.push(-1, 0, 0, 0, 0) / 5 - 1;

  const build = (members: Uint32Array, all: Uint32Array, depth: number): number => {
    const node = addNode();
    let [G, H] = [0, 0];
    for (const i of members) {
      G += gradient[i] ?? 0;
      H += hessian[i] ?? 0;
    }
    const split = depth === 0 ? undefined : bestSplit(members, G, H);
    if (split === undefined) {
      const value = round((options.rate * G) / (H + options.lambda));
      model.nodes[node * 5 + 4] = value;
      for (const i of all) score[i] = (score[i] ?? 0) + value;
      return node;
    }
    const column = binned[split.feature] ?? new Uint8Array(0);
    const left = (i: number): boolean => (column[i] ?? 0) <= split.bin;
    const right = (i: number): boolean => !left(i);
    model.nodes[node * 5] = split.feature;
    model.nodes[node * 5 + 1] = cuts[split.feature]?.[split.bin] ?? 0;
    const l = build(members.filter(left), all.filter(left), depth - 1);
    const r = build(members.filter(right), all.filter(right), depth - 1);
    model.nodes[node * 5 + 2] = l;
    model.nodes[node * 5 + 3] = r;
    return node;
  };

  const bestSplit = (members: Uint32Array, G: number, H: number): Split | undefined => {
    let best: Split | undefined;
    const { lambda, minLeaf } = options;
    for (let k = 0; k < width; k++) {
      const column = binned[k] ?? new Uint8Array(0);
      const bins = (cuts[k]?.length ?? 0) + 1;
      const [gs, hs, ns] = [new Float64Array(bins), new Float64Array(bins), new Uint32Array(bins)];
      for (const i of members) {
        const b = column[i] ?? 0;
        gs[b] = (gs[b] ?? 0) + (gradient[i] ?? 0);
        hs[b] = (hs[b] ?? 0) + (hessian[i] ?? 0);
        ns[b] = (ns[b] ?? 0) + 1;
      }
      let [gl, hl, nl] = [0, 0, 0];
      for (let b = 0; b < bins - 1; b++) {
        gl += gs[b] ?? 0;
        hl += hs[b] ?? 0;
        nl += ns[b] ?? 0;
        if (nl < minLeaf || members.length - nl < minLeaf) continue;
        const gain = gl ** 2 / (hl + lambda) + (G - gl) ** 2 / (H - hl + lambda) - G ** 2 / (H + lambda);
        if (gain > (best?.gain ?? 1e-6)) best = { gain, feature: k, bin: b };
      }
    }
    return best;
  };

  const everyone = Uint32Array.from({ length: n }, (_, i) => i);
  for (let t = 0; t < options.trees; t++) {
    for (let i = 0; i < n; i++) {
      const p = sigmoid(score[i] ?? 0);
      gradient[i] = (labels[i] ?? 0) - p;
      hessian[i] = p * (1 - p);
    }
    model.roots.push(
      build(
        everyone.filter(() => next() < options.sample),
        everyone,
        options.depth,
      ),
    );
  }
  return model;
}

/** Edges between bins of about equal size; a value equal to an edge belongs to the right of it. */
function cutsOf(rows: readonly Float64Array[], k: number, bins: number): number[] {
  const values = Float64Array.from(rows, (row) => row[k] ?? 0).sort();
  const edges: number[] = [];
  for (let b = 1; b < bins; b++) {
    const edge = round(values[Math.floor((b * values.length) / bins)] ?? 0);
    if (edge > (edges.at(-1) ?? Number(values[0]))) edges.push(edge);
  }
  return edges;
}

function binOf(value: number, edges: readonly number[]): number {
  let b = 0;
  while (b < edges.length && value >= (edges[b] ?? 0)) b++;
  return b;
}

/** Four digits are kept, in training as in the file. */
function round(value: number): number {
  return Number(value.toPrecision(4));
}
