/**
 * Trains the embedded judge and writes src/judge/data/model.json:
 *
 *   node packages/clawxrouter/scripts/train-judge.ts
 *
 * Reads `../shared/data/routing/routellm.dev.jsonl.gz` and `bench/routing/tiers.jsonl`. Deterministic: the same data give the
 * same file. How good it is, cross-validated, says `pnpm bench:routing`.
 */
import { execFileSync } from "node:child_process";
import { renameSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { loadModel, type ModelFile } from "../src/judge/model.ts";
import { answered, graded } from "./train-judge/data.ts";
import { crossValidate, examples, fitStrong, quantilesOf, strongFile } from "./train-judge/fit-strong.ts";
import {
  crossValidateTiers,
  fitTiers,
  sharpnessOf,
  tierExamples,
  tiersFile,
} from "./train-judge/fit-tiers.ts";

const FOLDS = 5;
const SEED = 1;

const file = fileURLToPath(new URL("../src/judge/data/model.json", import.meta.url));
const records = answered();
if (records === undefined) {
  console.error(
    "../shared/data/routing/routellm.dev.jsonl.gz is not here: nothing to learn from; the model is left as it is",
  );
  process.exit(1);
}

console.log(`${records.length} answered questions: cross-validating for the ranks`);
const all = examples(records);
const quantiles = quantilesOf(crossValidate(all, "both", FOLDS, SEED));
console.log("training on all of them");
const strong = strongFile(fitStrong(all), quantiles);

const prompts = tierExamples(graded());
console.log(`${prompts.length} graded prompts`);
const sharpness = sharpnessOf(prompts, crossValidateTiers(prompts, "both", FOLDS, SEED));
const tiers = tiersFile(fitTiers(prompts, "both", sharpness));

const model: ModelFile = { version: 1, strong, tiers };
loadModel(model);
const text = `${JSON.stringify(model)}\n`;
writeFileSync(`${file}.tmp`, text, { flush: true });
renameSync(`${file}.tmp`, file);
// The lint step formats JSON too.
execFileSync(
  fileURLToPath(new URL("../../../node_modules/.bin/biome", import.meta.url)),
  ["format", "--write", file],
  { stdio: "ignore" },
);
console.log(`wrote ${file}: ${(statSync(file).size / 1000).toFixed(0)} kB, sharpness ${sharpness}`);
