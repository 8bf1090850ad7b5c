/** `llm-logs list`: one line a call attempt, newest last. */
import { type CallRecord, toCallRecord } from "../read/call-record.ts";
import { type CallFilter, matches, parseSince, relevantFiles } from "../read/filter.ts";
import { scanFiles } from "../read/scan.ts";
import { listLogFiles } from "../store/retention.ts";
import { clip, milliseconds, progress, table, usd } from "./format.ts";
import { type Command, type CommandContext, number, type Option, text, UsageError } from "./spec.ts";

export const filterOptions: Record<string, Option> = {
  session: { value: "id", help: "session id or key (a prefix of the id is enough)" },
  model: { value: "text", help: "model id contains this" },
  provider: { value: "id", help: "provider id" },
  purpose: { value: "name", help: "turn, heartbeat, memory, compaction, utility, embedding, unknown" },
  outcome: {
    value: "name",
    help: "ok, http_error, network_error, aborted, shutdown, no_http; error: all but ok",
  },
  "slower-than": { value: "ms", help: "longer than this many milliseconds" },
  "costlier-than": { value: "usd", help: "dearer than this many USD" },
  since: { value: "time", help: "2h, 3d, 2026-11-30, or an ISO time" },
  text: { value: "text", help: "text in the answer, its thinking, tool calls or error" },
};

/** Reads the filter options. @throws UsageError naming the wrong one. */
export function filterOf(context: CommandContext): CallFilter {
  const filter: CallFilter = {};
  for (const name of ["session", "model", "provider", "purpose", "outcome", "text"] as const) {
    const value = text(context, name);
    if (value !== undefined) filter[name] = value;
  }
  const slower = number(context, "slower-than");
  if (slower !== undefined) filter.slowerThan = slower;
  const costlier = number(context, "costlier-than");
  if (costlier !== undefined) filter.costlierThan = costlier;
  const since = text(context, "since");
  if (since !== undefined) {
    const at = parseSince(since, Date.now());
    if (at === undefined)
      throw new UsageError(`--since "${since}" is no time: use 2h, 3d, 2026-11-30 or an ISO time`);
    filter.since = at;
  }
  return filter;
}

/** Matching calls, oldest first; at most the newest `limit`. */
export async function findCalls(
  context: CommandContext,
  filter: CallFilter,
  limit: number,
): Promise<CallRecord[]> {
  const files = relevantFiles(await listLogFiles(context.location), filter, context.location);
  const bar = progress(context, "reading");
  let calls: CallRecord[] = [];
  await scanFiles(
    files,
    { types: ["llm_call"], onProgress: bar.update, signal: context.signal },
    (record) => {
      const call = toCallRecord(record);
      if (!call || !matches(call, filter)) return;
      calls.push(call);
      if (calls.length > limit * 2 + 1000) calls = newest(calls, limit);
    },
  );
  bar.end();
  return newest(calls, limit);
}

function newest(calls: CallRecord[], limit: number): CallRecord[] {
  return calls.sort((a, b) => a.at - b.at).slice(-limit);
}

export function callRow(call: CallRecord): string[] {
  const { usage } = call;
  const tools = call.message?.toolCalls.map((tool) => `[${tool.name}]`).join(" ") ?? "";
  const answer = call.error ?? ([call.message?.text, tools].filter(Boolean).join(" ") || "");
  return [
    new Date(call.at).toLocaleString("sv-SE"),
    call.attemptId,
    call.sessionId?.slice(0, 8) ?? "-",
    `${call.provider ?? "?"}/${call.model ?? "?"}`,
    call.purpose,
    call.outcome === "ok" && !call.complete
      ? "ok (cut)"
      : call.status !== null && call.status >= 400
        ? `${call.outcome} ${call.status}`
        : call.outcome,
    milliseconds(call.ttfbMs),
    milliseconds(call.durationMs),
    usage ? `${usage.input + usage.cacheRead + usage.cacheWrite}/${usage.output}` : "-",
    usd(call.costUsd),
    clip(answer, 60),
  ];
}

export const LIST_HEAD = [
  "time",
  "attempt",
  "session",
  "model",
  "purpose",
  "outcome",
  "ttfb",
  "time used",
  "in/out",
  "cost",
  "answer",
];

export const listCommand: Command = {
  name: "list",
  usage: "",
  summary: "Calls, newest last / 列出调用",
  options: {
    ...filterOptions,
    limit: { value: "n", short: "n", help: "at most this many, the newest (default 50)" },
    json: { help: "one JSON object a line" },
  },
  async run(context) {
    const calls = await findCalls(context, filterOf(context), number(context, "limit") ?? 50);
    if (context.options.json) {
      for (const call of calls) context.out(`${JSON.stringify(call)}\n`);
      return 0;
    }
    if (calls.length === 0)
      context.err(`no matching calls below ${context.location.dir} / 没有符合条件的调用\n`);
    else context.out(table(LIST_HEAD, calls.map(callRow), [6, 7, 8, 9]));
    return 0;
  },
};
