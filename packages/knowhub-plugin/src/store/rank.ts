import type { StoredItem } from "./rows.ts";

const DAY = 86_400_000;
/** After a year an item has lost half of what age can take from it. */
const AGE_HALF_LIFE_DAYS = 365;
const AGE_WEIGHT = 0.15;

/** 0.75 for an item that always harmed, 1.25 for one that always helped, times 0.9–1.1 for its score of 1–5. */
export function qualityFactor(item: Pick<StoredItem, "belief" | "trust" | "record">): number {
  const votes = 0.75 + 0.5 * item.belief;
  const score = 0.85 + 0.05 * Math.min(5, Math.max(1, item.record.eval.score));
  return votes * score * (item.trust === "verified" ? 1.05 : 1);
}

/** 1 for a new item, falling to 0.85: old knowledge is a little less likely to be right, never worthless. */
export function ageFactor(updatedAt: number, now: number): number {
  const days = Math.max(0, now - updatedAt) / DAY;
  return 1 - AGE_WEIGHT + AGE_WEIGHT * 2 ** (-days / AGE_HALF_LIFE_DAYS);
}

/** rank = bm25 × quality × age. */
export function rank(relevance: number, item: StoredItem, now: number): number {
  return relevance * qualityFactor(item) * ageFactor(item.updatedAt, now);
}

/**
 * Reciprocal rank fusion of rankings of the same things: `sum 1 / (60 + rank)`, larger is better.
 *
 * @see Cormack, Clarke & Büttcher, "Reciprocal Rank Fusion outperforms Condorcet …", SIGIR 2009
 */
export function reciprocalRankFusion(rankings: readonly (readonly number[])[], k = 60): Map<number, number> {
  const scores = new Map<number, number>();
  for (const ranking of rankings) {
    ranking.forEach((item, index) => {
      scores.set(item, (scores.get(item) ?? 0) + 1 / (k + index + 1));
    });
  }
  return scores;
}
