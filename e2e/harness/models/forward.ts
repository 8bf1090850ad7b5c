import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import type { RecordedRequest } from "./server.ts";

/** Headers that belong to one connection and not to the message (RFC 9110, 7.6.1), or that fetch sets itself. */
const NOT_FORWARDED = new Set([
  "host",
  "connection",
  "keep-alive",
  "transfer-encoding",
  "content-length",
  "accept-encoding",
  "te",
  "upgrade",
]);

/** Hands a recorded request on to a real server at `baseUrl` and streams its answer back. */
export async function forward(baseUrl: string, request: RecordedRequest, res: ServerResponse): Promise<void> {
  try {
    const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
      NOT_FORWARDED.has(name) || value === undefined ? [] : [[name, String(value)]],
    );
    const answer = await fetch(`${baseUrl}${request.url.replace(/^\/v1/, "")}`, {
      method: request.method,
      headers,
      ...(request.raw.length > 0 && { body: new Uint8Array(request.raw) }),
      // A redirect could carry the key to another host.
      redirect: "error",
    });
    request.status = answer.status;
    const type = answer.headers.get("content-type");
    res.writeHead(answer.status, type ? { "content-type": type } : {});
    if (answer.body) await pipeline(Readable.fromWeb(answer.body as ReadableStream), res);
    else res.end();
  } catch (error) {
    if (!res.headersSent) res.writeHead(502, { "content-type": "application/json" });
    res.end(JSON.stringify({ error: { message: `no answer from ${baseUrl}: ${String(error)}` } }));
  }
}
