import {
  Agent as HttpAgent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as plainRequest,
} from "node:http";
import { Agent as HttpsAgent, request as tlsRequest } from "node:https";
import type { Readable, Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";

/**
 * A small HTTP client on `node:http(s)`. It never follows a redirect (a token must not travel to another
 * host), has no built-in time limits (an agent may think for minutes; callers pass an AbortSignal) and
 * hands out the body as raw bytes.
 */

export type NetErrorKind = "connect" | "timeout" | "aborted" | "closed" | "protocol" | "too_large";

/** A request that did not give a complete reply. `kind` tells whether asking again makes sense. */
export class NetError extends Error {
  readonly kind: NetErrorKind;

  constructor(kind: NetErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "NetError";
    this.kind = kind;
  }
}

export interface HttpRequest {
  method?: "GET" | "POST" | "DELETE";
  headers?: Record<string, string>;
  body?: string;
  signal?: AbortSignal;
}

export interface HttpReply {
  status: number;
  headers: IncomingHttpHeaders;
  body: IncomingMessage;
}

const agents = {
  "http:": new HttpAgent({ keepAlive: true, maxSockets: 64, timeout: 0 }),
  "https:": new HttpsAgent({ keepAlive: true, maxSockets: 64, timeout: 0 }),
};

const CONNECT_CODES = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ETIMEDOUT",
  "ECONNRESET",
  "EPIPE",
]);

function abortError(signal: AbortSignal): NetError {
  const { reason } = signal as { reason: unknown };
  if (reason instanceof NetError) return reason;
  return reason instanceof Error && reason.name === "TimeoutError"
    ? new NetError("timeout", "no complete reply in time")
    : new NetError("aborted", "request was aborted");
}

function asNetError(error: unknown, url: URL): NetError {
  if (error instanceof NetError) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const text = error instanceof Error ? error.message || code : String(error);
  const kind: NetErrorKind = CONNECT_CODES.has(code) ? "connect" : "protocol";
  return new NetError(kind, `${url.origin}: ${code && !text.includes(code) ? `${code} ` : ""}${text}`, {
    cause: error,
  });
}

/**
 * Sends one request and resolves when the reply's head is there.
 *
 * @param address absolute http(s) URL
 * @throws NetError; an HTTP error status is a reply, not an error
 */
export function sendRequest(address: string, request: HttpRequest): Promise<HttpReply> {
  const url = new URL(address);
  const { method = "GET", headers = {}, body, signal } = request;
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return Promise.reject(new NetError("protocol", `unsupported protocol ${url.protocol}`));
  }
  const protocol = url.protocol;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(abortError(signal));
      return;
    }
    const payload = body === undefined ? undefined : Buffer.from(body, "utf8");
    const outgoing = (protocol === "https:" ? tlsRequest : plainRequest)(url, {
      method,
      agent: agents[protocol],
      // Compression would hold a stream back; a gateway that compresses all the same is understood (plainBody).
      headers: {
        "accept-encoding": "identity",
        ...headers,
        ...(payload ? { "content-length": String(payload.byteLength) } : {}),
      },
    });
    const onAbort = () => outgoing.destroy(signal ? abortError(signal) : undefined);
    signal?.addEventListener("abort", onAbort, { once: true });
    outgoing.once("response", (reply) => {
      reply.once("close", () => signal?.removeEventListener("abort", onAbort));
      resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body: reply });
    });
    outgoing.once("error", (error) => {
      signal?.removeEventListener("abort", onAbort);
      reject(signal?.aborted ? abortError(signal) : asNetError(error, url));
    });
    outgoing.end(payload);
  });
}

/** Decoders by content coding (RFC 9110 section 8.4.1); flushing after each piece keeps a stream a stream. */
const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip({ flush: 2, finishFlush: 2 }),
  "x-gzip": () => createGunzip({ flush: 2, finishFlush: 2 }),
  deflate: () => createInflate({ flush: 2, finishFlush: 2 }),
  br: () => createBrotliDecompress(),
};

/** The body without its content coding. @throws NetError for a coding nobody asked for and we cannot read */
function plainBody(reply: HttpReply): Readable {
  const codings = (reply.headers["content-encoding"] ?? "")
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "" && name !== "identity");
  let body: Readable = reply.body;
  for (const name of codings.reverse()) {
    const decoder = DECODERS[name]?.();
    if (!decoder) {
      reply.body.destroy();
      throw new NetError("protocol", `the reply is compressed as "${name}", which was not asked for`);
    }
    const source = body;
    source.once("error", (error) => decoder.destroy(error));
    decoder.once("close", () => source.destroy());
    body = source.pipe(decoder);
  }
  return body;
}

/** The body's bytes as they come; a cut connection or an abort ends the iteration with a NetError. */
export async function* bodyChunks(reply: HttpReply, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of plainBody(reply)) yield chunk as Uint8Array;
  } catch (error) {
    if (signal?.aborted) throw abortError(signal);
    if (error instanceof Error && "code" in error && /^(?:Z_|ERR__ERROR|ERR_BROTLI)/.test(String(error.code)))
      throw new NetError("protocol", `the reply's compression is damaged (${String(error.code)})`, {
        cause: error,
      });
    throw error instanceof NetError
      ? error
      : new NetError("closed", "the connection was cut before the reply was complete", { cause: error });
  }
}

/** Reads the whole body as UTF-8 text, at most `limit` bytes. */
export async function bodyText(
  reply: HttpReply,
  signal?: AbortSignal,
  limit = 8 * 1024 * 1024,
): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bodyChunks(reply, signal)) {
    size += chunk.byteLength;
    if (size > limit) {
      reply.body.destroy();
      throw new NetError("too_large", `the reply is larger than ${limit} bytes`);
    }
    parts.push(chunk);
  }
  return Buffer.concat(parts).toString("utf8");
}

/** Throws the rest of a reply away so that its connection can be used again. */
export function discardBody(reply: HttpReply): void {
  reply.body.on("error", () => undefined);
  reply.body.resume();
}

/** Closes idle keep-alive connections so that the process can end at once. */
export function closeIdleConnections(): void {
  for (const agent of Object.values(agents)) agent.destroy();
}

/** True for 3xx with a Location: something we refuse to follow. */
export function isRedirect(reply: HttpReply): boolean {
  return reply.status >= 300 && reply.status < 400;
}

/** Says where a refused redirect pointed to, without its query (it may hold a ticket). */
export function describeRedirect(reply: HttpReply, from: string): string {
  const target = reply.headers.location;
  const url = target && URL.canParse(target, from) ? new URL(target, from) : undefined;
  return `HTTP ${reply.status}: redirect to ${url ? url.origin + url.pathname : "an unknown place"} refused, because the request carries a token`;
}
