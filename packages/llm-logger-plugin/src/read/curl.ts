/** A curl line that sends a logged request again, with the key from an environment variable. */
import type { LogRecord } from "./scan.ts";

export interface CurlOptions {
  /** Base URL or full URL to send to; a bare origin gets the logged path. */
  to: string;
  /** Environment variable of the key. */
  keyEnv: string;
}

const LARGEST_ARGUMENT = 100_000;

/** Headers that belong to the client's own library and connection, not to the request. */
const DROPPED =
  /^(host|connection|content-length|content-encoding|expect|accept-encoding|accept-language|traceparent|tracestate|user-agent|transfer-encoding|sec-.*|x-stainless-.*)$/;

/**
 * @throws Error when the body is not whole: a cut prompt must not be sent as if it were the original.
 */
export function curlLine(request: LogRecord, { to, keyEnv }: CurlOptions): string {
  if (!/^[A-Za-z_]\w*$/.test(keyEnv)) throw new Error(`"${keyEnv}" is no name of an environment variable`);
  if (typeof request.body !== "string")
    throw new Error("the log holds no body of this request / 日志中没有此请求的正文");
  if (request.bodyEncoding !== undefined)
    throw new Error(
      "the logged body is binary: it cannot stand in a command line / 正文为二进制，无法写入命令行",
    );
  if (request.truncated === true) {
    throw new Error(
      `the logged body is cut at ${String(request.capturedBytes)} of ${String(request.originalLength)} bytes: raise maxBodyBytes to replay such calls / 正文已截断，请调大 maxBodyBytes`,
    );
  }
  // One argument may have 128 kB at most (Linux, MAX_ARG_STRLEN); what the shell itself prints has no such limit.
  const piped = Buffer.byteLength(request.body) > LARGEST_ARGUMENT;
  const parts = [
    ...(piped ? ["printf", "%s", quote(request.body), "|"] : []),
    "curl",
    "-sSgN",
    "-X",
    quote(String(request.method ?? "POST")),
    quotedUrl(String(request.url ?? ""), to, keyEnv),
  ];
  const headers =
    typeof request.headers === "object" && request.headers !== null ? Object.entries(request.headers) : [];
  for (const [name, value] of headers) {
    if (DROPPED.test(name)) continue;
    if (value === "[REDACTED]")
      parts.push(
        "-H",
        `"${name.replace(/[^\w-]/g, "")}: ${name === "authorization" ? "Bearer " : ""}$${keyEnv}"`,
      );
    else
      for (const one of Array.isArray(value) ? value : [value])
        if (one !== "[REDACTED]") parts.push("-H", quote(`${name}: ${String(one)}`));
  }
  // --data-raw takes a leading @ for what it is; --data-binary would send a file of this machine.
  parts.push(...(piped ? ["--data-binary", "@-"] : ["--data-raw", quote(request.body)]));
  return parts.join(" ");
}

/** The target, shell-quoted. A key in the URL was redacted in the log; it comes from the environment like the header's. */
function quotedUrl(logged: string, to: string, keyEnv: string): string {
  const target = new URL(to);
  if (URL.canParse(logged) && (target.pathname === "/" || target.pathname === "")) {
    const from = new URL(logged);
    target.pathname = from.pathname;
    target.search = from.search;
  }
  return target
    .toString()
    .split(/%5BREDACTED%5D|\[REDACTED\]/)
    .map(quote)
    .join(`"$${keyEnv}"`);
}

/** POSIX shell quoting. */
function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
