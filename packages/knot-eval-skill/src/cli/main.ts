import type { LoadedConfig } from "../config/load.ts";
import { loadConfig } from "../config/load.ts";
import { readSecrets, type SecretName } from "../config/secrets.ts";
import { runEval } from "../eval/stage.ts";
import { EXIT, type ExitCode, StageError } from "../exit-codes.ts";
import { closeIdleConnections } from "../net/http.ts";
import { loadQuestions } from "../questions/schema.ts";
import { runExport, runRender } from "../report/stage.ts";
import { judge } from "../results/gate.ts";
import { runPaths } from "../results/paths.ts";
import { summarise } from "../stats/summary.ts";
import { type CliArgs, parseCli, type Stage, USAGE } from "./args.ts";
import type { Console } from "./console.ts";
import { summaryLines } from "./summary-lines.ts";
import { VERSION } from "./version.ts";

export interface CliContext {
  console: Console;
  env: Readonly<Record<string, string | undefined>>;
  signal?: AbortSignal;
}

/** Tokens each stage needs. */
const NEEDED: Record<Stage, readonly SecretName[]> = {
  gen: ["mcpToken", "llmKey"],
  eval: ["agentToken"],
  ai_review: [],
  merge_review: [],
  render: [],
  export: [],
};

function withOverrides(loaded: LoadedConfig, args: CliArgs): LoadedConfig {
  const { config } = loaded;
  return {
    ...loaded,
    config: {
      ...config,
      eval: {
        ...config.eval,
        ...(args.repeat === undefined ? {} : { repeat: args.repeat }),
        ...(args.concurrency === undefined ? {} : { concurrency: args.concurrency }),
        ...(args.record ? { record_streams: true } : {}),
      },
      output: {
        ...config.output,
        ...(args.outDir === undefined ? {} : { dir: args.outDir }),
        ...(args.questions === undefined ? {} : { questions: args.questions }),
      },
      gate: { ...config.gate, ...(args.failUnder === undefined ? {} : { min_pass_rate: args.failUnder }) },
    },
  };
}

async function runStages(args: CliArgs, context: CliContext): Promise<ExitCode> {
  const { console } = context;
  const loaded = withOverrides(await loadConfig(args.config), args);
  for (const warning of loaded.warnings) console.note(`warning: ${warning}`);
  const paths = runPaths(loaded);
  const needed = args.stages.flatMap((stage) => (stage === "eval" && args.replay ? [] : NEEDED[stage]));
  const secrets = readSecrets(loaded.config, needed, context.env);
  let exitCode: ExitCode = EXIT.ok;
  for (const stage of args.stages) {
    if (stage === "eval") {
      const questions = await loadQuestions(paths.questions);
      const results = await runEval({
        loaded,
        paths,
        secrets,
        questions,
        console,
        ...(context.signal ? { signal: context.signal } : {}),
      });
      const summary = summarise(results);
      for (const line of summaryLines(summary)) console.out(line);
      console.out(`eval: ${paths.results}`);
      const verdict = judge(summary, loaded.config.gate);
      for (const reason of verdict.reasons) console.note(reason);
      exitCode = verdict.exitCode;
      if (exitCode === EXIT.infrastructure) return exitCode;
    } else if (stage === "render") await runRender(loaded, paths, console);
    else if (stage === "export") await runExport(loaded, paths, console);
  }
  return exitCode;
}

/**
 * The command line as a function: no global state, no process.exit.
 *
 * @returns the exit code (see exit-codes.ts)
 */
export async function main(argv: readonly string[], context: CliContext): Promise<ExitCode> {
  const { console } = context;
  try {
    const args = parseCli(argv);
    if (args.help) {
      console.out(USAGE);
      return EXIT.ok;
    }
    if (args.version) {
      console.out(VERSION);
      return EXIT.ok;
    }
    return await runStages(args, context);
  } catch (error) {
    if (error instanceof StageError) {
      console.note(error.message);
      return error.exitCode;
    }
    console.note(
      `unexpected error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
    return EXIT.infrastructure;
  } finally {
    closeIdleConnections();
  }
}
