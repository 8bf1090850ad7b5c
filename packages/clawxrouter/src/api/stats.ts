/** Statistics as the CLI prints and the dashboard draws them. */

import { TIERS, type Tier } from "../config-file/schema.ts";
import { type BudgetState, budgetReport, periodsOf } from "../cost/budget.ts";
import type { Engine } from "../engine/engine.ts";
import type { LatencyKind, LatencySummary } from "../ledger/rows.ts";
import {
  type ByLevel,
  type ByRoute,
  byLevel,
  byRoute,
  type SumRow,
  sum,
  type TokenTotals,
  tokens,
} from "../ledger/sums.ts";

export interface ModelTotals extends TokenTotals {
  provider: string;
  model: string;
  local: boolean;
  requests: number;
  /** USD of the priced requests. */
  usd: number;
  /** Requests whose price is unknown. */
  unpriced: number;
}

export interface Summary {
  from: number;
  to: number;
  posture: "green" | "yellow" | "red";
  turns: { total: number; byLevel: ByLevel; byRoute: ByRoute; byTier: Record<Tier, number> };
  toolDetections: { total: number; byLevel: ByLevel; byRoute: ByRoute };
  requests: TokenTotals & { total: number; failed: number; byLevel: ByLevel; byRoute: ByRoute };
  cost: {
    spentUsd: number;
    unpriced: number;
    defaultModel: { provider: string; model: string } | null;
    compared: number;
    ifDefaultUsd: number | null;
    savedUsd: number | null;
  };
  models: ModelTotals[];
  latency: Record<LatencyKind, LatencySummary | null>;
  budget: {
    state: BudgetState;
    /** For people; empty without a budget. */
    text: string;
    dayUsd: number;
    dayLimitUsd: number | null;
    monthUsd: number;
    monthLimitUsd: number | null;
  };
  activeTurns: number;
}

const REQUEST_KINDS = new Set(["request", "refused"]);

/** From what the ledger holds; reads it in this thread. */
export function summary(engine: Engine, from: number, to: number): Summary {
  return summarise(engine, from, to, engine.ledger().hourly(from, to), {});
}

/** @param rows sums of the range */
export function summarise(
  engine: Engine,
  from: number,
  to: number,
  rows: readonly SumRow[],
  latency: Partial<Record<LatencyKind, LatencySummary>>,
): Summary {
  const turns = rows.filter((row) => row.kind === "onUserMessage");
  const found = rows.filter(
    (row) =>
      !REQUEST_KINDS.has(row.kind) &&
      row.kind !== "onUserMessage" &&
      (row.level !== "S1" || row.route === "blocked"),
  );
  const requests = rows.filter((row) => REQUEST_KINDS.has(row.kind));
  const compared = sum(requests, "compared");
  const baseline = sum(requests, "baselineUsd");
  return {
    from,
    to,
    posture: engine.posture().state,
    turns: {
      total: sum(turns, "n"),
      byLevel: byLevel(turns),
      byRoute: byRoute(turns),
      byTier: Object.fromEntries(
        TIERS.map((tier) => [
          tier,
          sum(
            turns.filter((row) => row.tier === tier),
            "n",
          ),
        ]),
      ) as Record<Tier, number>,
    },
    toolDetections: { total: sum(found, "n"), byLevel: byLevel(found), byRoute: byRoute(found) },
    requests: {
      total: sum(requests, "n"),
      failed: sum(requests, "failed"),
      byLevel: byLevel(requests),
      byRoute: byRoute(requests),
      ...tokens(requests),
    },
    cost: {
      spentUsd: sum(requests, "usd"),
      unpriced: sum(requests, "unpriced"),
      defaultModel: engine.models.defaultModel() ?? null,
      compared,
      ifDefaultUsd: compared > 0 ? baseline : null,
      savedUsd: compared > 0 ? baseline - sum(requests, "comparedUsd") : null,
    },
    models: modelTotals(engine, requests),
    latency: {
      judge: latency.judge ?? null,
      privacy: latency.privacy ?? null,
      proxy: latency.proxy ?? null,
      firstToken: latency.firstToken ?? null,
    },
    budget: budgetOf(engine),
    activeTurns: engine.turns.active(),
  };
}

function modelTotals(engine: Engine, rows: readonly SumRow[]): ModelTotals[] {
  const groups = Map.groupBy(
    rows.filter((row) => row.kind === "request"),
    (row) => JSON.stringify([row.provider, row.model]),
  );
  return [...groups.values()]
    .map((group): ModelTotals => {
      const [{ provider, model }] = group as [SumRow, ...SumRow[]];
      return {
        provider,
        model,
        local: engine.models.isLocal(provider),
        requests: sum(group, "n"),
        ...tokens(group),
        usd: sum(group, "usd"),
        unpriced: sum(group, "unpriced"),
      };
    })
    .sort((a, b) => b.requests - a.requests);
}

function budgetOf(engine: Engine): Summary["budget"] {
  const { budget } = engine.config().tokenSaver;
  const { state, text } = budgetReport(engine.cost.spent(), budget);
  const { day, month } = periodsOf(Date.now());
  return {
    state,
    text,
    dayUsd: engine.ledger().spentSince(day),
    dayLimitUsd: budget.dayUsd ?? null,
    monthUsd: engine.ledger().spentSince(month),
    monthLimitUsd: budget.monthUsd ?? null,
  };
}
