/** `openclaw clawxrouter test | route`: what the detectors and the pipeline say of a text. Nothing is sent. */

import { classify, preview } from "../api/test.ts";
import { CHECKPOINTS } from "../config-file/schema.ts";
import type { Engine } from "../engine/engine.ts";
import { type Command, fail, print, printJson, table } from "./command.ts";

export function addTestCommands(root: Command, engine: () => Engine): void {
  root
    .command("test <text>")
    .description("Classify a text with the whole pipeline")
    .option("--stage <checkpoint>", `one of ${CHECKPOINTS.join(", ")}`, "onUserMessage")
    .option("--router <id>", "ask this router only")
    .option("--json", "machine-readable")
    .action(async (text: string, options: { stage: string; router?: string; json?: boolean }) => {
      const stage = CHECKPOINTS.find((name) => name === options.stage);
      if (stage === undefined) return fail(`--stage must be one of ${CHECKPOINTS.join(", ")}`);
      const result = await classify(engine(), text, stage, options.router);
      if (options.json) return printJson(result);
      print(`${result.level}  ${result.action}  ${result.reason}`);
      if (result.decisions.length > 0) {
        print(
          table(
            result.decisions.map((d) => [
              `  ${d.router}`,
              d.level,
              d.action,
              `${d.durationMs.toFixed(1)} ms`,
              d.reason ?? "",
            ]),
          ),
        );
      }
      for (const finding of result.findings)
        print(`  ${finding.level} ${finding.type} at ${finding.start}-${finding.end} (${finding.rule})`);
      if (result.skipped.length > 0) print(`  not asked: ${result.skipped.join(", ")}`);
    });
  root
    .command("route <text>")
    .description("Show where a message would go")
    .option("--json", "machine-readable")
    .action(async (text: string, options: { json?: boolean }) => {
      const turn = await preview(engine(), text);
      const target =
        turn.override === undefined
          ? "the host's own choice"
          : `${turn.override.provider}/${turn.override.model}`;
      if (options.json)
        return printJson({
          level: turn.level,
          localOnly: turn.localOnly,
          target: turn.override ?? null,
          tier: turn.tier ?? null,
          blocked: turn.blocked ?? null,
          reason: turn.reason,
        });
      print(
        `${turn.level}${turn.tier ? ` ${turn.tier}` : ""} -> ${turn.blocked === undefined ? target : "blocked"}`,
      );
      print(`  ${turn.reason}`);
      if (turn.blocked !== undefined) print(turn.blocked);
    });
}
