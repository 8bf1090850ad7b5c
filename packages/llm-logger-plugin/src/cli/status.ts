/** `llm-logs status`: is everything captured, and if not, what to do. */
import fs from "node:fs";
import path from "node:path";
import { type LoggerStatus, readStatusFile } from "../status.ts";
import { cannotWrite } from "../store/advice.ts";
import { listLogFiles } from "../store/retention.ts";
import { bytes, table, wrap } from "./format.ts";
import type { Command } from "./spec.ts";

export const statusCommand: Command = {
  name: "status",
  usage: "",
  summary: "Calls seen and captured, seams, permissions, file sizes / 采集状态",
  options: { json: { help: "as JSON" } },
  async run(context) {
    const files = await listLogFiles(context.location);
    const total = files.reduce((sum, file) => sum + file.bytes, 0);
    const status = readStatusFile(context.location);
    const alive = status?.running === true && isAlive(status.pid);
    if (context.options.json) {
      context.out(
        `${JSON.stringify({ alive, files: files.length, bytes: total, status: status ?? null }, null, 2)}\n`,
      );
      return 0;
    }
    const line = (value: string) => context.out(`${wrap(value, context.columns, 10)}\n`);
    line(`logs      ${context.location.dir}: ${files.length} files, ${bytes(total)}`);
    if (!status) {
      const problem = whyUnwritable(context.location.dir);
      line(
        problem === undefined
          ? "logger    has not run on this folder yet. Start the gateway with the plugin enabled. / 尚未运行"
          : "logger    can leave nothing in this folder / 无法写入此目录",
      );
      if (problem !== undefined) line(`!         ${problem}`);
      return problem === undefined ? 0 : 1;
    }
    line(
      `logger    ${alive ? `running in process ${status.pid} since ${status.startedAt}` : `not running (last seen ${status.updatedAt})`}`,
    );
    context.out(statusText(status, context.columns));
    return isSilent(status) ? 1 : 0;
  },
};

/** The host made calls that did not fail before the network, and nothing was captured. */
export function isSilent(status: LoggerStatus): boolean {
  return missedCalls(status) > 0 && status.counters.callsHttp + status.counters.callsWebSocket === 0;
}

/** Calls without traffic that the host does not call failed. */
function missedCalls({ counters }: LoggerStatus): number {
  return counters.callsUnmatched - counters.callsFailedEarly;
}

/** Counters, seams, permissions, warnings as text; holds nothing of any conversation. */
export function statusText(status: LoggerStatus, columns?: number): string {
  const c = status.counters;
  const facts = [
    `calls     ${c.callsSeen} seen, ${c.callsHttp} matched with HTTP, ${c.callsWebSocket} with WebSocket, ${c.callsUnmatched} without traffic`,
    `requests  ${c.requests} captured (${c.byCorrelation.traceparent} by traceparent, ${c.byCorrelation.scope} by trace scope, ${c.byCorrelation.none} by endpoint), ${c.responses} responses`,
    `written   ${status.writer.lines} lines, ${bytes(status.writer.bytes)}${status.writer.dropped > 0 ? `, ${status.writer.dropped} LOST` : ""}`,
    `content   ${status.content ? "prompts and answers are written" : "metadata only"}`,
  ];
  const seams = Object.entries(status.seams).map(([name, seam]) => [
    name,
    seam.live ? "live" : "-",
    String(seam.seen),
    seam.reason,
  ]);
  const notes = [...status.permissions, ...status.warnings]
    .map((note) => `${wrap(`!  ${note}`, columns, 3)}\n`)
    .join("");
  const silent = isSilent(status)
    ? `${wrap(`!! ${missedCalls(status)} model call(s) were made and NOTHING was captured: the log is empty although all looks healthy. / 有调用但没有采集到任何数据`, columns, 3)}\n`
    : "";
  const seamTable = table(["seam", "live", "seen", "why"], seams, [2])
    .trimEnd()
    .split("\n")
    .map((line) => wrap(line, columns, 29))
    .join("\n");
  return `${facts.map((fact) => wrap(fact, columns, 10)).join("\n")}\n\n${seamTable}\n${notes || silent ? `\n${silent}${notes}` : ""}`;
}

/**
 * Whether a folder, or the one in which it would be made, takes a new folder: tried, because permission bits do not
 * tell (below `/proc` they allow what the system refuses).
 */
function whyUnwritable(dir: string): string | undefined {
  let at = dir;
  while (!fs.existsSync(at) && path.dirname(at) !== at) at = path.dirname(at);
  try {
    fs.rmdirSync(fs.mkdtempSync(path.join(at, ".llm-logs-")));
    return undefined;
  } catch (error) {
    return `${cannotWrite(error)}: ${dir}: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
