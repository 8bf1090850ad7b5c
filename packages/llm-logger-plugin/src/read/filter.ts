/** Which calls a reader wants. */
import type { LogLocation } from "../store/paths.ts";
import { localDay, sessionSegment, UNKNOWN_SESSION } from "../store/paths.ts";
import type { LogFile } from "../store/retention.ts";
import type { CallRecord } from "./call-record.ts";

export interface CallFilter {
  /** Session id or key; a prefix of at least 4 characters is enough. */
  session?: string;
  model?: string;
  provider?: string;
  purpose?: string;
  outcome?: string;
  /** Only calls longer than this, milliseconds. */
  slowerThan?: number;
  /** Only calls dearer than this, USD. */
  costlierThan?: number;
  /** Only calls started at or after this time, milliseconds since the epoch. */
  since?: number;
  /** Text in the answer, thinking, tool calls or error; any case. */
  text?: string;
}

export function matches(call: CallRecord, filter: CallFilter): boolean {
  const { session, model, provider, purpose, outcome, slowerThan, costlierThan, since, text } = filter;
  if (session !== undefined && !sessionMatches(call, session)) return false;
  if (model !== undefined && !call.model?.includes(model)) return false;
  if (provider !== undefined && call.provider !== provider) return false;
  if (purpose !== undefined && call.purpose !== purpose) return false;
  if (outcome !== undefined && call.outcome !== outcome && !(outcome === "error" && call.outcome !== "ok"))
    return false;
  if (slowerThan !== undefined && (call.durationMs ?? 0) <= slowerThan) return false;
  if (costlierThan !== undefined && (call.costUsd ?? 0) <= costlierThan) return false;
  if (since !== undefined && call.at < since) return false;
  if (text !== undefined && !searchable(call).toLowerCase().includes(text.toLowerCase())) return false;
  return true;
}

function sessionMatches(call: CallRecord, wanted: string): boolean {
  if (call.sessionId === wanted || call.sessionKey === wanted) return true;
  if (wanted === UNKNOWN_SESSION) return call.sessionId === null;
  return (
    wanted.length >= 4 &&
    (call.sessionId?.startsWith(wanted) === true || call.sessionKey?.endsWith(`:${wanted}`) === true)
  );
}

function searchable(call: CallRecord): string {
  const { message } = call;
  const calls =
    message?.toolCalls.map((tool) => `${tool.name} ${JSON.stringify(tool.arguments)}`).join("\n") ?? "";
  return [message?.text, message?.thinking, calls, call.error].join("\n");
}

/** Files that can hold matching calls: by day, and by folder when the session is given by its id. */
export function relevantFiles(files: LogFile[], filter: CallFilter, _location: LogLocation): LogFile[] {
  const firstDay = filter.since === undefined ? undefined : localDay(new Date(filter.since));
  const exact = filter.session === undefined ? undefined : sessionSegment(filter.session);
  const folder = files.some((file) => file.session === exact) ? exact : undefined;
  return files.filter(
    (file) =>
      (firstDay === undefined || file.day >= firstDay) && (folder === undefined || file.session === folder),
  );
}

const UNITS: Record<string, number> = {
  s: 1000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** ISO 8601 as people write it: a day, a minute, a second, with or without a zone. */
const ISO_TIME = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}([.,]\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/**
 * A point in time: `2h` (ago), `today`, `yesterday`, `2026-11-30`, `2026-11-30T12:00` (local), or a full ISO time.
 * @returns milliseconds since the epoch, undefined when the text is none of these.
 */
export function parseSince(text: string, now: number): number | undefined {
  const relative = /^(\d+(?:\.\d+)?)\s*(min|[smhdw])$/.exec(text);
  if (relative) return now - Number(relative[1]) * (UNITS[relative[2] ?? ""] ?? 0);
  if (text === "today" || text === "yesterday") {
    const day = new Date(now);
    return new Date(day.getFullYear(), day.getMonth(), day.getDate() - (text === "today" ? 0 : 1)).getTime();
  }
  // `Date.parse` takes almost anything, "5" for May 2001.
  if (!ISO_TIME.test(text)) return undefined;
  // A bare day means local midnight; `new Date("2026-11-30")` would be UTC.
  const time = Date.parse(
    /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00` : text.replace(" ", "T").replace(",", "."),
  );
  return Number.isNaN(time) ? undefined : time;
}
