/**
 * `pnpm bench:knot`: how well gold keywords are found in answers, beside plain substring matching, on
 * hand-labelled pairs. Ends with `N passed, N failed`; exit 1 when a goal is missed.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseEquivalents } from "../packages/knot-eval-skill/src/scoring/equivalents.ts";
import { KeywordMatcher } from "../packages/knot-eval-skill/src/scoring/matcher.ts";
import { PAIRS, type Pair } from "./knot-pairs.ts";
import { atLeast, holds, printVerdict } from "./verdict.ts";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const GOALS = { pairs: 120, precision: 0.98, recall: 0.95 };

interface Tally {
  tp: number;
  fp: number;
  fn: number;
  tn: number;
}

function tally(pairs: readonly Pair[], states: (pair: Pair) => boolean): Tally {
  const result = { tp: 0, fp: 0, fn: 0, tn: 0 };
  for (const pair of pairs) {
    const found = states(pair);
    if (found) result[pair.states ? "tp" : "fp"] += 1;
    else result[pair.states ? "fn" : "tn"] += 1;
  }
  return result;
}

const precision = (t: Tally) => (t.tp + t.fp === 0 ? 1 : t.tp / (t.tp + t.fp));
const recall = (t: Tally) => (t.tp + t.fn === 0 ? 1 : t.tp / (t.tp + t.fn));
const pct = (value: number) => `${(value * 100).toFixed(1)} %`.padStart(8);

const equivalents = parseEquivalents(
  JSON.parse(
    readFileSync(path.join(root, "packages/knot-eval-skill/references/equivalent_map.json"), "utf8"),
  ),
);
const matcher = new KeywordMatcher({ equivalents });
const ours = (pair: Pair) => "hit" in matcher.match(pair.keyword, matcher.prepareAnswer(pair.answer));
const plain = (pair: Pair) => pair.answer.includes(pair.keyword);

console.log("Keyword matching on hand-labelled Chinese keyword/answer pairs\n");
console.log("kind           pairs   matcher P / R          substring P / R");
for (const kind of [...new Set(PAIRS.map((pair) => pair.kind))]) {
  const list = PAIRS.filter((pair) => pair.kind === kind);
  const a = tally(list, ours);
  const b = tally(list, plain);
  console.log(
    `${kind.padEnd(14)} ${String(list.length).padStart(5)}  ${pct(precision(a))} ${pct(recall(a))}     ${pct(precision(b))} ${pct(recall(b))}`,
  );
}
const all = tally(PAIRS, ours);
const substring = tally(PAIRS, plain);
console.log(
  `${"all".padEnd(14)} ${String(PAIRS.length).padStart(5)}  ${pct(precision(all))} ${pct(recall(all))}     ${pct(precision(substring))} ${pct(recall(substring))}\n`,
);

for (const pair of PAIRS) {
  if (ours(pair) !== pair.states)
    console.log(
      `  ${pair.states ? "missed  " : "false hit"} ${pair.kind}: 「${pair.keyword}」 in 「${pair.answer}」`,
    );
}

const started = performance.now();
let rounds = 0;
while (performance.now() - started < 500) {
  for (const pair of PAIRS) ours(pair);
  rounds += 1;
}
console.log(
  `speed: ${Math.round((rounds * PAIRS.length) / ((performance.now() - started) / 1000))} pairs a second, one thread\n`,
);

const f1 = (t: Tally): number => (2 * t.tp) / (2 * t.tp + t.fp + t.fn);
printVerdict([
  atLeast("labelled pairs", PAIRS.length, GOALS.pairs, ""),
  atLeast("precision", 100 * precision(all), 100 * GOALS.precision, "%"),
  atLeast("recall", 100 * recall(all), 100 * GOALS.recall, "%"),
  holds(
    "F1 above plain substring",
    f1(all) > f1(substring),
    `${pct(f1(all)).trim()} over ${pct(f1(substring)).trim()}`,
  ),
]);
