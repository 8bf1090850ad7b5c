/** HTTP Archive 1.2 entries of logged calls. @see http://www.softwareishard.com/blog/har-12-spec/ */
import type { LogRecord } from "./scan.ts";

interface Pair {
  name: string;
  value: string;
}

/** One HAR entry of a request and its response, both as logged (redacted, cut at the body cap). */
export function harEntry(
  request: LogRecord,
  response: LogRecord | undefined,
  call: LogRecord | undefined,
): object {
  const url = str(request.url);
  const wait = num(call?.ttfbMs) ?? -1;
  const total = num(call?.durationMs) ?? Math.max(0, wait);
  const responseHeaders = headers(response?.headers);
  return {
    startedDateTime: str(request.ts),
    time: total,
    request: {
      method: str(request.method),
      url,
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: headers(request.headers),
      queryString: query(url),
      postData: {
        mimeType: find(headers(request.headers), "content-type") ?? "application/json",
        text: str(request.body),
      },
      headersSize: -1,
      bodySize: num(request.wireBytes) ?? -1,
    },
    response: {
      status: num(response?.status) ?? 0,
      statusText: str(response?.statusText),
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: responseHeaders,
      content: {
        size: num(response?.originalLength) ?? 0,
        mimeType: find(responseHeaders, "content-type") ?? "",
        text: str(response?.body),
        ...(response?.bodyEncoding === "base64" && { encoding: "base64" }),
      },
      redirectURL: "",
      headersSize: -1,
      bodySize: num(response?.wireBytes) ?? -1,
    },
    cache: {},
    timings: { send: 0, wait: Math.max(0, wait), receive: Math.max(0, total - Math.max(0, wait)) },
    _llm: {
      callId: request.callId,
      attemptId: request.attemptId,
      sessionId: request.sessionId,
      provider: request.provider,
      model: request.model,
      purpose: request.purpose,
      outcome: call?.outcome ?? null,
      usage: call?.usage ?? null,
      costUsd: call?.costUsd ?? null,
    },
  };
}

export function harHead(creatorVersion: string): string {
  return `{"log":{"version":"1.2","creator":{"name":"llm-logger-openclaw-plugin","version":${JSON.stringify(creatorVersion)}},"pages":[],"entries":[`;
}

export const HAR_TAIL = "]}}\n";

function headers(value: unknown): Pair[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, entry]) =>
    (Array.isArray(entry) ? entry : [entry]).map((item) => ({ name, value: String(item) })),
  );
}

function find(pairs: Pair[], name: string): string | undefined {
  return pairs.find((pair) => pair.name === name)?.value;
}

function query(url: string): Pair[] {
  return URL.canParse(url) ? [...new URL(url).searchParams].map(([name, value]) => ({ name, value })) : [];
}

function str(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function num(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
