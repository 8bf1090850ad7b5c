/**
 * bench:routing — the embedded judge, each figure against its goal.
 *
 *   node bench/routing.ts [--records file.jsonl[.gz]] [--prompts file.jsonl]
 *
 * Without arguments every figure but the speed is cross-validated on the data that the shipped model was trained on.
 * With `--records` (layout of routellm.dev.jsonl.gz) or `--prompts` (layout of bench/routing/tiers.jsonl) the shipped model is
 * measured on data that it never saw.
 */
import { readFileSync } from "node:fs";
import {
  type Answered,
  answered,
  type Graded,
  graded,
  random,
} from "../packages/clawxrouter/scripts/train-judge/data.ts";
import {
  crossValidate,
  examples,
  quantilesOf,
  recovery,
  type Variant,
} from "../packages/clawxrouter/scripts/train-judge/fit-strong.ts";
import {
  crossValidateTiers,
  type TierVariant,
  tierExamples,
} from "../packages/clawxrouter/scripts/train-judge/fit-tiers.ts";
import { TIERS, type Tier } from "../packages/clawxrouter/src/config-file/schema.ts";
import { EmbeddedJudge, WEAK_UP_TO } from "../packages/clawxrouter/src/judge/embedded-judge.ts";
import { examOf } from "../packages/clawxrouter/src/judge/exam.ts";
import { rankOf } from "../packages/clawxrouter/src/judge/strong-need.ts";
import { viewOf } from "../packages/clawxrouter/src/judge/text.ts";
import { atLeast, atMost, type Check, printVerdict } from "./verdict.ts";

const FOLDS = 5;
const SEEDS = [1, 2, 3];

const checks: Check[] = [];

const mean = (values: readonly number[]): number =>
  values.reduce((a, b) => a + b, 0) / Math.max(1, values.length);
const three = (value: number): number => Number(value.toFixed(3));

function row(records: readonly Answered[], runs: readonly ArrayLike<number>[]) {
  const all = runs.map((scores) => recovery(records, scores));
  return {
    "strong calls for 80 % of the gap": three(mean(all.map((r) => r.callsFor80))),
    "gap at 50 % calls": three(mean(all.map((r) => r.at50))),
    "at 60 %": three(mean(all.map((r) => r.at60))),
    "at 70 %": three(mean(all.map((r) => r.at70))),
    "mean (random 0.5)": three(mean(all.map((r) => r.mean))),
  };
}

/** Share of strong calls and gap recovered where the verdict itself routes: COMPLEX and above to the strong model. */
function byVerdict(records: readonly Answered[], strong: (index: number) => boolean) {
  let [calls, gained, gap] = [0, 0, 0];
  records.forEach((record, i) => {
    const gain = Number(record.strong) - Number(record.weak);
    gap += gain;
    if (!strong(i)) return;
    calls += 1;
    gained += gain;
  });
  return { calls: calls / records.length, recovered: gained / gap };
}

function baselines(records: readonly Answered[]) {
  const chance = SEEDS.map((seed) => {
    const next = random(seed);
    return records.map(() => next());
  });
  return {
    random: row(records, chance),
    "length only": row(records, [records.map((record) => record.prompt.length)]),
  };
}

