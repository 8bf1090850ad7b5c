import { compareResults, comparisonLines } from "../compare/compare.ts";
import { readSecrets } from "../config/secrets.ts";
import { checkLines, runDoctor } from "../doctor/doctor.ts";
import { configError, EXIT, type ExitCode } from "../exit-codes.ts";
import { type LintFinding, lintQuestions } from "../questions/lint.ts";
import { loadQuestions } from "../questions/schema.ts";
import { makeMatcher } from "../results/build.ts";
import { loadResults } from "../results/load.ts";
import { runPaths } from "../results/paths.ts";
import { KeywordMatcher } from "../scoring/matcher.ts";
import type { CliArgs } from "./args.ts";
import { type CliContext, loadWithArgs } from "./context.ts";

function print(args: CliArgs, context: CliContext, value: unknown, lines: string[]): void {
  if (args.json) context.console.out(JSON.stringify(value, null, 2));
  else for (const line of lines) context.console.out(line);
}

/** `doctor`: one tiny call to the agent, the knowledge base and the model. */
export async function doctor(args: CliArgs, context: CliContext): Promise<ExitCode> {
  const loaded = await loadWithArgs(args);
  const secrets = readSecrets(loaded.config, ["agentToken", "mcpToken", "llmKey"], context.env);
  context.protect?.(secrets);
  const checks = await runDoctor(loaded, secrets, context.signal);
  print(args, context, checks, checkLines(checks));
  return checks.every((check) => check.ok) ? EXIT.ok : EXIT.infrastructure;
}

function lintLines(findings: readonly LintFinding[], total: number): string[] {
  const count = (severity: string) => findings.filter((finding) => finding.severity === severity).length;
  return [
    ...findings.map((f) =>
      [f.severity, f.rule, f.q_ids.join(", "), f.message].filter((part) => part !== "").join("  "),
    ),
    `lint: ${total} question(s), ${count("error")} error(s), ${count("warning")} warning(s)`,
  ];
}

/** `lint [FILE]`: checks a question set. Exit 2 for errors; warnings only are exit 0. */
export async function lint(args: CliArgs, context: CliContext): Promise<ExitCode> {
  const [file] = args.positionals;
  const loaded = file === undefined ? await loadWithArgs(args) : undefined;
  const questions = await loadQuestions(file ?? (loaded ? runPaths(loaded).questions : ""));
  const findings = lintQuestions(questions, loaded ? await makeMatcher(loaded) : new KeywordMatcher());
  print(args, context, findings, lintLines(findings, questions.length));
  return findings.some((finding) => finding.severity === "error") ? EXIT.config : EXIT.ok;
}

/** `compare OLD NEW`: question by question; `--fail-if-drop` is the gate. */
export async function compare(args: CliArgs, context: CliContext): Promise<ExitCode> {
  const [before, after, ...more] = args.positionals;
  if (before === undefined || after === undefined || more.length > 0) {
    throw configError("compare needs two result files: compare OLD.json NEW.json");
  }
  const comparison = compareResults(await loadResults(before), await loadResults(after));
  print(args, context, comparison, comparisonLines(comparison));
  if (comparison.pairs === 0) throw configError("compare: no question has a grade in both files");
  const unanswered = comparison.errors.length;
  if (args.failIfDrop !== undefined && unanswered > comparison.pairs) {
    context.console.note(
      `compare: ${unanswered} question(s) have an ERROR in one of the two runs and only ${comparison.pairs} a grade in both: that decides no gate`,
    );
    return EXIT.infrastructure;
  }
  const drop = -(comparison.pass_difference ?? 0);
  // The tolerance only absorbs floating point noise at exactly the allowed drop.
  if (args.failIfDrop !== undefined && drop > args.failIfDrop + 1e-9) {
    context.console.note(
      `GATE: the pass rate fell by ${(drop * 100).toFixed(1)} pp, more than ${(args.failIfDrop * 100).toFixed(1)} pp`,
    );
    return EXIT.gate;
  }
  return EXIT.ok;
}
