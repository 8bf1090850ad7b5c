/** Adding up the ledger's sums. */
import type { HourlyRow } from "./rows.ts";

export type SumRow = Omit<HourlyRow, "hour">;

export interface TokenTotals {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
}

export type ByLevel = Record<"S1" | "S2" | "S3", number>;
export type ByRoute = Record<"cloud" | "redacted" | "local" | "blocked", number>;

/** Sums by level; what has no level (a refused call without a text) is in none. */
export function byLevel(rows: readonly SumRow[]): ByLevel {
  const count = (level: string) =>
    sum(
      rows.filter((row) => row.level === level),
      "n",
    );
  return { S1: count("S1"), S2: count("S2"), S3: count("S3") };
}

export function byRoute(rows: readonly SumRow[]): ByRoute {
  const count = (route: string) =>
    sum(
      rows.filter((row) => row.route === route),
      "n",
    );
  return {
    cloud: count("cloud"),
    redacted: count("redacted"),
    local: count("local"),
    blocked: count("blocked"),
  };
}

export function tokens(rows: readonly SumRow[]): TokenTotals {
  return {
    input: sum(rows, "input"),
    output: sum(rows, "output"),
    cacheRead: sum(rows, "cacheRead"),
    cacheWrite: sum(rows, "cacheWrite"),
  };
}

export function sum<
  K extends
    | "n"
    | "failed"
    | "input"
    | "output"
    | "cacheRead"
    | "cacheWrite"
    | "usd"
    | "unpriced"
    | "compared"
    | "comparedUsd"
    | "baselineUsd",
>(rows: readonly SumRow[], field: K): number {
  return rows.reduce((total, row) => total + row[field], 0);
}
