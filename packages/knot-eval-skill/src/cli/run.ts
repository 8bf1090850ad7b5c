import { existsSync } from "node:fs";
import path from "node:path";
import type { LoadedConfig } from "../config/load.ts";
import { readSecrets, type SecretName, type Secrets } from "../config/secrets.ts";
import { evalDryRun } from "../eval/dry-run.ts";
import { ReplayAnswerer } from "../eval/replay.ts";
import { type EvalStageInput, runEval } from "../eval/stage.ts";
import { configError, EXIT, type ExitCode } from "../exit-codes.ts";
import { lockFolder } from "../files/lock.ts";
import { skillFile } from "../files/skill.ts";
import { genDryRun } from "../gen/dry-run.ts";
import { runGen } from "../gen/stage.ts";
import { loadQuestions } from "../questions/schema.ts";
import { runExport, runRender } from "../report/stage.ts";
import { judge } from "../results/gate.ts";
import { Journal } from "../results/journal.ts";
import { loadResults } from "../results/load.ts";
import { type RunPaths, runPaths } from "../results/paths.ts";
import { runMergeReview } from "../review/merge.ts";
import { runPendingReview } from "../review/pending.ts";
import { summarise } from "../stats/summary.ts";
import type { CliArgs, Stage } from "./args.ts";
import { type CliContext, loadWithArgs } from "./context.ts";
import { summaryLines } from "./summary-lines.ts";

/** Tokens each stage needs. */
const NEEDED: Record<Stage, readonly SecretName[]> = {
  gen: ["mcpToken", "llmKey"],
  eval: ["agentToken"],
  ai_review: [],
  merge_review: [],
  render: [],
  export: [],
};

/** Runs the chosen stages in pipeline order. */
export async function runStages(args: CliArgs, context: CliContext): Promise<ExitCode> {
  const { console } = context;
  const loaded = await loadWithArgs(args);
  for (const warning of loaded.warnings) console.note(`warning: ${warning}`);
  const paths = runPaths(loaded);
  refuseSkillFolder(paths.dir);
  if (args.dryRun) return await dryRun(args, loaded, paths, context);
  const needed = args.stages.flatMap((stage) =>
    (stage === "eval" && args.replay !== undefined) ||
    (stage === "gen" && args.all && existsSync(paths.questions))
      ? []
      : NEEDED[stage],
  );
  const secrets = readSecrets(loaded.config, needed, context.env);
  context.protect?.(secrets);
  const unlock = lockFolder(paths.dir);
  try {
    return await inOrder(args, context, loaded, paths, secrets);
  } finally {
    unlock();
  }
}

/** Results belong to the user's working directory; an update of the skill would take them away. */
function refuseSkillFolder(dir: string): void {
  const skill = path.dirname(skillFile("SKILL.md"));
  const inside = path.relative(skill, dir);
  if (inside === "" || !(inside.startsWith("..") || path.isAbsolute(inside)))
    throw configError(
      `The output folder ${dir} lies inside the skill itself. Run in a folder of your own, or name one with --out or output.dir.`,
    );
}

async function inOrder(
  args: CliArgs,
  context: CliContext,
  loaded: LoadedConfig,
  paths: RunPaths,
  secrets: Secrets,
): Promise<ExitCode> {
  const { console, signal } = context;
  const base = { loaded, paths, secrets, console, ...(signal ? { signal } : {}) };
  let exitCode: ExitCode = EXIT.ok;
  for (const stage of args.stages) {
    switch (stage) {
      case "gen":
        // Questions made anew are other questions: the answers already given would not fit them.
        if (args.all && existsSync(paths.questions))
          console.note(
            `all: ${paths.questions} is there and is used; --stage gen makes a new set / 沿用已有题库，如需重新出题请运行 --stage gen`,
          );
        else await runGen(base);
        break;
      case "eval":
        exitCode = await evalStage(args, { ...base, questions: await loadQuestions(paths.questions) });
        if (exitCode === EXIT.infrastructure) return exitCode;
        break;
      case "ai_review": {
        const waiting = await runPendingReview(loaded, paths, console);
        // A list that goes on after ai_review stops here on purpose: judging is the agent's work, not a script's.
        if (waiting > 0 && args.stages.includes("merge_review")) return exitCode;
        break;
      }
      case "merge_review":
        // Within `all` there was nothing to judge when we get here; without verdicts there is nothing to merge.
        if (!args.all || existsSync(paths.reviewResults)) await runMergeReview(paths, console);
        break;
      case "render":
        await runRender(loaded, paths, console);
        break;
      case "export":
        await runExport(loaded, paths, console);
        break;
    }
  }
  return exitCode;
}

async function evalStage(args: CliArgs, input: EvalStageInput): Promise<ExitCode> {
  const { console, loaded, paths } = input;
  const replay =
    args.replay === undefined
      ? {}
      : { answerer: new ReplayAnswerer(path.resolve(args.replay), loaded.config.agent) };
  const summary = summarise(await runEval({ ...input, ...replay }));
  for (const line of summaryLines(summary)) console.out(line);
  console.out(`eval: ${paths.results}`);
  const verdict = judge(summary, loaded.config.gate);
  for (const reason of verdict.reasons) console.note(reason);
  return verdict.exitCode;
}

/** Prints what the chosen stages would send; sends nothing. */
async function dryRun(
  args: CliArgs,
  loaded: LoadedConfig,
  paths: RunPaths,
  context: CliContext,
): Promise<ExitCode> {
  const print = (lines: string[]) => {
    for (const line of lines) context.console.out(line);
  };
  if (args.stages.includes("gen")) print(await genDryRun(loaded));
  if (args.stages.includes("eval") && existsSync(paths.questions)) {
    const known = existsSync(paths.results) ? await loadResults(paths.results) : undefined;
    const answered = existsSync(paths.journal)
      ? Journal.read(paths.journal).filter((record) => record.status === "ok")
      : [];
    print(
      evalDryRun(
        loaded.config,
        await loadQuestions(paths.questions),
        known,
        new Set(answered.map((record) => record.key)),
      ),
    );
  } else if (args.stages.includes("eval")) print([`dry-run eval: ${paths.questions} is not there yet`]);
  return EXIT.ok;
}