function crossValidated(records: readonly Answered[]): void {
  console.log(
    `\nRouteLLM dev: ${records.length} records, ${FOLDS}-fold cross-validation, seeds ${SEEDS.join(", ")}`,
  );
  const all = examples(records);
  const runs = new Map<Variant, Float64Array[]>();
  for (const variant of ["words", "structure", "both"] as const) {
    const scores: Float64Array[] = [];
    for (const seed of SEEDS) {
      scores.push(crossValidate(all, variant, FOLDS, seed));
      console.log(`  ${variant}, seed ${seed} done`);
    }
    runs.set(variant, scores);
  }
  console.table({
    ...baselines(records),
    "hashed words (logistic)": row(records, runs.get("words") ?? []),
    "structure (boosted trees)": row(records, runs.get("structure") ?? []),
    "both, as shipped": row(records, runs.get("both") ?? []),
  });
  const both = runs.get("both") ?? [];
  const figures = both.map((scores) => recovery(records, scores));
  checks.push(atMost("strong calls for 80 % of the gap", mean(figures.map((r) => r.callsFor80)), 0.7, ""));
  checks.push(atLeast("gap recovered at 70 % strong calls", mean(figures.map((r) => r.at70)), 0.8, ""));
  const question = records.map((record) => examOf(viewOf(record.prompt)).isQuestion);
  // Ranks of one seed by the quantiles of another: the cut is not fitted on the scores that it cuts.
  const routed = both.map((scores, s) => {
    const quantiles = quantilesOf(both[(s + 1) % both.length] ?? scores);
    // What is not known as a question of this kind goes to the strong model here: the dearer side.
    return byVerdict(
      records,
      (i) => question[i] === false || rankOf(scores[i] ?? 0, quantiles) >= WEAK_UP_TO,
    );
  });
  console.log(
    `known as exam question by their form: ${((question.filter(Boolean).length / question.length) * 100).toFixed(1)} %`,
  );
  checks.push(
    atMost(
      "verdict COMPLEX or above as strong: share of strong calls",
      mean(routed.map((r) => r.calls)),
      0.7,
      "",
    ),
  );
  checks.push(
    atLeast(
      "verdict COMPLEX or above as strong: gap recovered",
      mean(routed.map((r) => r.recovered)),
      0.8,
      "",
    ),
  );
}

function unseenRecords(judge: EmbeddedJudge, file: string): void {
  const records = answered(file);
  if (records === undefined) throw new Error(`${file} is not here`);
  console.log(`\n${file}: ${records.length} records, shipped model`);
  const verdicts = records.map((record) => judge.grade(record.prompt));
  const scores = verdicts.map((verdict) => verdict.strongNeed);
  console.table({ ...baselines(records), shipped: row(records, [scores]) });
  checks.push(atMost("strong calls for 80 % of the gap", recovery(records, scores).callsFor80, 0.7, ""));
  const routed = byVerdict(
    records,
    (i) => TIERS.indexOf(verdicts[i]?.tier ?? "COMPLEX") >= TIERS.indexOf("COMPLEX"),
  );
  checks.push(atMost("verdict COMPLEX or above as strong: share of strong calls", routed.calls, 0.7, ""));
  checks.push(atLeast("verdict COMPLEX or above as strong: gap recovered", routed.recovered, 0.8, ""));
}

function agreement(prompts: readonly Graded[], guesses: readonly Tier[]) {
  const at = (i: number): number =>
    Math.abs(TIERS.indexOf(prompts[i]?.tier ?? "SIMPLE") - TIERS.indexOf(guesses[i] ?? "SIMPLE"));
  const over = (keep: (p: Graded) => boolean) => {
    const distances = prompts.flatMap((p, i) => (keep(p) ? [at(i)] : []));
    return {
      prompts: distances.length,
      exact: three(distances.filter((d) => d === 0).length / Math.max(1, distances.length)),
      "within one": three(distances.filter((d) => d <= 1).length / Math.max(1, distances.length)),
    };
  };
  return {
    all: over(() => true),
    en: over((p) => p.lang === "en"),
    zh: over((p) => p.lang === "zh"),
    mixed: over((p) => p.lang === "mixed"),
  };
}

function confusion(prompts: readonly Graded[], guesses: readonly Tier[]) {
  return Object.fromEntries(
    TIERS.map((tier) => [
      `is ${tier}`,
      Object.fromEntries(
        TIERS.map((guess) => [
          guess,
          prompts.filter((p, i) => p.tier === tier && guesses[i] === guess).length,
        ]),
      ),
    ]),
  );
}

