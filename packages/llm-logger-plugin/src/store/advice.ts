/** What to do when log files cannot be written, for the gateway's log, the status page and the CLI. */
import { CONFIG_PATH } from "../config.ts";

const FULL = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

/** Names no path and holds no colon, so that it can stand on the open status page; the place follows behind one. */
export function cannotWrite(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
  const what = `the log cannot be written${code === undefined ? "" : ` (${code})`}`;
  const set = `openclaw config set ${CONFIG_PATH}.logFile <file>`;
  return code !== undefined && FULL.has(code)
    ? `${what}, the disk is full. Model calls go on, their log lines are lost and counted. Free space, or log to another disk with "${set}" / 磁盘已满，日志无法写入，请释放空间或更换 logFile`
    : `${what}. Model calls go on, their log lines are lost and counted. Choose a file in a folder that the gateway's user can write with "${set}", then restart the gateway / 日志无法写入，请将 logFile 设为可写的位置并重启网关`;
}
