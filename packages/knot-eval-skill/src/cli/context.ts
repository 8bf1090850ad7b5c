import path from "node:path";
import { type LoadedConfig, loadConfig } from "../config/load.ts";
import type { Secrets } from "../config/secrets.ts";
import type { CliArgs } from "./args.ts";
import type { Console } from "./console.ts";

/** What a command gets from its process. */
export interface CliContext {
  console: Console;
  env: Readonly<Record<string, string | undefined>>;
  signal?: AbortSignal;
  /** Tells the console which tokens to take out of everything it prints from now on. */
  protect?: (secrets: Secrets) => void;
}

/** Loads the configuration and puts the command line's values over it. */
export async function loadWithArgs(args: CliArgs): Promise<LoadedConfig> {
  const loaded = await loadConfig(args.config);
  const { config } = loaded;
  return {
    ...loaded,
    config: {
      ...config,
      eval: {
        ...config.eval,
        repeat: args.repeat ?? config.eval.repeat,
        concurrency: args.concurrency ?? config.eval.concurrency,
        record_streams: args.record || config.eval.record_streams,
      },
      output: {
        dir: args.outDir === undefined ? config.output.dir : path.resolve(args.outDir),
        questions: args.questions === undefined ? config.output.questions : path.resolve(args.questions),
      },
      gate: { ...config.gate, min_pass_rate: args.failUnder ?? config.gate.min_pass_rate },
    },
  };
}
