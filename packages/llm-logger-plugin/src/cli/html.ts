/** `llm-logs html SESSION`: one page to look at, to keep, to send. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { type Attempt, loadTraffic } from "../read/attempt.ts";
import { toCallRecord } from "../read/call-record.ts";
import { matches, relevantFiles } from "../read/filter.ts";
import { scanFiles } from "../read/scan.ts";
import { sessionSegment } from "../store/paths.ts";
import { pageData } from "../web/session-data.ts";
import { sessionPage } from "../web/session-page.ts";
import { progress } from "./format.ts";
import { loadFiles } from "./load.ts";
import { type Command, count, text, UsageError } from "./spec.ts";

export const htmlCommand: Command = {
  name: "html",
  usage: "<session>",
  summary: "A session as one self-contained page / 生成会话网页",
  options: {
    out: { value: "file", short: "o", help: "file to write (default: llm-calls-<session>.html, 0600)" },
    limit: { value: "n", short: "n", help: "at most this many calls, the newest (default 500)" },
  },
  async run(context) {
    const session = context.args[0];
    if (!session)
      throw new UsageError("name a session by its id or key (see `llm-logs list`) / 请给出会话的 id");
    const filter = { session };
    const files = relevantFiles(await loadFiles(context), filter, context.location);
    const bar = progress(context, "reading");
    let attempts: Attempt[] = [];
    await scanFiles(
      files,
      { types: ["llm_call"], onProgress: bar.update, signal: context.signal },
      (record, position) => {
        const call = toCallRecord(record);
        if (call && matches(call, filter)) attempts.push({ call, traffic: [], position });
      },
    );
    attempts = attempts.sort((a, b) => a.call.at - b.call.at).slice(-(count(context, "limit") ?? 500));
    if (attempts.length === 0)
      throw new UsageError(`no calls of session "${session}" in the log / 日志中没有此会话的调用`);
    await loadTraffic(files, attempts);
    bar.end();
    const name = sessionSegment(attempts[0]?.call.sessionId ?? session);
    const target = path.resolve(text(context, "out") ?? `llm-calls-${name}.html`);
    await writeFile(target, sessionPage(pageData(session, attempts)), { mode: 0o600 });
    context.out(`${target}\n`);
    context.err(
      `${attempts.length} call(s). Prompts and answers are in the page: share it with care. / 页面含提示词与回答，分享前请留意。\n`,
    );
    return 0;
  },
};
