import type { IncomingHttpHeaders } from "node:http";
import type { Endpoint } from "./endpoints.ts";
import { KEY_HEADER } from "./guards.ts";
import type { TraceHints } from "./types.ts";

/**
 * Headers that belong to one connection and are never passed on.
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1
 */
const HOP_BY_HOP = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Header by which our own process says in which trace a request was made; never forwarded. */
export const TRACE_HEADER = "x-clawxrouter-trace";

/** Request headers that the proxy sets itself or must not repeat. */
const OWN_REQUEST = new Set([
  "host",
  "content-length",
  "content-encoding",
  "accept-encoding",
  "expect",
  KEY_HEADER,
  TRACE_HEADER,
]);

/** Response headers that no longer hold once the body is decoded; `alt-svc` would lead clients around the proxy. */
const OWN_RESPONSE = new Set(["content-length", "content-encoding", "alt-svc", "strict-transport-security"]);

/** Content encodings that the proxy can decode, best first. */
export const DECODABLE = ["br", "zstd", "gzip", "deflate"] as const;

function listed(connection: string | string[] | undefined): Set<string> {
  const value = Array.isArray(connection) ? connection.join(",") : (connection ?? "");
  return new Set(
    value
      .toLowerCase()
      .split(",")
      .map((name) => name.trim()),
  );
}

/**
 * Headers for the upstream request: the caller's own, custom and authorization headers included, without those
 * of the connection; `extra` wins. Only encodings are asked for that the caller wants and the proxy can decode.
 */
export function upstreamHeaders(
  incoming: IncomingHttpHeaders,
  bodyLength: number | undefined,
  extra: Readonly<Record<string, string>> = {},
): Record<string, string | string[]> {
  const dropped = listed(incoming.connection);
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(incoming)) {
    if (value === undefined || HOP_BY_HOP.has(name) || OWN_REQUEST.has(name) || dropped.has(name)) continue;
    headers[name] = value;
  }
  for (const [name, value] of Object.entries(extra)) headers[name.toLowerCase()] = value;
  const wanted = (incoming["accept-encoding"] ?? "").toString().toLowerCase();
  const encodings = DECODABLE.filter((encoding) => acceptsEncoding(wanted, encoding));
  headers["accept-encoding"] = encodings.length > 0 ? encodings.join(", ") : "identity";
  if (bodyLength !== undefined) headers["content-length"] = String(bodyLength);
  return headers;
}

/** Headers for the caller: the upstream's own (rate limits, request ids, cookies), without the connection's. */
export function responseHeaders(upstream: IncomingHttpHeaders): Record<string, string | string[]> {
  const dropped = listed(upstream.connection);
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(upstream)) {
    if (value === undefined || HOP_BY_HOP.has(name) || OWN_RESPONSE.has(name) || dropped.has(name)) continue;
    headers[name] = value;
  }
  return headers;
}

/** The upstream's id of the request, under the names vendors use. */
export function upstreamRequestId(headers: IncomingHttpHeaders): string | undefined {
  for (const name of ["x-request-id", "request-id", "x-goog-request-id", "apim-request-id", "cf-ray"]) {
    const value = headers[name];
    if (typeof value === "string") return value;
  }
  return undefined;
}

/** Trace and span of a W3C `traceparent`. @see https://www.w3.org/TR/trace-context/#traceparent-header */
export function traceOf(headers: IncomingHttpHeaders, kind: Endpoint["kind"]): TraceHints {
  const value = headers.traceparent;
  const match =
    typeof value === "string" ? /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/.exec(value) : null;
  // Embeddings are made within the turn that searches, model calls (which have a `traceparent`) within their run. Titles
  // and recaps are not: the host's queue runs them in whatever context it was started in, often another conversation's.
  const own = kind === "embed" || match ? headers[TRACE_HEADER] : undefined;
  const told = typeof own === "string" ? /^([0-9a-f]{32})-([0-9a-f]{16})$/.exec(own) : null;
  return {
    traceId: match?.[1],
    spanId: match?.[2],
    context: told ? { traceId: told[1], spanId: told[2] } : undefined,
  };
}

function acceptsEncoding(wanted: string, encoding: string): boolean {
  return wanted.split(",").some((part) => {
    const [name, ...params] = part.split(";").map((piece) => piece.trim());
    return name === encoding && !params.some((param) => /^q=0(?:\.0*)?$/.test(param));
  });
}
