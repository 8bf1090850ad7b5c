/** `llm-logs diff CALL [CALL]`: the first changed byte between two prompts, i.e. what broke the prompt cache. */
import { type Attempt, requestBody } from "../read/attempt.ts";
import { toCallRecord } from "../read/call-record.ts";
import { diffPrompts, type PromptDiff } from "../read/prompt-diff.ts";
import { scanFiles } from "../read/scan.ts";
import type { LogFile } from "../store/retention.ts";
import { bytes, clip } from "./format.ts";
import { loadAttempt, loadFiles } from "./load.ts";
import { type Command, UsageError } from "./spec.ts";

export const diffCommand: Command = {
  name: "diff",
  usage: "<call> [other]",
  summary: "First changed byte to the session's previous prompt / 与上一次提示词比较",
  options: { json: { help: "as JSON" } },
  async run(context) {
    const files = await loadFiles(context);
    const newer = await loadAttempt(context, files, context.args[0]);
    const other = context.args[1] ?? (await previousAttempt(files, newer));
    if (!other)
      throw new UsageError(
        "this is the first call of its session and model: nothing to compare with / 这是该会话与模型的第一次调用，无可比较",
      );
    const older = await loadAttempt(context, files, other);
    const [first, second] = older.call.at <= newer.call.at ? [older, newer] : [newer, older];
    const before = requestBody(first);
    const after = requestBody(second);
    if (!before || !after)
      throw new UsageError(
        "the log holds no bodies of these calls (includeBodies, conversation access) / 日志中没有这些调用的正文",
      );
    const diff = diffPrompts(before.text, after.text);
    const cut = before.truncated || after.truncated;
    if (context.options.json)
      context.out(
        `${JSON.stringify({ from: first.call.attemptId, to: second.call.attemptId, cut, ...diff }, null, 2)}\n`,
      );
    else context.out(describe(first, second, diff, cut));
    return 0;
  },
};

/** The call of the same session, provider and model just before this one. */
export async function previousAttempt(files: LogFile[], { call }: Attempt): Promise<string | undefined> {
  let best: { at: number; id: string } | undefined;
  await scanFiles(files, { types: ["llm_call"], until: [',"message":'] }, (record) => {
    const other = toCallRecord(record);
    if (!other || other.attemptId === call.attemptId || other.sessionId !== call.sessionId) return;
    if (other.model !== call.model || other.provider !== call.provider || other.purpose !== call.purpose)
      return;
    if (other.at <= call.at && (!best || other.at > best.at)) best = { at: other.at, id: other.attemptId };
  });
  return best?.id;
}

function describe(first: Attempt, second: Attempt, diff: PromptDiff, cut: boolean): string {
  const share = diff.oldBytes === 0 ? 0 : Math.floor((100 * diff.commonBytes) / diff.oldBytes);
  const { items } = diff;
  const lines = [
    `from ${first.call.attemptId} (${bytes(diff.oldBytes)})  to ${second.call.attemptId} (${bytes(diff.newBytes)})`,
    `same first ${bytes(diff.commonBytes)} = ${share} % of the older prompt; messages shared ${items.shared} of ${items.old} -> ${items.new}`,
  ];
  if (diff.verdict === "identical") lines.push("identical");
  else if (diff.verdict === "appended")
    lines.push(`appended only: ${items.new - items.old} new message(s), the cached prefix holds`);
  else {
    lines.push(
      `CHANGED at byte ${diff.commonBytes}, ${diff.path || "outside any value"}: the provider's cache holds only up to here`,
    );
    if (diff.changedParts.length > 0)
      lines.push(`changed beside the messages: ${diff.changedParts.join(", ")}`);
    lines.push(`- ${clip(diff.oldAround, 200)}`, `+ ${clip(diff.newAround, 200)}`);
  }
  if (cut) lines.push("note: a body was cut at maxBodyBytes, the comparison covers what is in the log");
  return `${lines.join("\n")}\n`;
}
