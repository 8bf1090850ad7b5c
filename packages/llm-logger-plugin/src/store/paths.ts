/** Where log lines go: one folder a session, one file a local day. */
import { createHash } from "node:crypto";
import path from "node:path";

/** Folder of events whose session is not known. */
export const UNKNOWN_SESSION = "_unknown_session";

/** File stem when no `logFile` is configured. */
export const DEFAULT_STEM = "llm-logger-openclaw-plugin";

/** A log root: `<dir>/<session>/<stem>-YYYY-MM-DD<ext>`. */
export interface LogLocation {
  dir: string;
  stem: string;
  ext: string;
}

/**
 * Resolves the `logFile` setting.
 * @param logFile `<dir>/x.jsonl`, absolute or relative to the state folder; a leading `~/` is the home folder.
 */
export function resolveLocation(logFile: string | undefined, stateDir: string, home?: string): LogLocation {
  if (logFile === undefined) return { dir: path.join(stateDir, "logs"), stem: DEFAULT_STEM, ext: ".jsonl" };
  const expanded = home && /^~[/\\]/.test(logFile) ? path.join(home, logFile.slice(2)) : logFile;
  const absolute = path.resolve(stateDir, expanded);
  const ext = path.extname(absolute) || ".jsonl";
  return { dir: path.dirname(absolute), stem: path.basename(absolute, path.extname(absolute)), ext };
}

const PLAIN_SEGMENT = /^[A-Za-z0-9][A-Za-z0-9._-]{0,119}$/;
/** File systems there take `A` and `a` for the same name. */
const CASE_INSENSITIVE = process.platform === "darwin" || process.platform === "win32";

const WINDOWS_RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/**
 * A session id as one path segment. Ids that are plain already stay as they are; every other id gets its readable
 * part plus `~` and a hash of the whole id, so no two ids share a folder (`~` never occurs in a plain id).
 */
export function sessionSegment(sessionId: string | undefined, foldsCase = CASE_INSENSITIVE): string {
  if (sessionId === undefined || sessionId === "") return UNKNOWN_SESSION;
  const plain =
    PLAIN_SEGMENT.test(sessionId) && !WINDOWS_RESERVED.test(sessionId) && !sessionId.endsWith(".");
  if (plain && !(foldsCase && /[A-Z]/.test(sessionId))) return sessionId;
  const readable = sessionId
    .replace(/[^A-Za-z0-9._-]+/g, "_")
    .replace(/^[._-]+/, "")
    .slice(0, 60)
    .replace(/\.+$/, "");
  const hash = createHash("sha256").update(sessionId).digest("hex").slice(0, 16);
  return `${readable || "id"}~${hash}`;
}

/** The local calendar day, `YYYY-MM-DD`. */
export function localDay(time: Date): string {
  const month = String(time.getMonth() + 1).padStart(2, "0");
  const day = String(time.getDate()).padStart(2, "0");
  return `${time.getFullYear()}-${month}-${day}`;
}

/** Full path of a session's file for a local day. */
export function logFilePath(location: LogLocation, sessionId: string | undefined, day: string): string {
  return path.join(location.dir, sessionSegment(sessionId), `${location.stem}-${day}${location.ext}`);
}

/** The day in the name of one of our log files, undefined when the name is not ours. */
export function dayOfFile(location: LogLocation, fileName: string): string | undefined {
  if (!fileName.startsWith(`${location.stem}-`) || !fileName.endsWith(location.ext)) return undefined;
  const day = fileName.slice(location.stem.length + 1, fileName.length - location.ext.length);
  return /^\d{4}-\d{2}-\d{2}$/.test(day) ? day : undefined;
}
