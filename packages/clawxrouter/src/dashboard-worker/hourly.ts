/** The charts' points, made of the ledger's sums. */
import type { DatabaseSync } from "node:sqlite";
import { series } from "../ledger/queries.ts";
import type { HourlyRow } from "../ledger/rows.ts";
import { byLevel, byRoute, sum, tokens } from "../ledger/sums.ts";

/** Answer of `GET hourly`, see the contract. */
export function hourlyPoints(db: DatabaseSync, from: number, to: number, step: "hour" | "day") {
  const rows = series(db, from, to, step);
  return {
    from,
    to,
    step,
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
