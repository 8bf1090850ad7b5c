import { createHash } from "node:crypto";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import { forward } from "./forward.ts";
import type { Protocol, ProtocolRequest, Reply } from "./protocol.ts";

/** One request as a recording server saw it. */
export interface RecordedRequest {
  index: number;
  /** Milliseconds since the epoch at which the last body byte arrived. */
  at: number;
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  /** The body, byte for byte (already de-chunked, not decompressed); what came of it when the caller hung up. */
  raw: Buffer;
  /** The body as UTF-8 text. */
  body: string;
  /** The body parsed as JSON, `undefined` where it is none. */
  json: unknown;
  /** What was sent back, byte for byte as handed to the socket, headers apart. */
  sent: Buffer;
  status: number;
}

/** Decides what to answer. `undefined` leaves it to the next rule, in the end to the default. */
export type Script = (
  request: ProtocolRequest,
  recorded: RecordedRequest,
) => Reply | undefined | Promise<Reply | undefined>;

export interface ModelServerOptions {
  /** Shown in default answers and errors: "cloud", "local", … */
  name: string;
  /** The wire protocols served, the first whose `matches` is true answers. */
  protocols: Protocol[];
  port?: number;
  /** The name in URLs: `127.0.0.1`, or one under `.test` that the harness leads to loopback. */
  hostname?: string;
  /** Base URL of a real server that answers what no script does; requests are recorded all the same. */
  forwardTo?: string;
}

/**
 * A scripted, deterministic model server on loopback that records every request.
 * Without a script it answers `<name> answers: <end of the last user text>`; the host puts its own context before it.
 */
export class ModelServer {
  readonly requests: RecordedRequest[] = [];
  #scripts: Script[] = [];
  #server: Server;
  #sockets = new WebSocketServer({ noServer: true });
  #options: ModelServerOptions;
  #port = 0;

  constructor(options: ModelServerOptions) {
    this.#options = options;
    this.#server = createServer((req, res) => void this.#handle(req, res));
    // A body behind `expect: 100-continue` is taken like any other.
    this.#server.on("checkContinue", (req, res) => {
      res.writeContinue();
      void this.#handle(req, res);
    });
    this.#server.on("upgrade", (req, socket, head) => this.#upgrade(req, socket, head));
    // Bytes that are no HTTP have left the gateway all the same.
    this.#server.on("clientError", (error: Error & { rawPacket?: Buffer }, socket) => {
      if (error.rawPacket) this.#record("", "", {}, error.rawPacket);
      socket.destroy();
    });
    // A cut connection must end the socket at once, without keep-alive in between.
    this.#server.keepAliveTimeout = 5_000;
  }

  get name(): string {
    return this.#options.name;
  }

  get port(): number {
    return this.#port;
  }

  get origin(): string {
    return `http://${this.#options.hostname ?? "127.0.0.1"}:${this.#port}`;
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(this.#options.port ?? this.#port, "127.0.0.1", resolve);
    });
    this.#port = (this.#server.address() as AddressInfo).port;
    return this;
  }

  /** Ends all connections; `start()` afterwards listens on the same port again. */
  async stop(): Promise<void> {
    for (const ws of this.#sockets.clients) ws.terminate();
    this.#server.closeAllConnections();
    if (this.#server.listening) await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  /** Adds a rule in front of the earlier ones; returns a function that takes it away again. */
  script(rule: Script): () => void {
    this.#scripts.unshift(rule);
    return () => {
      this.#scripts = this.#scripts.filter((s) => s !== rule);
    };
  }

  /** Answers the next requests with these, in order, then falls back to the earlier rules. */
  queue(...replies: Reply[]): void {
    const rule: Script = () => {
      const reply = replies.shift();
      if (replies.length === 0) this.#scripts = this.#scripts.filter((s) => s !== rule);
      return reply;
    };
    this.script(rule);
  }

  /** Forgets what was recorded and scripted. */
  reset(): void {
    this.requests.length = 0;
    this.unscript();
  }

  /** Forgets what was scripted, keeps what was recorded. */
  unscript(): void {
    this.#scripts = [];
  }

  /** Every recorded body from request number `since` on, one string. */
  everything(since = 0): string {
    return this.requests
      .slice(since)
      .map((r) => `${r.method} ${r.url}\n${JSON.stringify(r.headers)}\n${r.body}`)
      .join("\n");
  }

  #record(method: string, url: string, headers: IncomingHttpHeaders, raw: Buffer): RecordedRequest {
    const body = raw.toString("utf8");
    const recorded: RecordedRequest = {
      index: this.requests.length,
      at: Date.now(),
      method,
      url,
      headers,
      raw,
      body,
      json: parseJson(body),
      sent: Buffer.alloc(0),
      status: 0,
    };
    this.requests.push(recorded);
    return recorded;
  }

  /** A WebSocket: each message is recorded as a request with the method `WS`; nothing is answered. */
  #upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#record("UPGRADE", req.url ?? "", req.headers, head);
    this.#sockets.handleUpgrade(req, socket, head, (ws) => {
      ws.on("message", (data) => {
        const raw = Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Buffer);
        this.#record("WS", req.url ?? "", {}, raw);
      });
      ws.on("error", () => {}); // A caller that breaks off: what came is recorded.
    });
  }

  async #handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    let whole = true;
    try {
      for await (const chunk of req) chunks.push(chunk as Buffer);
    } catch {
      whole = false; // The caller went away while sending; what he sent is here all the same.
    }
    const recorded = this.#record(req.method ?? "", req.url ?? "", req.headers, Buffer.concat(chunks));
    if (!whole) return;
    const protocol = this.#options.protocols.find((p) => p.matches(recorded));
    if (!protocol) {
      recorded.status = 404;
      res
        .writeHead(404, { "content-type": "application/json" })
        .end(JSON.stringify({ error: { message: `${this.name}: no such path ${recorded.url}` } }));
      return;
    }
    const request = protocol.read(recorded);
    let reply: Reply | undefined;
    for (const rule of this.#scripts) {
      reply = await rule(request, recorded);
      if (reply) break;
    }
    if (!reply && this.#options.forwardTo) return forward(this.#options.forwardTo, recorded, res);
    reply ??= { text: `${this.name} answers: ${request.lastUserText.trim().slice(-200)}` };
    if (reply.delayMs) await sleep(reply.delayMs);
    await send(res, recorded, protocol, request, reply);
  }
}

