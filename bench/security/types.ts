import type { Check } from "../verdict.ts";

/** One line of a result table: column title to value. All rows of a part have the same columns. */
export type Row = Readonly<Record<string, string | number>>;

export interface PartResult {
  /** Ours beside the peers. */
  readonly rows: readonly Row[];
  /** Our figures against the goals. */
  readonly checks: readonly Check[];
}

/** One part of `pnpm bench:security`: what it measures, and which data of `../shared/data` it needs for that. */
export interface BenchPart {
  readonly title: string;
  /** Paths under `../shared/data`; the run stops with their names where one is absent. */
  readonly needs: readonly string[];
  run(): Promise<PartResult>;
}
