/** What `selftest` prints. */
import { failed, type NotTried, type SelfTestRow } from "../selftest/proxy-paths.ts";
import { table } from "./command.ts";
import { say } from "./language.ts";

/** The rows as a table, and what they come to. */
export function selfTestText(rows: readonly SelfTestRow[]): string {
  const tried = rows.filter((row) => row.notTried === undefined);
  const leaks = rows.filter((row) => row.leaked.length > 0).length;
  const mute = rows.filter((row) => failed(row) && !row.answered).length;
  const untried = rows.length - tried.length;
  return [
    table([
      [
        say("path", "路径"),
        say("values", "值"),
        say("requests", "请求"),
        say("leaked?", "漏出？"),
        say("answered?", "有回答？"),
      ],
      ...rows.map((row) => [row.path, String(row.values), String(row.requests), ...outcome(row)]),
    ]),
    "",
    leaks > 0
      ? say(
          `${leaks} of ${tried.length} paths let something through.`,
          `${tried.length} 条路径中有 ${leaks} 条漏出了内容。`,
        )
      : say(`Nothing got through on ${tried.length} paths.`, `${tried.length} 条路径都没有漏出任何内容。`),
    ...(mute === 0
      ? []
      : [
          say(
            `${mute} paths gave no answer, so they show less than they should.`,
            `${mute} 条路径没有得到回答，因此不能说明问题。`,
          ),
        ]),
    ...(untried === 0 ? [] : [say(`${untried} paths were not tried.`, `${untried} 条路径没有测试。`)]),
  ].join("\n");
}

/** The last two cells. */
function outcome(row: SelfTestRow): string[] {
  if (row.notTried !== undefined) return ["-", notTriedText(row.notTried)];
  return [
    row.leaked.length > 0
      ? say(`YES: ${row.leaked.join(", ")}`, `是：${row.leaked.join("、")}`)
      : say("no", "否"),
    row.answered ? say("yes", "是") : say(`no: ${row.detail}`, `否：${row.detail}`),
  ];
}

function notTriedText(why: NotTried): string {
  const [en, zh] = REASONS[why];
  return say(`not tried: ${en}`, `未测试：${zh}`);
}

const REASONS: Record<NotTried, readonly [string, string]> = {
  "empty-workspace": [
    "the workspace is empty, and a file in it would make OpenClaw mark it as in use",
    "工作区是空的，放入文件会让 OpenClaw 把它标记为使用中",
  ],
  "no-utility-model": ["no utility model is set", "没有设置辅助模型（utilityModel）"],
  "local-utility-model": [
    "the utility model is a local one, nothing leaves this machine",
    "辅助模型在本机，内容不会离开这台电脑",
  ],
  "local-model": [
    "the model is a local one, nothing leaves this machine",
    "对话使用本机模型，内容不会离开这台电脑",
  ],
};
