import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from "node:zlib";
import { Agent, type Dispatcher, EnvHttpProxyAgent } from "undici";
import { markChecked } from "./checked.ts";

/** An answer of an upstream; `body` is decoded. */
export interface UpstreamResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Readable;
}

/** Longest silence of an upstream before and inside an answer, in milliseconds; reasoning models think for minutes. */
const SILENCE_MS = 15 * 60_000;

/**
 * Keep-alive connections to upstreams. Nothing is retried and no redirect is followed: a request whose answer is
 * lost may have been charged, and a key must not go to a host that the configuration does not name.
 */
export class UpstreamPool {
  readonly #direct = new Agent({
    headersTimeout: SILENCE_MS,
    bodyTimeout: SILENCE_MS,
    connect: { timeout: 15_000 },
  });
  /** Follows HTTP_PROXY, HTTPS_PROXY and NO_PROXY like the host does; only for upstreams that are not local. */
  readonly #viaEnvironment: Dispatcher | undefined;

  constructor(environment: NodeJS.ProcessEnv = process.env) {
    const named = ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"].some(
      (name) => environment[name],
    );
    this.#viaEnvironment = named
      ? new EnvHttpProxyAgent({ headersTimeout: SILENCE_MS, bodyTimeout: SILENCE_MS })
      : undefined;
  }

  /**
   * Sends one request.
   * @throws the network's error, or `signal.reason` when aborted
   */
  async send(request: {
    origin: string;
    path: string;
    method: "GET" | "POST";
    headers: Record<string, string | string[]>;
    body: Buffer | string | undefined;
    local: boolean;
    signal: AbortSignal;
  }): Promise<UpstreamResponse> {
    if (Buffer.isBuffer(request.body)) markChecked(request.body);
    const dispatcher = request.local ? this.#direct : (this.#viaEnvironment ?? this.#direct);
    const response = await dispatcher.request({
      origin: request.origin,
      path: request.path,
      method: request.method,
      headers: request.headers,
      body: request.body ?? null,
      signal: request.signal,
    });
    // Whoever reads the body sees its errors; one that is thrown away must not take the process with it.
    response.body.on("error", ignore);
    try {
      const body = decoded(response.body, response.headers["content-encoding"]);
      return { status: response.statusCode, headers: response.headers, body };
    } catch (error) {
      // Nobody will read it: the connection must not wait for that.
      response.body.destroy();
      throw error;
    }
  }

  /** Ends all connections, those in use too. */
  async close(): Promise<void> {
    await Promise.all([this.#direct.destroy(), this.#viaEnvironment?.destroy()]);
  }
}

function ignore(): void {}

/** Undoes the content encodings, last applied first. An unknown one makes the body fail. */
function decoded(body: Readable, encoding: string | string[] | undefined): Readable {
  const names = (Array.isArray(encoding) ? encoding.join(",") : (encoding ?? ""))
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity");
  let stream: Readable = body;
  for (const name of names.reverse()) {
    const decoder = decoderOf(name);
    const source = stream;
    decoder.on("error", ignore);
    source.on("error", (error) => decoder.destroy(error));
    decoder.on("close", () => source.destroy());
    stream = source.pipe(decoder);
  }
  return stream;
}

function decoderOf(name: string) {
  switch (name) {
    case "gzip":
    case "x-gzip":
      return createGunzip();
    case "br":
      return createBrotliDecompress();
    case "zstd":
      return createZstdDecompress();
    case "deflate":
      return createInflate();
    default:
      throw new Error(`upstream answered with content-encoding "${name}", which was not asked for`);
  }
}