function tiersCrossValidated(): void {
  const prompts = tierExamples(graded());
  console.log(`\nTiers: ${prompts.length} prompts graded by hand, ${FOLDS}-fold cross-validation, seed 1`);
  const table: Record<string, object> = {};
  let shipped: Tier[] = [];
  for (const [variant, name] of [
    ["grams", "n-grams only"],
    ["groups", "word groups and shape only"],
    ["both", "both, as shipped"],
  ] as const satisfies readonly (readonly [TierVariant, string])[]) {
    shipped = crossValidateTiers(prompts, variant, FOLDS, 1).map((guess) => guess.tier);
    table[name] = agreement(prompts, shipped).all;
  }
  console.table(table);
  console.table(confusion(prompts, shipped));
  const byLanguage = agreement(prompts, shipped);
  console.table(byLanguage);
  checks.push(atLeast("prompts graded by hand", prompts.length, 300, ""));
  checks.push(atLeast("tier agreement, exact", byLanguage.all.exact, 0.8, ""));
  checks.push(atLeast("tier agreement, within one", byLanguage.all["within one"], 0.9, ""));
}

function unseenPrompts(judge: EmbeddedJudge, file: string, goal?: number): void {
  const prompts = graded(file);
  const verdicts = prompts.map((p) => judge.grade(p.prompt));
  const guesses = verdicts.map((v) => v.tier);
  console.log(`\n${file}: ${prompts.length} prompts, shipped model, none of them in training`);
  console.table(confusion(prompts, guesses));
  const table = agreement(prompts, guesses);
  console.table(table);
  const sure = verdicts.flatMap((v, i) => (v.confidence >= 0.5 ? [v.tier === prompts[i]?.tier ? 1 : 0] : []));
  console.log(
    `confidence >= 0.5: ${sure.length} of ${prompts.length} prompts, ${(mean(sure) * 100).toFixed(1)} % of them exact`,
  );
  if (goal !== undefined)
    checks.push(atLeast("unseen prompts, within one", table.all["within one"], goal, ""));
}

function speed(judge: EmbeddedJudge, prompts: readonly string[]): void {
  for (let i = 0; i < 3; i++) for (const prompt of prompts) judge.grade(prompt);
  const times: number[] = [];
  for (let i = 0; i < 3; i++)
    for (const prompt of prompts) {
      const started = performance.now();
      judge.grade(prompt);
      times.push(performance.now() - started);
    }
  times.sort((a, b) => a - b);
  console.log(`\nSpeed, warm, ${times.length} calls`);
  checks.push(atMost("median of a prompt", times[times.length >> 1] ?? 0, 1, "ms"));
  checks.push(atMost("p99 of a prompt", times[Math.floor(times.length * 0.99)] ?? 0, 1, "ms"));
  const large = ["a", "é", "汉", " ", "\n", "a ", "9", "__", "A. 1\n", "```", "😀"].map((unit) =>
    unit.repeat(Math.ceil(100_000 / unit.length)),
  );
  const worst = large.map((text) =>
    Math.min(
      ...[1, 2, 3].map(() => {
        const started = performance.now();
        judge.grade(text);
        return performance.now() - started;
      }),
    ),
  );
  checks.push(atMost("slowest of eleven hostile texts of 100 kB", Math.max(...worst), 5, "ms"));
}

const argument = (name: string): string | undefined => {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
};

const judge = new EmbeddedJudge();
const recordsFile = argument("--records");
const promptsFile = argument("--prompts");
if (recordsFile !== undefined) unseenRecords(judge, recordsFile);
if (promptsFile !== undefined) unseenPrompts(judge, promptsFile);
if (recordsFile === undefined && promptsFile === undefined) {
  const records = answered();
  if (records === undefined)
    console.log("skip  RouteLLM: ../shared/data/routing/routellm.dev.jsonl.gz is not here");
  else crossValidated(records);
  tiersCrossValidated();
  unseenPrompts(judge, new URL("routing/tiers-unseen.jsonl", import.meta.url).pathname, 0.8);
  const model = readFileSync(new URL("../packages/clawxrouter/src/judge/data/model.json", import.meta.url));
  console.log();
  checks.push(atMost("model file", model.length / 1000, 300, "kB"));
  speed(judge, [...graded().map((p) => p.prompt), ...(records ?? []).slice(0, 2_000).map((r) => r.prompt)]);
}
printVerdict(checks);
