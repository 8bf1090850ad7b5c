/** What the charts draw: named series over equal steps of time. */

export interface Series {
  key: string;
  name: string;
  /** Class that colours it: `S1`, `cloud`, `c0` … `c6`. */
  tone: string;
}

export interface Bucket {
  at: number;
  values: Readonly<Record<string, number>>;
}

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** Every step from `from` to `to`, with zeros where nothing happened. */
export function fill(from: number, to: number, stepMs: number, known: readonly Bucket[]): Bucket[] {
  const byTime = new Map(known.map((bucket) => [bucket.at - (bucket.at % stepMs), bucket]));
  const buckets: Bucket[] = [];
  for (let at = from - (from % stepMs); at < to; at += stepMs)
    buckets.push(byTime.get(at) ?? { at, values: {} });
  return buckets;
}

/** The `keep` largest names by sum get a series of their own, the rest go together. */
export function largest(
  totals: ReadonlyMap<string, number>,
  keep: number,
): { own: string[]; rest: string[] } {
  const names = [...totals.entries()].sort((a, b) => b[1] - a[1]).map(([name]) => name);
  return names.length <= keep + 1
    ? { own: names, rest: [] }
    : { own: names.slice(0, keep), rest: names.slice(keep) };
}

export function total(bucket: Bucket, series: readonly Series[]): number {
  return series.reduce((sum, entry) => sum + (bucket.values[entry.key] ?? 0), 0);
}
