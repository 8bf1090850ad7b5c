import type { EvalConfig } from "../config/schema.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import type { Summary } from "../stats/summary.ts";

/** What a run's figures mean for the exit code, with the sentences that say why. */
export interface Verdict {
  exitCode: ExitCode;
  reasons: string[];
}

function percent(value: number): string {
  return `${(value * 100).toFixed(1)} %`;
}

/**
 * Decides the exit code of a run: 3 when nothing could be scored, 1 when a gate is not reached, else 0.
 *
 * Without `min_coverage` some ERROR answers alone fail no gate, but they are always said.
 */
export function judge(summary: Summary, gate: EvalConfig["gate"]): Verdict {
  const reasons: string[] = [];
  const coverage = summary.coverage.rate ?? 0;
  if (summary.errors > 0)
    reasons.push(
      `${summary.scored} scored of ${summary.total}: coverage ${percent(coverage)}, ${summary.errors} ERROR`,
    );
  for (const kind of summary.error_kinds.slice(0, 3)) reasons.push(`  ${kind.count} x ${kind.message}`);
  if (summary.total > 0 && summary.scored === 0) {
    return {
      exitCode: EXIT.infrastructure,
      reasons: [...reasons, "no question could be scored: this says nothing about the agent's quality"],
    };
  }
  const failed: string[] = [];
  const pass = summary.pass.rate ?? 0;
  if (gate.min_pass_rate !== undefined && pass < gate.min_pass_rate)
    failed.push(
      `pass rate ${percent(pass)} (${summary.pass.hits} of ${summary.pass.n}) is under the gate of ${percent(gate.min_pass_rate)}`,
    );
  if (gate.min_coverage !== undefined && coverage < gate.min_coverage)
    failed.push(`coverage ${percent(coverage)} is under the gate of ${percent(gate.min_coverage)}`);
  const flaky = summary.repetition;
  if (gate.max_flaky_rate !== undefined && flaky && flaky.questions > 0) {
    const share = flaky.flaky.length / flaky.questions;
    if (share > gate.max_flaky_rate)
      failed.push(
        `${flaky.flaky.length} of ${flaky.questions} questions are flaky, more than ${percent(gate.max_flaky_rate)}`,
      );
  }
  return {
    exitCode: failed.length > 0 ? EXIT.gate : EXIT.ok,
    reasons: [...reasons, ...failed.map((text) => `GATE: ${text}`)],
  };
}
