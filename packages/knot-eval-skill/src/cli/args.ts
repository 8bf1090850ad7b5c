import { parseArgs } from "node:util";
import { configError } from "../exit-codes.ts";

export const STAGES = ["gen", "eval", "ai_review", "merge_review", "render", "export"] as const;
export type Stage = (typeof STAGES)[number];

export const COMMANDS = ["run", "doctor", "compare", "lint"] as const;
export type Command = (typeof COMMANDS)[number];

export interface CliArgs {
  command: Command;
  positionals: string[];
  config: string;
  stages: Stage[];
  /** True for `--stage all`: a run that stops at ai_review on purpose. */
  all: boolean;
  dryRun: boolean;
  replay: string | undefined;
  record: boolean;
  repeat: number | undefined;
  concurrency: number | undefined;
  questions: string | undefined;
  outDir: string | undefined;
  failUnder: number | undefined;
  failIfDrop: number | undefined;
  json: boolean;
  help: boolean;
  version: boolean;
}

export const USAGE = `knot-agent-eval: gold-standard evaluation of RAG agents on Knot / Knot 智能体金标准评测

  node cli.mjs --config eval_config.yaml --stage gen|eval|ai_review|merge_review|render|export|all
               (a comma list is run in the order of the pipeline)
  node cli.mjs doctor  --config eval_config.yaml      check configuration, agent, knowledge base, model
  node cli.mjs lint    --config eval_config.yaml      check the question set  (or: lint FILE)
  node cli.mjs compare OLD.json NEW.json              flips, McNemar test, bootstrap interval

  --config FILE          default eval_config.yaml
  --questions FILE       question set instead of output.questions
  --out DIR              output folder instead of output.dir
  --repeat K             ask each question K times (pass^k, flaky list)
  --concurrency N        requests at the same time
  --dry-run              print the requests and an estimate, send nothing
  --record               keep the raw streams (folder streams/)
  --replay DIR           answer from recorded streams instead of the network
  --fail-under 95%       exit 1 when the pass rate is lower
  --fail-if-drop 3pp     compare: exit 1 when the pass rate fell by more
  --json                 machine-readable output of doctor, lint and compare

  Exit codes: 0 ok, 1 a gate failed, 2 configuration or input, 3 infrastructure.`;

function isOneOf<T extends string>(value: string, list: readonly T[]): value is T {
  return (list as readonly string[]).includes(value);
}

function parseStages(text: string): { stages: Stage[]; all: boolean } {
  const names = text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  if (names.length === 0) throw configError(`--stage needs one of ${STAGES.join(", ")}, all`);
  if (names.includes("all")) return { stages: [...STAGES], all: true };
  const unknown = names.filter((name) => !isOneOf(name, STAGES));
  if (unknown.length > 0)
    throw configError(`Unknown stage ${unknown.join(", ")}; allowed: ${STAGES.join(", ")}, all`);
  return { stages: STAGES.filter((stage) => names.includes(stage)), all: false };
}

/** `95%`, `0.95` or `3pp` as a share between 0 and 1. */
export function parseShare(text: string, option: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*(%|pp)?$/.exec(text.trim());
  const value = match ? Number(match[1]) / (match[2] ? 100 : 1) : Number.NaN;
  if (!Number.isFinite(value) || value < 0 || value > 1)
    throw configError(`${option} needs a share such as 95%, 0.95 or 3pp, not "${text}"`);
  return value;
}

function parseCount(text: string | undefined, option: string): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,3}$/.test(text)) throw configError(`${option} needs a whole number from 1, not "${text}"`);
  return Number(text);
}

/** Reads the command line. @throws StageError (exit 2) with what is wrong */
export function parseCli(argv: readonly string[]): CliArgs {
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(argv);
  } catch (error) {
    throw configError(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  }
  const { values, positionals } = parsed;
  const [first, ...rest] = positionals;
  const command: Command = first !== undefined && isOneOf(first, COMMANDS) ? first : "run";
  const others = command === "run" && first !== "run" ? positionals : rest;
  if (command === "run" && others.length > 0)
    throw configError(`Unknown argument ${others.join(" ")}\n\n${USAGE}`);
  const wantsStage = command === "run" && !values.help && !values.version;
  if (wantsStage && values.stage === undefined) throw configError(`--stage is missing\n\n${USAGE}`);
  const { stages, all } = values.stage === undefined ? { stages: [], all: false } : parseStages(values.stage);
  return {
    command,
    positionals: others,
    config: values.config ?? "eval_config.yaml",
    stages,
    all,
    dryRun: values["dry-run"] ?? false,
    replay: values.replay,
    record: values.record ?? false,
    repeat: parseCount(values.repeat, "--repeat"),
    concurrency: parseCount(values.concurrency, "--concurrency"),
    questions: values.questions,
    outDir: values.out,
    failUnder:
      values["fail-under"] === undefined ? undefined : parseShare(values["fail-under"], "--fail-under"),
    failIfDrop:
      values["fail-if-drop"] === undefined ? undefined : parseShare(values["fail-if-drop"], "--fail-if-drop"),
    json: values.json ?? false,
    help: values.help ?? false,
    version: values.version ?? false,
  };
}

function parse(argv: readonly string[]) {
  return parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      config: { type: "string", short: "c" },
      stage: { type: "string", short: "s" },
      questions: { type: "string" },
      out: { type: "string" },
      repeat: { type: "string" },
      concurrency: { type: "string" },
      "dry-run": { type: "boolean" },
      record: { type: "boolean" },
      replay: { type: "string" },
      "fail-under": { type: "string" },
      "fail-if-drop": { type: "string" },
      json: { type: "boolean" },
      help: { type: "boolean", short: "h" },
      version: { type: "boolean", short: "v" },
    },
  });
}
