/** The charts' points, made of the ledger's sums. */
import type { DatabaseSync } from "node:sqlite";
import { dayStarts } from "../ledger/days.ts";
import { series } from "../ledger/queries.ts";
import type { HourlyRow } from "../ledger/rows.ts";
import { byLevel, byRoute, sum, tokens } from "../ledger/sums.ts";

const HOUR = 3_600_000;

/** Answer of `GET hourly`, see the contract. */
export function hourlyPoints(
  db: DatabaseSync,
  { from, to, step, zone }: { from: number; to: number; step: "hour" | "day"; zone: string },
) {
  const starts = step === "day" ? dayStarts(from, to, zone) : hourStarts(from, to);
  const rows = series(db, starts, to);
  return {
    from,
    to,
    step,
    starts,
    models: grouped(
      rows.filter((row) => row.kind === "request"),
      ({ hour, provider, model }) => JSON.stringify([hour, provider, model]),
    ).map(([first, group]) => ({
      at: first.hour,
      provider: first.provider,
      model: first.model,
      requests: sum(group, "n"),
      ...tokens(group),
      usd: sum(group, "usd"),
      unpriced: sum(group, "unpriced"),
    })),
    turns: counts(rows.filter((row) => row.kind === "onUserMessage")),
    requests: counts(rows.filter((row) => row.kind === "request" || row.kind === "refused")),
  };
}

function hourStarts(from: number, to: number): number[] {
  const first = from - (from % HOUR);
  return Array.from({ length: Math.max(0, Math.ceil((to - first) / HOUR)) }, (_, i) => first + i * HOUR);
}

function counts(rows: readonly HourlyRow[]) {
  return grouped(rows, (row) => String(row.hour)).map(([first, group]) => ({
    at: first.hour,
    byLevel: byLevel(group),
    byRoute: byRoute(group),
  }));
}

function grouped(
  rows: readonly HourlyRow[],
  key: (row: HourlyRow) => string,
): [first: HourlyRow, group: HourlyRow[]][] {
  return [...Map.groupBy(rows, key).values()].flatMap((group) =>
    group[0] === undefined ? [] : [[group[0], group] as [HourlyRow, HourlyRow[]]],
  );
}
