import { setTimeout as sleep } from "node:timers/promises";
import type { Step } from "./context.ts";

const log: Step = {
  title: (tour) => tour.say("以上所有调用的日志", "The log of all of it"),
  async run(tour) {
    // The host may still be writing a title or a recap of the last turn.
    await sleep(1_500);
    const { stdout } = await tour.gateway.cli(["llm-logs", "list"]);
    tour.screen.line(
      stdout
        .trimEnd()
        .split("\n")
        .map((row) => `    ${row}`)
        .join("\n"),
    );
    const status = await tour.gateway.cli(["llm-logs", "list", "--json"]);
    const calls = status.stdout.trim().split("\n");
    const wire = tour.cloud.requests.length + tour.local.requests.length;
    return [
      {
        ok: calls.length === wire && wire > 0,
        text: tour.say(
          `服务器收到 ${wire} 个请求，日志里有 ${calls.length} 次调用`,
          `the servers got ${wire} requests, the log has ${calls.length} calls`,
        ),
      },
    ];
  },
};

export const logSteps: Step[] = [log];
