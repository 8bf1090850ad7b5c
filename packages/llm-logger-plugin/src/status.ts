/** What the logger says about itself: numbers, seams, permissions. No content of any call. */
import fs from "node:fs";
import path from "node:path";
import { makeFolder } from "@clawx/shared-security";
import type { SeamStatus } from "./capture/seam.ts";
import { PLUGIN_ID } from "./config.ts";
import { hasTraceScope } from "./correlate/trace.ts";
import type { Logger } from "./logger.ts";
import type { Counters } from "./recorder/counters.ts";
import type { LogLocation } from "./store/paths.ts";
import type { WriterStats } from "./store/writer.ts";

export interface LoggerStatus {
  plugin: typeof PLUGIN_ID;
  pid: number;
  running: boolean;
  startedAt: string;
  updatedAt: string;
  hostVersion: string | null;
  logDir: string;
  counters: Counters;
  writer: WriterStats;
  openFiles: number;
  inFlight: number;
  seams: Record<string, SeamStatus>;
  traceScope: boolean;
  /** Bodies, prompts and answers are written. */
  content: boolean;
  /** What is missing, each with the exact setting to change. */
  permissions: string[];
  warnings: string[];
}

/** The setting that lets the host hand over conversation hooks. */
export const ACCESS_KEY = `plugins.entries.${PLUGIN_ID}.hooks.allowConversationAccess`;

export function buildStatus(logger: Logger): LoggerStatus {
  const { recorder, writer, options } = logger;
  const permissions: string[] = [];
  if (!options.conversationAccess) {
    permissions.push(
      `conversation access is not granted: only metadata is logged. Grant it with: openclaw config set ${ACCESS_KEY} true / 未授予会话访问权限，仅记录元数据；请执行上述命令。`,
    );
  }
  const warnings = [...logger.warnings];
  const { dropped, lastError } = writer.stats;
  const unwritable = writer.problem ?? logger.folderProblem;
  if (unwritable !== undefined) warnings.push(unwritable);
  if (dropped > 0) warnings.push(`${dropped} log line(s) were lost: ${lastError ?? "write error"}`);
  if (recorder.counters.callsFailedEarly > 0) warnings.push(earlyFailures(recorder.counters));
  if (recorder.counters.faults > 0)
    warnings.push(`${recorder.counters.faults} internal fault(s), last: ${recorder.counters.lastFault}`);
  return {
    plugin: PLUGIN_ID,
    pid: process.pid,
    running: !logger.stopped,
    startedAt: logger.startedAt.toISOString(),
    updatedAt: new Date().toISOString(),
    hostVersion: options.hostVersion ?? null,
    logDir: logger.location.dir,
    counters: recorder.counters,
    writer: writer.stats,
    openFiles: writer.openCount,
    inFlight: recorder.inFlight,
    seams: Object.fromEntries(logger.seams.map((seam) => [seam.name, seam.status()])),
    traceScope: hasTraceScope(),
    content: recorder.content,
    permissions,
    warnings,
  };
}

/** Calls that never reached the network: nothing is missing in the log, but somebody waits for an answer. */
function earlyFailures({ callsFailedEarly, failureReasons }: Counters): string {
  const reasons = Object.entries(failureReasons).map(([reason, times]) => `${reason} ×${times}`);
  const host = reasons.length > 0 ? ` (host ${reasons.join(", ")})` : "";
  const calls = callsFailedEarly === 1 ? "1 call" : `${callsFailedEarly} calls`;
  return `${calls} failed before the network${host}. The host refused or broke off; its own log says why / ${callsFailedEarly} 次调用在联网前失败，原因见网关日志`;
}

function statusFile(location: LogLocation): string {
  return path.join(location.dir, `.${location.stem}.status.json`);
}

/**
 * Saves the status beside the logs so that the CLI, another process, can read it. Atomic, 0600.
 * @throws the file system's error when the folder cannot be made or written
 */
export function writeStatusFile(location: LogLocation, status: LoggerStatus): void {
  const file = statusFile(location);
  makeFolder(location.dir, 0o700);
  const temporary = `${file}.${process.pid}`;
  try {
    fs.writeFileSync(temporary, JSON.stringify(status), { mode: 0o600 });
    fs.renameSync(temporary, file);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw error;
  }
}

/** Whether a file holds what this version writes; another version's status is none. */
function isStatus(value: unknown): value is LoggerStatus {
  const part = (from: unknown, name: string): unknown =>
    typeof from === "object" && from !== null ? Reflect.get(from, name) : undefined;
  const counters = part(value, "counters");
  const numbers = [
    "callsSeen",
    "callsHttp",
    "callsWebSocket",
    "callsUnmatched",
    "callsFailedEarly",
    "requests",
    "responses",
  ];
  return (
    numbers.every((name) => typeof part(counters, name) === "number") &&
    typeof part(part(counters, "byCorrelation"), "none") === "number" &&
    ["lines", "bytes", "dropped"].every((name) => typeof part(part(value, "writer"), name) === "number") &&
    typeof part(value, "seams") === "object" &&
    part(value, "seams") !== null &&
    Object.values(part(value, "seams") as object).every((seam) => typeof part(seam, "reason") === "string") &&
    ["permissions", "warnings"].every((name) => Array.isArray(part(value, name))) &&
    typeof part(value, "pid") === "number"
  );
}

/** The last saved status; undefined when no logger ever ran on this log root. */
export function readStatusFile(location: LogLocation): LoggerStatus | undefined {
  try {
    const value: unknown = JSON.parse(fs.readFileSync(statusFile(location), "utf8"));
    return isStatus(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
