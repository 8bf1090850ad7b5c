/** `llm-logs list`: one line a call attempt, newest last. */
import { existsSync } from "node:fs";
import { OUTCOMES, PURPOSES } from "../events.ts";
import { type CallRecord, toCallRecord } from "../read/call-record.ts";
import { type CallFilter, matches, parseSince, relevantFiles } from "../read/filter.ts";
import { type RecordPosition, readRecord, scanFiles } from "../read/scan.ts";
import { listLogFiles } from "../store/retention.ts";
import { clip, fit, milliseconds, progress, table, usd, visible, width } from "./format.ts";
import {
  type Command,
  type CommandContext,
  choice,
  count,
  number,
  type Option,
  text,
  UsageError,
} from "./spec.ts";

export const filterOptions: Record<string, Option> = {
  session: { value: "id", help: "session id or key (a prefix of the id is enough)" },
  model: { value: "text", help: "model id contains this" },
  provider: { value: "id", help: "provider id" },
  purpose: { value: "name", help: PURPOSES.join(", ") },
  outcome: {
    value: "name",
    help: `${OUTCOMES.join(", ")}; error: all but ok`,
  },
  "slower-than": { value: "ms", help: "longer than this many milliseconds" },
  "costlier-than": { value: "usd", help: "dearer than this many USD" },
  since: { value: "time", help: "2h, 3d, 2026-11-30, or an ISO time" },
  text: { value: "text", help: "text in the answer, its thinking, tool calls or error" },
};

/** Reads the filter options. @throws UsageError naming the wrong one. */
export function filterOf(context: CommandContext): CallFilter {
  const filter: CallFilter = {};
  const purpose = choice(context, "purpose", PURPOSES);
  if (purpose !== undefined) filter.purpose = purpose;
  const outcome = choice(context, "outcome", [...OUTCOMES, "error"]);
  if (outcome !== undefined) filter.outcome = outcome;
  for (const name of ["session", "model", "provider", "text"] as const) {
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
      throw new UsageError(
        `--since "${since}" is no time: use 2h, 3d, 2026-11-30 or an ISO time / 不是有效时间，请用上述写法`,
      );
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
  let found: Found[] = [];
  // Without a text to look for a line is parsed up to the answer; the answers of the few calls shown are read at the end.
  const until = filter.text === undefined ? { until: [',"message":'] } : {};
  await scanFiles(
    files,
    { types: ["llm_call"], ...until, onProgress: bar.update, signal: context.signal },
    (record, position) => {
      const call = toCallRecord(record);
      if (!call || !matches(call, filter)) return;
      found.push({ at: call.at, position });
      if (found.length > limit * 2 + 1000) found = newest(found, limit);
    },
  );
  bar.end();
  const calls: CallRecord[] = [];
  for (const { position } of newest(found, limit)) {
    const record = await readRecord(position);
    const call = record && toCallRecord(record);
    if (call) calls.push(call);
  }
  return calls;
}

/** A call by its place: answers are long, and most of them are not among the newest. */
interface Found {
  at: number;
  position: RecordPosition;
}

function newest(found: Found[], limit: number): Found[] {
  return found.sort((a, b) => a.at - b.at).slice(-limit);
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

const HEAD = [
  "time",
  "attempt",
  "session",
  "model",
  "purpose",
  "outcome",
  "first byte",
  "whole",
  "in/out",
  "cost",
  "answer",
];

/** Below this width a call takes two lines: who and how first, then model and answer. */
const WIDE_COLUMNS = 150;

/** Columns of the first of two lines; purpose, model and answer stand in the second. */
const NARROW = [0, 1, 5, 7, 8, 9];

/** @param columns of the terminal; undefined when there is none: then nothing is left out. */
export function callTable(calls: readonly CallRecord[], columns: number | undefined, head = true): string {
  const rows = calls.map(callRow);
  if (columns === undefined) return head ? table(HEAD, rows, [6, 7, 8, 9]) : table([], rows, [6, 7, 8, 9]);
  if (columns >= WIDE_COLUMNS)
    return `${table(head ? HEAD : [], rows, [6, 7, 8, 9])
      .trimEnd()
      .split("\n")
      .map((line) => fitLine(line, columns))
      .join("\n")}\n`;
  const pick = (row: string[]) =>
    NARROW.map((column) => (column === 0 ? (row[0] ?? "").slice(5) : (row[column] ?? "")));
  const lines = table(head ? pick(["     time", ...HEAD.slice(1)]) : [], rows.map(pick), [3, 4, 5])
    .trimEnd()
    .split("\n");
  const [first, ...rest] = head ? lines : ["", ...lines];
  const out = head && first !== undefined ? [fitLine(first, columns)] : [];
  for (const [index, line] of rest.entries()) {
    const row = rows[index];
    const second = [[row?.[4], row?.[3]].join(" "), row?.[10]].filter(Boolean).join(": ");
    out.push(fitLine(line, columns), `  ${fit(visible(second), columns - 2)}`);
  }
  return `${out.join("\n")}\n`;
}

/** Cuts a line but keeps its spaces, which hold the columns. */
function fitLine(line: string, columns: number): string {
  if (width(line) <= columns) return line;
  let cut = line.slice(0, columns);
  while (width(cut) > columns - 1) cut = cut.slice(0, -1);
  return `${cut}…`;
}

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
    const calls = await findCalls(context, filterOf(context), count(context, "limit") ?? 50);
    if (context.options.json) {
      for (const call of calls) context.out(`${JSON.stringify(call)}\n`);
      return 0;
    }
    if (calls.length === 0) {
      const missing = existsSync(context.location.dir) ? "" : ", which does not exist 该文件夹不存在";
      context.err(`no matching calls below ${context.location.dir}${missing} / 没有符合条件的调用\n`);
    } else context.out(callTable(calls, context.columns));
    return 0;
  },
};
