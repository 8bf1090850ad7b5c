/**
 * Responses over WebSocket on loopback under the name api.openai.com: a TLS stub, and the plugin that leads the host's
 * socket to it. The host speaks this transport to the public name only, which no setting points elsewhere.
 */
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import https from "node:https";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { type WebSocket, WebSocketServer } from "ws";
import { selfSigned } from "./logger-tls.ts";

export interface WsFrames {
  /** Number of the connection. */
  socket: number;
  received: string;
  sent: string[];
}

export class WsStub {
  readonly frames: WsFrames[] = [];
  connections = 0;
  /** Certificate file for NODE_EXTRA_CA_CERTS. */
  readonly ca: string;
  /** Plugin folder for plugins.load.paths; its id is `socket-redirect`. */
  readonly plugin: string;
  readonly #certificate = selfSigned("api.openai.com");
  readonly #server: https.Server;
  readonly #sockets: WebSocketServer;

  /** @param dir an existing folder for the certificate and the plugin. */
  constructor(dir: string) {
    this.ca = path.join(dir, "ca.pem");
    this.plugin = path.join(dir, "redirect");
    writeFileSync(this.ca, this.#certificate.cert);
    this.#server = https.createServer(this.#certificate, (_request, response) =>
      response
        .writeHead(503, { "content-type": "application/json" })
        .end('{"error":{"message":"WebSocket only"}}'),
    );
    this.#sockets = new WebSocketServer({ server: this.#server });
    this.#sockets.on("connection", (socket) => {
      const number = this.connections++;
      socket.on("message", (data) => this.#answer(socket, number, String(data)));
    });
  }

  async start(): Promise<this> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    writeRedirectPlugin(this.plugin, (this.#server.address() as AddressInfo).port);
    return this;
  }

  stop(): void {
    for (const socket of this.#sockets.clients) socket.terminate();
    this.#sockets.close();
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #answer(socket: WebSocket, number: number, received: string): void {
    const request = JSON.parse(received) as { type?: string };
    // OpenClaw 2026.3.31 hands the promise of its own async onPayload to the socket, which then sends `{}`.
    if (request.type !== "response.create" && received !== "{}") return;
    const id = `resp_${this.frames.length + 1}`;
    const item = {
      id: `msg_${this.frames.length + 1}`,
      type: "message",
      role: "assistant",
      status: "completed",
      content: [
        {
          type: "output_text",
          text: `answer ${this.frames.length + 1} over the socket 经由套接字`,
          annotations: [],
        },
      ],
    };
    const done = {
      id,
      object: "response",
      status: "completed",
      model: "gpt-5.5",
      output: [item],
      usage: {
        input_tokens: 50,
        input_tokens_details: { cached_tokens: 20 },
        output_tokens: 9,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 59,
      },
    };
    const at = { output_index: 0, content_index: 0, item_id: item.id };
    const text = item.content[0]?.text ?? "";
    const events = [
      { type: "response.created", response: { ...done, status: "in_progress", output: [], usage: null } },
      {
        type: "response.output_item.added",
        output_index: 0,
        item: { ...item, status: "in_progress", content: [] },
      },
      {
        type: "response.content_part.added",
        ...at,
        part: { type: "output_text", text: "", annotations: [] },
      },
      ...(text.match(/.{1,7}/gsu) ?? []).map((delta) => ({
        type: "response.output_text.delta",
        ...at,
        delta,
      })),
      { type: "response.output_text.done", ...at, text },
      { type: "response.output_item.done", output_index: 0, item },
      { type: "response.completed", response: done },
    ].map((event, sequence_number) => JSON.stringify({ ...event, sequence_number }));
    this.frames.push({ socket: number, sent: events, received });
    for (const event of events) socket.send(event);
  }
}

/** A plugin that leads TLS connections to api.openai.com to a port on loopback. */
function writeRedirectPlugin(dir: string, port: number): void {
  const code = `import { createRequire } from "node:module";
const tls = createRequire(import.meta.url)("node:tls");
const mark = Symbol.for("clawx-e2e.redirect");
if (!globalThis[mark]) {
  globalThis[mark] = true;
  const connect = tls.connect;
  tls.connect = function (options, ...rest) {
    const name = options && (options.servername || options.host || options.hostname);
    if (name !== "api.openai.com") return connect.call(this, options, ...rest);
    return connect.call(this, { ...options, host: "127.0.0.1", hostname: undefined, port: ${port}, servername: "api.openai.com", lookup: undefined, path: undefined, socket: undefined }, ...rest);
  };
}
export default { id: "socket-redirect", name: "Socket redirect", description: "Test only", register() {} };
`;
  const write = (file: string, text: string) => writeFileSync(path.join(dir, file), text);
  mkdirSync(dir);
  write("index.js", code);
  write(
    "package.json",
    JSON.stringify({
      name: "socket-redirect",
      version: "1.0.0",
      type: "module",
      openclaw: { extensions: ["./index.js"] },
    }),
  );
  write(
    "openclaw.plugin.json",
    JSON.stringify({
      id: "socket-redirect",
      name: "Socket redirect",
      description: "Test only",
      activation: { onStartup: true },
      configSchema: { type: "object", additionalProperties: false },
    }),
  );
}
