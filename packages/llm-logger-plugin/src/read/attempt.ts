/** All records of one attempt, found again by attempt id, call id or a prefix of either. */
import path from "node:path";
import type { LogFile } from "../store/retention.ts";
import { type CallRecord, toCallRecord } from "./call-record.ts";
import { type LogRecord, type RecordPosition, scanFiles } from "./scan.ts";

export interface Attempt {
  call: CallRecord;
  /** http_request, http_response, ws_send, ws_message, provider_request_payload of the attempt, in file order. */
  traffic: LogRecord[];
  position: RecordPosition;
}

const MIN_PREFIX = 4;

/** What a reader may be told when an id names no attempt, or several. */
export class AttemptNotFound extends Error {
  override name = "AttemptNotFound";
}

/**
 * Finds one attempt.
 * @throws AttemptNotFound when nothing or more than one attempt matches; the message lists the candidates.
 */
export async function findAttempt(
  files: readonly LogFile[],
  id: string,
  onProgress?: (read: number, total: number) => void,
): Promise<Attempt> {
  const exact: Attempt[] = [];
  const byPrefix: Attempt[] = [];
  await scanFiles(
    files,
    { types: ["llm_call"], contains: id, ...(onProgress && { onProgress }) },
    (record, position) => {
      const call = toCallRecord(record);
      if (!call) return;
      const attempt = { call, traffic: [], position };
      if (call.attemptId === id || call.callId === id) exact.push(attempt);
      else if (id.length >= MIN_PREFIX && call.attemptId.startsWith(id)) byPrefix.push(attempt);
    },
  );
  // A call id names all attempts of a call: the last one is the one that counted.
  const found = exact.length > 0 ? [exact.at(-1)] : byPrefix;
  const attempt = found[0];
  if (!attempt)
    throw new AttemptNotFound(
      `no call "${id}" in the log. \`llm-logs list\` shows the attempt ids. / 日志中没有此调用`,
    );
  if (found.length > 1) {
    const ids = found.slice(0, 10).map((one) => one?.call.attemptId);
    throw new AttemptNotFound(
      `"${id}" fits ${found.length} calls: ${ids.join(", ")}. Give more of the id. / 匹配多个调用，请写得更完整`,
    );
  }
  await loadTraffic(files, [attempt]);
  return attempt;
}

/** Reads the traffic of attempts, all in one scan of the files of their sessions. */
export async function loadTraffic(files: readonly LogFile[], attempts: readonly Attempt[]): Promise<void> {
  const byId = new Map(attempts.map((attempt) => [attempt.call.attemptId, attempt]));
  const folders = new Set(attempts.map((attempt) => attempt.position.file));
  const near = files.filter(
    (file) =>
      folders.has(file.file) || attempts.some((attempt) => sameFolder(attempt.position.file, file.file)),
  );
  const only = byId.size === 1 ? { contains: `"attemptId":"${attempts[0]?.call.attemptId ?? ""}"` } : {};
  const types = [
    "http_request",
    "http_response",
    "ws_send",
    "ws_message",
    "provider_request_payload",
  ] as const;
  await scanFiles(near, { types, ...only }, (record) => {
    const { attemptId } = record;
    if (typeof attemptId === "string") byId.get(attemptId)?.traffic.push(record);
  });
}

function sameFolder(a: string, b: string): boolean {
  return path.dirname(a) === path.dirname(b);
}

/** The request body of an attempt as logged; undefined when bodies were not kept. */
export function requestBody(attempt: Attempt): { text: string; truncated: boolean } | undefined {
  const record = attempt.traffic.find(
    (item) => item.eventType === "http_request" || item.eventType === "ws_send",
  );
  return typeof record?.body === "string" && record.bodyEncoding === undefined
    ? { text: record.body, truncated: record.truncated === true }
    : undefined;
}
