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
      ...rows.map((row) => [pathText(row.path), String(row.values), String(row.requests), ...outcome(row)]),
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
    row.answered ? say("yes", "是") : say(`no: ${row.detail}`, `否：${detailInChinese(row.detail)}`),
  ];
}

/** Name of a path as the user reads it, with or without the part it is of. */
export function pathText(name: string): string {
  const [, part = "", own = name] = /^(gateway|proxy): (.+)$/.exec(name) ?? [];
  const where = part === "gateway" ? "网关：" : part === "proxy" ? "代理：" : "";
  return say(name, where + (PATH_NAMES[own] ?? own));
}

const PATH_NAMES: Readonly<Record<string, string>> = {
  "user message by agent, and the turn after it": "经 agent 发的消息及其后一轮",
  "user message by chat.send, and the turn after it": "经 chat.send 发的消息及其后一轮",
  "private message in an existing chat.send session": "已有 chat.send 会话里的私密消息",
  "tool result: read": "工具结果：read",
  "tool arguments": "工具参数",
  "title and recap by the utility model": "辅助模型生成的标题与摘要",
  compaction: "会话压缩",
  "chat/completions, history and tool result": "chat/completions，历史与工具结果",
};

function detailInChinese(detail: string): string {
  if (detail === "no answer") return "没有回答";
  if (detail === "nothing was sent: this shows nothing") return "什么也没有发出，不能说明问题";
  if (detail === "nothing was forwarded") return "没有转发任何内容";
  return detail.replace(/^did not come back: /, "没有还原：");
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
