/** Linear models over hashed features, their weights kept as bytes. */

/** One logistic model: `z = bias + sum(w[bucket]) / sqrt(number of buckets)`. */
export interface HashedModel {
  bits: number;
  bias: number;
  /** One weight a bucket. */
  weights: Float32Array;
}

export function scoreHashed(model: HashedModel, buckets: Uint32Array): number {
  if (buckets.length === 0) return model.bias;
  let sum = 0;
  for (const bucket of buckets) sum += model.weights[bucket] ?? 0;
  return model.bias + sum / Math.sqrt(buckets.length);
}

export function sigmoid(z: number): number {
  return 1 / (1 + Math.exp(-z));
}

export function softmax(z: readonly number[]): number[] {
  const top = Math.max(...z);
  const e = z.map((value) => Math.exp(value - top));
  const sum = e.reduce((a, b) => a + b, 0);
  return e.map((value) => value / sum);
}

/** Weights as signed bytes: a value is `byte / 127 * scale`. */
export interface PackedWeights {
  scale: number;
  /** Base64 of one signed byte a weight. */
  bytes: string;
}

export function packWeights(weights: ArrayLike<number>): PackedWeights {
  let scale = 0;
  for (let i = 0; i < weights.length; i++) scale = Math.max(scale, Math.abs(weights[i] ?? 0));
  const bytes = new Int8Array(weights.length);
  if (scale > 0)
    for (let i = 0; i < weights.length; i++) bytes[i] = Math.round(((weights[i] ?? 0) / scale) * 127);
  return { scale, bytes: Buffer.from(bytes.buffer).toString("base64") };
}

/** @throws RangeError when the number of weights is not `length` */
export function unpackWeights({ scale, bytes }: PackedWeights, length: number): Float32Array {
  const raw = Buffer.from(bytes, "base64");
  if (raw.length !== length)
    throw new RangeError(`judge model: ${raw.length} weights where ${length} belong; train it again`);
  const signed = new Int8Array(raw.buffer, raw.byteOffset, length);
  const weights = new Float32Array(length);
  for (let i = 0; i < length; i++) weights[i] = ((signed[i] ?? 0) / 127) * scale;
  return weights;
}
