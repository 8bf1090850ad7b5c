import { randomUUID } from "node:crypto";
import WebSocket from "ws";

/** An event frame of the gateway (openclaw docs: gateway/protocol/transport). */
export interface GatewayEvent {
  event: string;
  payload: Record<string, unknown>;
}

interface Pending {
  resolve(payload: Record<string, unknown>): void;
  reject(error: Error): void;
  /** `agent` answers twice: first "accepted", then the result. */
  final: boolean;
}

/**
 * A small operator client of the gateway's WebSocket protocol (version 4), with the shared token.
 * It keeps every event, so that a test can wait for one that came before it asked.
 */
export class GatewayClient {
  readonly events: GatewayEvent[] = [];
  #ws: WebSocket;
  #pending = new Map<string, Pending>();
  #watchers = new Set<(event: GatewayEvent) => void>();

  private constructor(ws: WebSocket) {
    this.#ws = ws;
    ws.on("message", (data) => this.#receive(JSON.parse(String(data)) as Frame));
    ws.on("close", () => {
      for (const p of this.#pending.values()) p.reject(new Error("the gateway closed the connection"));
      this.#pending.clear();
    });
  }

  /** Connects, retrying while the gateway says that it is still starting. */
  static async connect(port: number, token: string, timeoutMs = 90_000): Promise<GatewayClient> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      try {
        return await GatewayClient.#once(port, token);
      } catch (error) {
        if (Date.now() > deadline)
          throw new Error(
            `no connection to the gateway on port ${port} in ${timeoutMs} ms: ${String(error)}`,
          );
        await new Promise((resolve) => setTimeout(resolve, 250));
      }
    }
  }

  static async #once(port: number, token: string): Promise<GatewayClient> {
    const ws = new WebSocket(`ws://127.0.0.1:${port}`, { maxPayload: 64 * 1024 * 1024 });
    const client = new GatewayClient(ws);
    await new Promise<void>((resolve, reject) => {
      ws.once("error", reject);
      ws.once("close", () => reject(new Error("closed before hello")));
      client.onEvent((e) => {
        if (e.event !== "connect.challenge") return;
        client
          .request("connect", {
            minProtocol: 4,
            maxProtocol: 4,
            client: { id: "gateway-client", version: "1.0.0", platform: process.platform, mode: "backend" },
            role: "operator",
            scopes: ["operator.admin", "operator.read", "operator.write", "operator.approvals"],
            caps: [],
            auth: { token },
          })
          .then(() => resolve(), reject);
      });
    });
    ws.on("error", () => {}); // A killed gateway resets the socket; pending requests are rejected by "close".
    return client;
  }

  /** Calls a method; resolves with the payload of the (last) response. */
  request(
    method: string,
    params: unknown = {},
    { final = false, timeoutMs = 120_000 } = {},
  ): Promise<Record<string, unknown>> {
    const id = randomUUID();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#pending.delete(id);
        reject(new Error(`${method}: no answer in ${timeoutMs} ms`));
      }, timeoutMs);
      const settle = (then: () => void) => {
        clearTimeout(timer);
        then();
      };
      this.#pending.set(id, {
        final,
        resolve: (p) => settle(() => resolve(p)),
        reject: (e) => settle(() => reject(e)),
      });
      this.#ws.send(JSON.stringify({ type: "req", id, method, params }));
    });
  }

  onEvent(watch: (event: GatewayEvent) => void): () => void {
    this.#watchers.add(watch);
    return () => this.#watchers.delete(watch);
  }

  /** Resolves with the first event, past or future, for which `test` is true. */
  waitFor(
    test: (event: GatewayEvent) => boolean,
    timeoutMs = 120_000,
    what = "event",
  ): Promise<GatewayEvent> {
    const past = this.events.find(test);
    if (past) return Promise.resolve(past);
    return new Promise((resolve, reject) => {
      const off = this.onEvent((e) => {
        if (!test(e)) return;
        clearTimeout(timer);
        off();
        resolve(e);
      });
      const timer = setTimeout(() => {
        off();
        reject(new Error(`${what}: not seen in ${timeoutMs} ms`));
      }, timeoutMs);
    });
  }

  close(): void {
    this.#ws.close();
  }

  #receive(frame: Frame): void {
    if (frame.type === "event") {
      const event = { event: frame.event, payload: frame.payload ?? {} };
      this.events.push(event);
      for (const watch of [...this.#watchers]) watch(event);
      return;
    }
    if (frame.type !== "res") return;
    const pending = this.#pending.get(frame.id);
    if (!pending) return;
    if (frame.ok && pending.final && frame.payload?.status === "accepted") return;
    this.#pending.delete(frame.id);
    if (frame.ok) pending.resolve(frame.payload ?? {});
    else
      pending.reject(new Error(`${frame.error?.code ?? "error"}: ${frame.error?.message ?? "no message"}`));
  }
}

type Frame =
  | { type: "event"; event: string; payload?: Record<string, unknown> }
  | {
      type: "res";
      id: string;
      ok: boolean;
      payload?: Record<string, unknown>;
      error?: { code?: string; message?: string };
    };
