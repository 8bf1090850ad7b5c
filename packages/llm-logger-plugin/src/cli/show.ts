/** `llm-logs show CALL`: the request in short, the assembled answer, the raw traffic on demand. */
import type { Attempt } from "../read/attempt.ts";
import { requestBody } from "../read/attempt.ts";
import { messagesOf } from "../read/request-messages.ts";
import { bytes, clip, milliseconds, usd } from "./format.ts";
import { loadAttempt, loadFiles } from "./load.ts";
import type { Command } from "./spec.ts";

export const showCommand: Command = {
  name: "show",
  usage: "<call>",
  summary: "One call: request, assembled answer / 查看一次调用",
  options: {
    raw: { help: "the bodies and frames as they went over the wire" },
    json: { help: "all records of the call as JSON lines" },
  },
  async run(context) {
    const attempt = await loadAttempt(context, await loadFiles(context), context.args[0]);
    if (context.options.json) {
      for (const record of [...attempt.traffic, attempt.call]) context.out(`${JSON.stringify(record)}\n`);
      return 0;
    }
    context.out(summary(attempt));
    if (context.options.raw) context.raw(raw(attempt));
    else context.out(`${requestText(attempt)}${answerText(attempt)}`);
    return 0;
  },
};

function summary({ call }: Attempt): string {
  const { usage } = call;
  const tokens = usage
    ? `${usage.input} in + ${usage.cacheRead} cached + ${usage.cacheWrite} cache write, ${usage.output} out`
    : "unknown";
  return [
    `call      ${call.attemptId}${call.callId ? ` (${call.callId})` : ""}`,
    `time      ${new Date(call.at).toLocaleString("sv-SE")}, first byte ${milliseconds(call.ttfbMs)}, whole ${milliseconds(call.durationMs)}`,
    `session   ${call.sessionId ?? "unknown"}${call.sessionKey ? ` (${call.sessionKey})` : ""}`,
    `model     ${call.provider ?? "?"}/${call.model ?? "?"}, ${call.purpose}, by ${call.correlation}`,
    `outcome   ${call.outcome}${call.complete ? "" : " (incomplete)"}${call.status === null ? "" : `, status ${call.status}`}${call.error ? `: ${call.error}` : ""}`,
    `tokens    ${tokens}; cost ${usd(call.costUsd)}`,
    `bytes     ${bytes(call.requestBytes)} sent, ${bytes(call.responseBytes)} received\n\n`,
  ].join("\n");
}

function requestText(attempt: Attempt): string {
  const body = requestBody(attempt);
  if (!body) return "-- request: not in the log (bodies were not kept)\n\n";
  const lines = [`-- request${body.truncated ? " (cut)" : ""}`];
  for (const message of messagesOf(body.text))
    lines.push(`${message.role.padEnd(10)} ${clip(message.text, 300)}`);
  return `${lines.join("\n")}\n\n`;
}

function answerText({ call }: Attempt): string {
  const { message } = call;
  if (!message) return "-- answer: not in the log\n";
  const lines = ["-- answer"];
  if (message.thinking) lines.push(`[thinking] ${message.thinking}`);
  if (message.text) lines.push(message.text);
  for (const tool of message.toolCalls)
    lines.push(`[tool] ${tool.name} ${JSON.stringify(tool.arguments)}${tool.id ? ` (${tool.id})` : ""}`);
  return `${lines.join("\n")}\n`;
}

function raw({ traffic }: Attempt): string {
  return traffic
    .map((record) => {
      const head =
        record.eventType === "http_request"
          ? `${record.method} ${record.url}`
          : `${record.eventType}${record.status ? ` ${record.status}` : ""}`;
      const headers = Object.entries(record.headers ?? {}).map(
        ([name, value]) => `${name}: ${String(value)}`,
      );
      return [
        `-- ${head}`,
        ...headers,
        "",
        typeof record.body === "string" ? record.body : "(no body)",
        "",
      ].join("\n");
    })
    .join("\n");
}
