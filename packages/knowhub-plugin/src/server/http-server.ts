import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tooDeep } from "../record/depth.ts";
import { MAX_BODY_BYTES } from "../record/schema.ts";
import type { WireApi } from "./api.ts";
import { sameToken } from "./token.ts";
import { HttpError, type WireRequest } from "./wire.ts";

export interface ServeOptions {
  api: WireApi;
  token: string;
  port: number;
  log: { info(message: string): void; warn(message: string): void };
}

/** A knowledge base offered on 127.0.0.1. */
export interface ServedKnowledge {
  url: string;
  port: number;
  close(): Promise<void>;
}

/** A client that sends a header or a body slower than this is cut off. */
const HEADERS_MS = 10_000;
const REQUEST_MS = 30_000;
/**
 * So much of a body that is too long is read and thrown away: a client that is still sending when the connection ends sees a
 * broken connection, not the answer, and would try again.
 */
const MAX_DRAINED = 8 * MAX_BODY_BYTES;
const LOOPBACK_HOSTS = new Set(["127.0.0.1", "localhost", "[::1]"]);

/**
 * Listens on 127.0.0.1 only. Every request needs the bearer token, a loopback `Host` (against DNS rebinding) and no foreign
 * `Origin` (a web page in the user's browser must not write here); nothing is ever allowed by CORS.
 *
 * @throws when the port is taken, with what to do.
 */
export async function serveKnowledge(options: ServeOptions): Promise<ServedKnowledge> {
  const server = createServer((req, res) => {
    void handle(req, res, options).catch((error: unknown) => {
      options.log.warn(`knowhub serve: ${error instanceof Error ? error.message : String(error)}`);
      if (!res.headersSent) send(res, 500, { error: "internal error" });
      else res.destroy();
    });
  });
  server.headersTimeout = HEADERS_MS;
  server.requestTimeout = REQUEST_MS;
  server.maxHeadersCount = 100;
  await listen(server, options.port);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const taken = error.code === "EADDRINUSE";
      reject(
        taken
          ? new Error(
              `port ${port} on 127.0.0.1 is taken; choose another with --port or plugins.entries.knowhub.config.serve.port`,
            )
          : error,
      );
    });
    server.listen(port, "127.0.0.1", resolve);
  });
}

async function handle(req: IncomingMessage, res: ServerResponse, options: ServeOptions): Promise<void> {
  try {
    admit(req, options.token);
    const url = URL.parse(req.url ?? "/", "http://127.0.0.1");
    if (!url) throw new HttpError(400, "the path is not valid");
    const request: WireRequest = {
      method: req.method ?? "GET",
      path: url.pathname,
      query: url.searchParams,
      body: await readBody(req),
      idempotencyKey: header(req, "idempotency-key"),
    };
    const { status, body } = await options.api.handle(request);
    send(res, status, body);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    // The rest of a body that is too long is not read: the connection ends.
    if (error.status === 413) res.setHeader("connection", "close");
    if (error.status === 401) res.setHeader("www-authenticate", "Bearer");
    send(res, error.status, {
      error: error.message,
      ...(error.details !== undefined && { details: error.details }),
    });
  }
}

/** @throws HttpError when the request must not be served */
function admit(req: IncomingMessage, token: string): void {
  const host = (req.headers.host ?? "").replace(/:\d+$/, "");
  if (!LOOPBACK_HOSTS.has(host)) throw new HttpError(403, "this server answers to loopback host names only");
  const origin = req.headers.origin;
  const site = header(req, "sec-fetch-site");
  if (origin !== undefined || (site !== undefined && site !== "none"))
    throw new HttpError(403, "requests from web pages are refused");
  const bearer = /^Bearer\s+(\S+)$/i.exec(req.headers.authorization ?? "")?.[1];
  if (!bearer || !sameToken(bearer, token))
    throw new HttpError(
      401,
      "a bearer token is needed: the text of the file that `openclaw knowhub serve` names",
    );
}

async function readBody(req: IncomingMessage): Promise<unknown> {
  if (req.method === "GET" || req.method === "HEAD") return undefined;
  if (Number(req.headers["content-length"] ?? 0) > MAX_DRAINED) throw tooLong();
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_DRAINED) throw tooLong();
    if (bytes > MAX_BODY_BYTES) chunks.length = 0;
    else chunks.push(chunk);
  }
  if (bytes > MAX_BODY_BYTES) throw tooLong();
  const text = Buffer.concat(chunks).toString("utf8");
  if (text === "") return undefined;
  // A form or a text/plain body is what a web page can send without asking first.
  if (!/^application\/(.+\+)?json\b/i.test(req.headers["content-type"] ?? ""))
    throw new HttpError(415, "the body must be application/json");
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new HttpError(400, "the body is not valid JSON");
  }
  if (tooDeep(body)) throw new HttpError(422, "the body is nested too deeply");
  return body;
}

function tooLong(): HttpError {
  return new HttpError(413, `the body is longer than ${MAX_BODY_BYTES} bytes`);
}

function header(req: IncomingMessage, name: string): string | undefined {
  const value = req.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function send(res: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  res.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  res.end(text);
}
