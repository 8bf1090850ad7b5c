import type { ResultItem } from "../results/schema.ts";

/**
 * One id for each result in a review: the q_id itself where it is unique, else with the number of the run or
 * occurrence (Q001#2).
 */
export function reviewIds(items: readonly ResultItem[]): Map<ResultItem, string> {
  const totals = new Map<string, number>();
  for (const item of items) totals.set(item.q_id, (totals.get(item.q_id) ?? 0) + 1);
  const seen = new Map<string, number>();
  return new Map(
    items.map((item) => {
      const number = (seen.get(item.q_id) ?? 0) + 1;
      seen.set(item.q_id, number);
      return [item, (totals.get(item.q_id) ?? 0) > 1 ? `${item.q_id}#${number}` : item.q_id] as const;
    }),
  );
}
