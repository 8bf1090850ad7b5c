import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { type KnowHubConfig, parseConfig } from "../config.ts";
import type { SaveInput } from "../record/schema.ts";
import type { Actor } from "../service/backend.ts";
import { KnowHub } from "../service/knowhub.ts";

/** A folder that goes away with the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), "knowhub-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface Lab {
  hub: KnowHub;
  config: KnowHubConfig;
  logs: string[];
}

/** A knowledge base of its own for one test, background work included when `start` is called. */
export function lab(settings: Record<string, unknown> = {}, stateDir = temporaryFolder()): Lab {
  const logs: string[] = [];
  const log = { info: (m: string) => void logs.push(m), warn: (m: string) => void logs.push(m) };
  const hub = new KnowHub(stateDir, log);
  onTestFinished(() => hub.stop());
  return { hub, config: parseConfig(settings), logs };
}

export const AGENT: Actor = { kind: "agent", agentId: "main", session: "agent:main:one" };

export function item(task: string, content: string, more: Partial<SaveInput> = {}): SaveInput {
  return { task, content, types: ["tool"], score: 4, tags: {}, ...more };
}

export interface TestServer {
  url: string;
  requests: { method: string; path: string; headers: IncomingMessage["headers"]; body: string }[];
  /** Ends all connections and stops listening; `start` takes the same port again. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

type Handler = (req: IncomingMessage, res: ServerResponse, body: string) => void | Promise<void>;

/** A server on loopback that answers as the test says. */
export async function testServer(handler: Handler): Promise<TestServer> {
  const requests: TestServer["requests"] = [];
  let server: Server;
  let port = 0;
  const start = async () => {
    server = createServer((req, res) => {
      const chunks: Buffer[] = [];
      req.on("data", (chunk: Buffer) => chunks.push(chunk));
      req.on("end", () => {
        const body = Buffer.concat(chunks).toString();
        requests.push({ method: req.method ?? "", path: req.url ?? "", headers: req.headers, body });
        void handler(req, res, body);
      });
    });
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    port = (server.address() as AddressInfo).port;
  };
  const stop = async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  await start();
  onTestFinished(stop);
  return {
    get url() {
      return `http://127.0.0.1:${port}`;
    },
    requests,
    start,
    stop,
  };
}

export function json(
  res: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  res.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

/** Waits until something holds. @throws after `ms` */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  ms = 10_000,
): Promise<void> {
  const end = Date.now() + ms;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`not within ${ms} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
