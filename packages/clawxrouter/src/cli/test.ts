/** `openclaw clawxrouter test | route`: what the detectors and the pipeline say of a text. Nothing is sent. */

import { classify, preview } from "../api/test.ts";
import { CHECKPOINTS } from "../config-file/schema.ts";
import type { Engine } from "../engine/engine.ts";
import { type Command, fail, print, printJson, table } from "./command.ts";
import { say, sayReason } from "./language.ts";

export function addTestCommands(root: Command, engine: () => Engine): void {
  root
    .command("test <text>")
    .description(say("Classify a text with the whole pipeline", "用整个管线判定一段文字（不会发送）"))
    .option(
      "--stage <checkpoint>",
      say(`one of ${CHECKPOINTS.join(", ")}`, `阶段：${CHECKPOINTS.join("、")}`),
      "onUserMessage",
    )
    .option("--router <id>", say("ask this router only", "只问这个路由器"))
    .option("--json", say("machine-readable", "机器可读"))
    .action(async (text: string, options: { stage: string; router?: string; json?: boolean }) => {
      const stage = CHECKPOINTS.find((name) => name === options.stage);
      if (stage === undefined)
        return fail(
          say(`--stage must be one of ${CHECKPOINTS.join(", ")}`, `--stage 只能是 ${CHECKPOINTS.join("、")}`),
        );
      const result = await classify(engine(), text, stage, options.router);
      if (options.json) return printJson(result);
      print(`${result.level}  ${result.action}  ${sayReason(result.reason)}`);
      if (result.decisions.length > 0) {
        print(
          table(
            result.decisions.map((d) => [
              `  ${d.router}`,
              d.level,
              d.action,
              `${d.durationMs.toFixed(1)} ms`,
              sayReason(d.reason ?? ""),
            ]),
          ),
        );
      }
      for (const finding of result.findings)
        print(
          say(
            `  ${finding.level} ${finding.type} at ${finding.start}-${finding.end} (${finding.rule})`,
            `  ${finding.level} ${finding.type} 位于 ${finding.start}-${finding.end}（${finding.rule}）`,
          ),
        );
      if (result.skipped.length > 0)
        print(say(`  not asked: ${result.skipped.join(", ")}`, `  未询问：${result.skipped.join("、")}`));
    });
  root
    .command("route <text>")
    .description(say("Show where a message would go", "显示一条消息会发往何处（不会发送）"))
    .option("--json", say("machine-readable", "机器可读"))
    .action(async (text: string, options: { json?: boolean }) => {
      const turn = await preview(engine(), text);
      const target =
        turn.override === undefined
          ? say("the host's own choice", "由 OpenClaw 自己决定")
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
        `${turn.level}${turn.tier ? ` ${turn.tier}` : ""} -> ${turn.blocked === undefined ? target : say("blocked", "拦截")}`,
      );
      print(`  ${sayReason(turn.reason)}`);
      if (turn.blocked !== undefined) print(turn.blocked);
    });
}
