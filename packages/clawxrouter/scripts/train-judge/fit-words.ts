/** Logistic regression on hashed words: AdaGrad (Duchi et al. 2011), L2, averaged over the second half. */
import type { HashedModel } from "../../src/judge/linear.ts";
import { sigmoid } from "../../src/judge/linear.ts";
import { random, shuffled } from "./data.ts";

export interface WordOptions {
  bits: number;
  l2: number;
  rate: number;
  epochs: number;
  seed: number;
}

export const WORDS: WordOptions = { bits: 15, l2: 0.05, rate: 0.03, epochs: 15, seed: 7 };

/**
 * @param rows distinct buckets of each record
 * @param labels 0 or 1 a record
 */
export function fitWords(
  rows: readonly Uint32Array[],
  labels: readonly number[],
  options: WordOptions = WORDS,
): HashedModel {
  const size = 1 << options.bits;
  const weights = new Float64Array(size);
  const squares = new Float64Array(size).fill(0.01);
  const sum = new Float64Array(size);
  let [bias, biasSquares, biasSum, kept] = [0, 0.01, 0, 0];
  const next = random(options.seed);
  let order = rows.map((_, i) => i);
  for (let epoch = 0; epoch < options.epochs; epoch++) {
    order = shuffled(order, next);
    for (const i of order) {
      const row = rows[i] ?? new Uint32Array(0);
      const value = 1 / Math.sqrt(row.length || 1);
      let z = bias;
      for (const b of row) z += (weights[b] ?? 0) * value;
      const error = sigmoid(z) - (labels[i] ?? 0);
      for (const b of row) {
        const w = weights[b] ?? 0;
        const g = error * value + options.l2 * w;
        const s = (squares[b] ?? 0) + g * g;
        squares[b] = s;
        weights[b] = w - (options.rate * g) / Math.sqrt(s);
      }
      biasSquares += error * error;
      bias -= (options.rate * error) / Math.sqrt(biasSquares);
    }
    if (epoch * 2 < options.epochs) continue;
    kept += 1;
    biasSum += bias;
    for (let b = 0; b < size; b++) sum[b] = (sum[b] ?? 0) + (weights[b] ?? 0);
  }
  return { bits: options.bits, bias: biasSum / kept, weights: Float32Array.from(sum, (s) => s / kept) };
}
