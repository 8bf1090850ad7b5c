/** The charts' points, made of the ledger's sums. */
import type { DatabaseSync } from "node:sqlite";
import { dayStarts } from "../ledger/days.ts";
import { series, totals } from "../ledger/queries.ts";
import type { HourlyRow } from "../ledger/rows.ts";
import { byLevel, byRoute, sum, tokens } from "../ledger/sums.ts";

const HOUR = 3_600_000;

/** Answer of `GET hourly`, see the contract. */
export function hourlyPoints(
  db: DatabaseSync,
  { from, to, step, zone }: { from: number; to: number; step: "hour" | "day"; zone: string },
) {
  const starts = step === "day" ? dayStarts(from, to, zone) : hourStarts(from, to);
  const rows = series(db, starts, to, (first, end) => settled(db, first, end));
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

type Sums = ReturnType<typeof totals>;

/** Sums of steps that are long over, by connection: the days of the month are added up once, not with every event. */
const known = new WeakMap<DatabaseSync, Map<string, Sums>>();
const MOST_KNOWN = 1_000;
/** So long after its end a step may still get something: a request is counted where it began. */
const SETTLED_MS = 6 * HOUR;

function settled(db: DatabaseSync, from: number, to: number): Sums {
  if (to > Date.now() - SETTLED_MS) return totals(db, from, to);
  const sums = known.get(db) ?? new Map<string, Sums>();
  known.set(db, sums);
  const key = `${from} ${to}`;
  const found = sums.get(key) ?? totals(db, from, to);
  if (sums.size >= MOST_KNOWN) sums.clear();
  sums.set(key, found);
  return found;
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
