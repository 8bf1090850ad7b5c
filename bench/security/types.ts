/** One line of a result table: column title to value. All rows of a part have the same columns. */
export type Row = Readonly<Record<string, string | number>>;

/** One part of `pnpm bench:security`: a title, and what it measured beside its peers. */
export interface BenchPart {
  readonly title: string;
  /** Measures. A part whose data is absent (`../shared/data`) returns one row that says so. */
  run(): Promise<Row[]>;
}
