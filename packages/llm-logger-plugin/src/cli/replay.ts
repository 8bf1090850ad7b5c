/** `llm-logs replay CALL --to URL`: prints a curl line; sends nothing itself. */
import { curlLine } from "../read/curl.ts";
import { loadAttempt, loadFiles } from "./load.ts";
import { type Command, text, UsageError } from "./spec.ts";

export const replayCommand: Command = {
  name: "replay",
  usage: "<call>",
  summary: "A curl line that sends the call again / 生成重放命令",
  options: {
    to: {
      value: "url",
      help: "where to send it: a base URL, or an origin that gets the logged path (required)",
    },
    "key-env": { value: "name", help: "environment variable with the API key (default: <PROVIDER>_API_KEY)" },
  },
  async run(context) {
    const to = text(context, "to");
    if (to === undefined || !URL.canParse(to))
      throw new UsageError("--to wants a URL, e.g. --to https://api.openai.com / 需要网址");
    const { call, traffic } = await loadAttempt(context, await loadFiles(context), context.args[0]);
    const request = traffic.find((record) => record.eventType === "http_request");
    if (!request)
      throw new UsageError(
        "this call did not go over HTTP, or its request is not in the log / 此调用没有 HTTP 请求记录",
      );
    const keyEnv =
      text(context, "key-env") ??
      `${(call.provider ?? "llm").toUpperCase().replace(/[^A-Z0-9]/g, "_")}_API_KEY`;
    try {
      context.raw(`${curlLine(request, { to, keyEnv })}\n`);
    } catch (error) {
      throw new UsageError(error instanceof Error ? error.message : String(error));
    }
    context.err(
      `set ${keyEnv} first; the key is not in the log.${Number(request.redactions) > 0 ? " Redacted values stand as [REDACTED] in the body." : ""}\n`,
    );
    return 0;
  },
};
