/** Rows: automatic grade; columns: reviewed grade. */
export interface Confusion {
  labels: string[];
  matrix: number[][];
  n: number;
  agreement: number | null;
  kappa: number | null;
}

/**
 * Confusion matrix and Cohen's kappa (Cohen 1960, doi:10.1177/001316446002000104) of two raters.
 *
 * kappa is null without data, and when both raters gave everything the same single label (agreement by chance is
 * then certain and kappa undefined).
 */
export function confusion(
  pairs: readonly (readonly [string, string])[],
  labels: readonly string[],
): Confusion {
  const matrix = labels.map(() => labels.map(() => 0));
  for (const [a, b] of pairs) {
    const row = matrix[labels.indexOf(a)];
    const column = labels.indexOf(b);
    if (row && column >= 0) row[column] = (row[column] ?? 0) + 1;
  }
  const n = matrix.flat().reduce((sum, v) => sum + v, 0);
  if (n === 0) return { labels: [...labels], matrix, n, agreement: null, kappa: null };
  const observed = labels.reduce((sum, _, i) => sum + (matrix[i]?.[i] ?? 0), 0) / n;
  const expected = labels.reduce((sum, _, i) => {
    const row = (matrix[i] ?? []).reduce((s, v) => s + v, 0);
    const column = matrix.reduce((s, r) => s + (r[i] ?? 0), 0);
    return sum + (row * column) / (n * n);
  }, 0);
  const kappa = expected >= 1 ? null : (observed - expected) / (1 - expected);
  return { labels: [...labels], matrix, n, agreement: observed, kappa };
}
