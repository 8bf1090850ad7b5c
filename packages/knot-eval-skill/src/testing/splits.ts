/** Cuts bytes at the given places (sorted, repetitions allowed): an empty piece is a legal chunk. */
export function cutBytes(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const edges = [
    0,
    ...[...cuts].map((c) => Math.min(Math.max(0, c), bytes.length)).sort((a, b) => a - b),
    bytes.length,
  ];
  return edges.slice(1).map((end, i) => bytes.slice(edges[i] ?? 0, end));
}
