/** Statistics as the CLI prints and the dashboard draws them. */

import { budgetReport } from "../cost/budget.ts";
import { costOf, priceOf } from "../cost/prices.ts";
import type { Engine } from "../engine/engine.ts";
import type { HourlyRow } from "../ledger/ledger.ts";

export interface ModelTotals {
  provider: string;
  model: string;
  requests: number;
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  /** USD of the priced requests. */
  usd: number;
  /** Requests whose price is unknown. */
  unpriced: number;
}

export interface Summary {
  from: number;
  to: number;
  /** Decisions on user messages and tools, by level and by route. */
  decisions: Record<string, number>;
  routes: Record<string, number>;
  tiers: Record<string, number>;
  requests: number;
  refused: number;
  models: ModelTotals[];
  usd: number;
  unpriced: number;
  /** What the same tokens would have cost at the default model; undefined when its price is unknown. */
  baselineUsd: number | undefined;
  baselineModel: string | undefined;
  budget: { state: string; text: string };
}

export function summary(engine: Engine, from: number, to: number): Summary {
  const rows = engine.ledger().hourly(from, to);
  const requests = rows.filter((row) => row.kind === "request");
  const models = new Map<string, ModelTotals>();
  for (const row of requests) {
    const key = `${row.provider}/${row.model}`;
    const sum = models.get(key) ?? {
      provider: row.provider,
      model: row.model,
      requests: 0,
      input: 0,
      output: 0,
      cacheRead: 0,
      cacheWrite: 0,
      usd: 0,
      unpriced: 0,
    };
    sum.requests += row.n;
    for (const field of ["input", "output", "cacheRead", "cacheWrite", "usd", "unpriced"] as const)
      sum[field] += row[field];
    models.set(key, sum);
  }
  const primary = engine
    .host()
    .uses.find(
      (use) => use.path === "/agents/defaults/model/primary" || use.path === "/agents/defaults/model",
    );
  return {
    from,
    to,
    decisions: count(rows, "decision", (row) => row.level),
    routes: count(rows, "decision", (row) => row.route),
    tiers: count(
      rows.filter((row) => row.tier !== ""),
      "decision",
      (row) => row.tier,
    ),
    requests: requests.reduce((sum, row) => sum + row.n, 0),
    refused: rows.filter((row) => row.kind === "refused").reduce((sum, row) => sum + row.n, 0),
    models: [...models.values()].sort((a, b) => b.requests - a.requests),
    usd: requests.reduce((sum, row) => sum + row.usd, 0),
    unpriced: requests.reduce((sum, row) => sum + row.unpriced, 0),
    baselineUsd: baseline(engine, requests, primary),
    baselineModel: primary === undefined ? undefined : `${primary.provider}/${primary.model}`,
    budget: budgetReport(engine.cost.spent(), engine.config().tokenSaver.budget),
  };
}

function baseline(
  engine: Engine,
  rows: readonly HourlyRow[],
  primary: { provider: string; model: string } | undefined,
): number | undefined {
  if (primary === undefined) return undefined;
  const price = priceOf(primary, engine.cost.prices());
  if (price === undefined) return undefined;
  const api = engine.config().managed.upstreams[primary.provider]?.api ?? "openai-completions";
  return rows.reduce((sum, row) => {
    const usage = {
      inputTokens: row.input,
      outputTokens: row.output,
      cacheReadTokens: row.cacheRead,
      cacheWriteTokens: row.cacheWrite,
    };
    return sum + (costOf(usage, price, api) ?? 0);
  }, 0);
}

function count(
  rows: readonly HourlyRow[],
  kind: HourlyRow["kind"],
  by: (row: HourlyRow) => string,
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const row of rows) if (row.kind === kind) counts[by(row)] = (counts[by(row)] ?? 0) + row.n;
  return counts;
}
