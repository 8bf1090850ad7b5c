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

/** Every step, with zeros where nothing happened. */
export function fill(starts: readonly number[], known: readonly Bucket[]): Bucket[] {
  const byTime = new Map(known.map((bucket) => [bucket.at, bucket]));
  return starts.map((at) => byTime.get(at) ?? { at, values: {} });
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