async function send(
  res: ServerResponse,
  recorded: RecordedRequest,
  protocol: Protocol,
  request: ProtocolRequest,
  reply: Reply,
): Promise<void> {
  const sent: Buffer[] = [];
  const write = (text: string | Buffer): Promise<void> => {
    const bytes = Buffer.isBuffer(text) ? text : Buffer.from(text);
    sent.push(bytes);
    recorded.sent = Buffer.concat(sent);
    return new Promise((resolve) => (res.destroyed ? resolve() : res.write(bytes, () => resolve())));
  };
  const requestId = `req-${recorded.index}-${createHash("sha256").update(recorded.raw).digest("hex").slice(0, 8)}`;
  if (reply.refuse) {
    res.socket?.destroy();
    return;
  }
  if (reply.raw) {
    recorded.status = reply.status ?? 200;
    res.writeHead(recorded.status, {
      "content-type": "application/json",
      "x-request-id": requestId,
      ...reply.headers,
    });
    await write(reply.raw);
    res.end();
    return;
  }
  if (reply.status && reply.status >= 400) {
    recorded.status = reply.status;
    res.writeHead(reply.status, {
      "content-type": "application/json",
      "x-request-id": requestId,
      ...reply.headers,
    });
    await write(protocol.error(reply.status, reply.text ?? `${reply.status} by script`));
    res.end();
    return;
  }
  const frames = protocol.write(request, reply);
  recorded.status = 200;
  res.writeHead(200, { "content-type": frames.contentType, "x-request-id": requestId, ...reply.headers });
  let count = 0;
  for (const frame of frames.chunks) {
    if (reply.cutAfter !== undefined && count >= reply.cutAfter) {
      res.socket?.destroy();
      return;
    }
    if (reply.chunkDelayMs && count > 0) await sleep(reply.chunkDelayMs);
    await write(frame);
    count++;
    if (res.destroyed) return;
  }
  res.end();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
