/** The budget of a day and of a month, in USD. Days and months are local time, as a user counts them. */
import type { TokenSaverConfig } from "../config-file/schema.ts";

export type BudgetState = "none" | "ok" | "warn" | "exceeded";

export interface Spent {
  dayUsd: number;
  monthUsd: number;
}

export interface BudgetReport {
  state: BudgetState;
  /** For people, e.g. `day 0.84 of 1.00 USD`; empty without a budget. */
  text: string;
}

export function budgetReport(spent: Spent, budget: TokenSaverConfig["budget"]): BudgetReport {
  const parts = [
    { name: "day", used: spent.dayUsd, limit: budget.dayUsd },
    { name: "month", used: spent.monthUsd, limit: budget.monthUsd },
  ].filter((part): part is typeof part & { limit: number } => part.limit !== undefined);
  if (parts.length === 0) return { state: "none", text: "" };
  const text = parts
    .map(({ name, used, limit }) => `${name} ${used.toFixed(2)} of ${limit.toFixed(2)} USD`)
    .join(", ");
  if (parts.some(({ used, limit }) => used >= limit)) return { state: "exceeded", text };
  if (parts.some(({ used, limit }) => used >= limit * budget.warnAt)) return { state: "warn", text };
  return { state: "ok", text };
}

/** Start of the local day and month that `now` is in, epoch milliseconds. */
export function periodsOf(now: number): { day: number; month: number } {
  const date = new Date(now);
  return {
    day: new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime(),
    month: new Date(date.getFullYear(), date.getMonth(), 1).getTime(),
  };
}
