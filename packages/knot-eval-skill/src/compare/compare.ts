import type { ResultItem, ResultsFile } from "../results/schema.ts";
import { reviewIds } from "../review/ids.ts";
import { type Rate, rateOf } from "../stats/intervals.ts";
import { mcnemarExact, pairedBootstrap } from "../stats/paired.ts";

export interface Flip {
  id: string;
  question: string;
  from: string;
  to: string;
}

/** Two runs of the same questions, question by question. */
export interface Comparison {
  /** Questions with a grade in both runs. */
  pairs: number;
  old_pass: Rate;
  new_pass: Rate;
  /** new minus old, as a share. */
  pass_difference: number | null;
  pass_interval: { low: number; high: number } | null;
  keyword_difference: number | null;
  keyword_interval: { low: number; high: number } | null;
  mcnemar_p: number;
  gained: Flip[];
  lost: Flip[];
  /** Changes that are no change of PASS (PARTIAL to FAIL and back). */
  moved: Flip[];
  only_old: string[];
  only_new: string[];
  /** Left out because one of the two runs has an ERROR. */
  errors: string[];
}

/** Same id and same question text: an id alone may have been given to another question. */
function keyed(results: ResultsFile): Map<string, { id: string; item: ResultItem }> {
  const ids = reviewIds(results.items);
  return new Map(
    results.items.map((item) => [
      JSON.stringify([ids.get(item), item.question]),
      { id: ids.get(item) ?? item.q_id, item },
    ]),
  );
}

/** Compares two result files. Errors and questions without a partner are listed, not counted. */
export function compareResults(before: ResultsFile, after: ResultsFile): Comparison {
  const old = keyed(before);
  const now = keyed(after);
  const gained: Flip[] = [];
  const lost: Flip[] = [];
  const moved: Flip[] = [];
  const errors: string[] = [];
  const passDifferences: number[] = [];
  const keywordDifferences: number[] = [];
  let oldPasses = 0;
  let newPasses = 0;
  for (const [key, { id, item: a }] of old) {
    const b = now.get(key)?.item;
    if (!b) continue;
    if (a.final_grade === "ERROR" || b.final_grade === "ERROR") {
      errors.push(id);
      continue;
    }
    const passedBefore = a.final_grade === "PASS";
    const passesNow = b.final_grade === "PASS";
    oldPasses += Number(passedBefore);
    newPasses += Number(passesNow);
    passDifferences.push(Number(passesNow) - Number(passedBefore));
    keywordDifferences.push(b.keyword_rate - a.keyword_rate);
    if (a.final_grade === b.final_grade) continue;
    const flip = { id, question: a.question, from: a.final_grade, to: b.final_grade };
    (passedBefore === passesNow ? moved : passesNow ? gained : lost).push(flip);
  }
  const n = passDifferences.length;
  const mean = (values: number[]) =>
    values.length === 0 ? null : values.reduce((sum, v) => sum + v, 0) / values.length;
  return {
    pairs: n,
    old_pass: rateOf(oldPasses, n),
    new_pass: rateOf(newPasses, n),
    pass_difference: mean(passDifferences),
    pass_interval: pairedBootstrap(passDifferences),
    keyword_difference: mean(keywordDifferences),
    keyword_interval: pairedBootstrap(keywordDifferences),
    mcnemar_p: mcnemarExact(gained.length, lost.length),
    gained,
    lost,
    moved,
    only_old: [...old].filter(([key]) => !now.has(key)).map(([, v]) => v.id),
    only_new: [...now].filter(([key]) => !old.has(key)).map(([, v]) => v.id),
    errors,
  };
}

function points(value: number | null): string {
  return value === null ? "—" : `${value >= 0 ? "+" : ""}${(value * 100).toFixed(1)} pp`;
}

function share(rate: Rate): string {
  return rate.rate === null ? "—" : `${(rate.rate * 100).toFixed(1)} % (${rate.hits} of ${rate.n})`;
}

/** The comparison as lines for the terminal. */
export function comparisonLines(c: Comparison): string[] {
  const flips = (title: string, list: Flip[]) => [
    `${title}: ${list.length}`,
    ...list.slice(0, 50).map((f) => `  ${f.id} ${f.from} -> ${f.to}  ${f.question.slice(0, 60)}`),
  ];
  const interval = (i: { low: number; high: number } | null) =>
    i ? `95 % bootstrap interval ${points(i.low)} to ${points(i.high)}` : "";
  return [
    `compared      ${c.pairs} question(s) with a grade in both runs${c.pairs < 30 ? " (fewer than 30: weak evidence)" : ""}`,
    `PASS          ${share(c.old_pass)} -> ${share(c.new_pass)}  ${points(c.pass_difference)}  ${interval(c.pass_interval)}`,
    `keyword rate  ${points(c.keyword_difference)}  ${interval(c.keyword_interval)}`,
    `McNemar       exact two-sided p = ${c.mcnemar_p.toFixed(4)} (${c.gained.length} gained, ${c.lost.length} lost)`,
    ...flips("gained", c.gained),
    ...flips("lost", c.lost),
    ...flips("moved", c.moved),
    ...(c.errors.length > 0 ? [`left out (ERROR in one run): ${c.errors.join(", ")}`] : []),
    ...(c.only_old.length > 0 ? [`only in the old run: ${c.only_old.join(", ")}`] : []),
    ...(c.only_new.length > 0 ? [`only in the new run: ${c.only_new.join(", ")}`] : []),
  ];
}
