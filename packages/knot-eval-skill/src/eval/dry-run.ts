import type { EvalConfig } from "../config/schema.ts";
import { knotRequest } from "../knot/client.ts";
import type { Question } from "../questions/schema.ts";
import type { ResultsFile } from "../results/schema.ts";
import { planTasks } from "./key.ts";

/** Rough token count: about 0.7 a Chinese character, 0.3 any other. */
export function roughTokens(text: string): number {
  let tokens = 0;
  for (const char of text) tokens += /\p{Script=Han}/u.test(char) ? 0.7 : 0.3;
  return Math.ceil(tokens);
}

/** Assumed for an agent of which nothing was measured yet: retrieved context in, a paragraph out. */
const ASSUMED = { input: 3_000, output: 400 };

/** What `--dry-run` prints for stage eval. Sends nothing. */
export function evalDryRun(
  config: EvalConfig,
  questions: readonly Question[],
  known: ResultsFile | undefined,
  done: ReadonlySet<string>,
): string[] {
  const tasks = planTasks(questions, config);
  const open = tasks.filter((task) => !done.has(task.key));
  const first = open[0] ?? tasks[0];
  const lines = [
    `dry-run eval: ${open.length} request(s) (${questions.length} questions x ${config.eval.repeat}, ${tasks.length - open.length} on disk already), ${config.eval.concurrency} at a time`,
  ];
  if (first) {
    const request = knotRequest(config.agent, first.question.question);
    lines.push(`POST ${request.url}`);
    for (const [name, value] of Object.entries(request.headers)) lines.push(`  ${name}: ${value}`);
    lines.push("  x-knot-api-token: [REDACTED]", `  ${JSON.stringify(request.body)}`);
  }
  const measured = (known?.items ?? []).flatMap((item) => (item.usage ? [item.usage] : []));
  const mean = (pick: (u: { input: number; output: number }) => number, fallback: number) =>
    measured.length === 0 ? fallback : measured.reduce((sum, u) => sum + pick(u), 0) / measured.length;
  const asked = open.reduce((sum, task) => sum + roughTokens(task.question.question), 0);
  const input = Math.round(
    open.length * mean((u) => u.input, ASSUMED.input) + (measured.length === 0 ? asked : 0),
  );
  const output = Math.round(open.length * mean((u) => u.output, ASSUMED.output));
  lines.push(
    `estimate: ${input} input and ${output} output tokens (${measured.length > 0 ? `from ${measured.length} measured answers` : "assumed, nothing measured yet"})`,
  );
  const { price } = config.report;
  if (price)
    lines.push(
      `estimate: ${((input * price.input_per_million + output * price.output_per_million) / 1_000_000).toFixed(4)} ${price.currency}`,
    );
  else lines.push("estimate: no cost, report.price is not set");
  return lines;
}
