/** Test support: a logger on a temporary folder and a scripted HTTP server, in this process. */
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { type PluginConfig, parseConfig } from "../config.ts";
import { onModelCallEnded, onModelCallStarted } from "../hooks/model-call.ts";
import { type Logger, startLogger, stopLogger } from "../logger.ts";

export interface Line {
  eventType: string;
  [key: string]: unknown;
}

export interface Lab {
  logger: Logger;
  server: http.Server;
  origin: string;
  stateDir: string;
  /** What the logger told the host's log. */
  told: string[];
  /** Every line of every file, in file order. */
  lines(): Line[];
  lines(eventType: string): Line[];
  /** Every byte of the log tree. */
  everything(): string;
  /** Waits until `count` llm_call lines are written. */
  calls(count: number): Promise<Line[]>;
  close(): Promise<void>;
}

export interface LabOptions {
  config?: Record<string, unknown>;
  conversationAccess?: boolean;
  handler: http.RequestListener;
}

/** Provider `stub` points at the server; its model `m1` costs 1/2 USD per million tokens. */
export async function wireLab({ config = {}, conversationAccess = true, handler }: LabOptions): Promise<Lab> {
  const server = http.createServer(handler);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stateDir = fs.mkdtempSync(path.join(os.tmpdir(), "llm-logger-lab-"));
  const told: string[] = [];
  const parsed: PluginConfig = parseConfig(config);
  const logger = await startLogger({
    config: parsed,
    stateDir,
    hostConfig: hostConfig(origin),
    conversationAccess,
    hostVersion: "2026.9.6",
    // This repository's own root resolves `ws`, as the host's main script does.
    hostEntry: path.resolve(import.meta.dirname, "../../../../package.json"),
    log: {
      info: (m) => told.push(m),
      warn: (m) => told.push(`WARN ${m}`),
      error: (m) => told.push(`ERROR ${m}`),
    },
  });
  const files = () => walk(stateDir).filter((file) => file.endsWith(".jsonl"));
  const lines = (eventType?: string) =>
    files()
      .flatMap((file) => fs.readFileSync(file, "utf8").split("\n"))
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Line)
      .filter((line) => eventType === undefined || line.eventType === eventType);
  return {
    logger,
    server,
    origin,
    stateDir,
    told,
    lines,
    everything: () =>
      walk(stateDir)
        .map((file) => fs.readFileSync(file, "utf8"))
        .join("\n"),
    async calls(count) {
      const deadline = Date.now() + 25_000;
      for (;;) {
        const found = lines("llm_call");
        if (found.length >= count) return found;
        if (Date.now() > deadline) throw new Error(`only ${found.length} of ${count} calls were written`);
        await new Promise((done) => setTimeout(done, 5));
      }
    },
    async close() {
      await stopLogger();
      server.closeAllConnections();
      await new Promise<void>((done) => server.close(() => done()));
      fs.rmSync(stateDir, { recursive: true, force: true });
    },
  };
}

function hostConfig(origin: string): object {
  const cost = { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 0 };
  return {
    models: {
      providers: {
        stub: { baseUrl: `${origin}/v1`, api: "openai-completions", models: [{ id: "m1", cost }] },
      },
    },
  };
}

function walk(dir: string): string[] {
  return fs.readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    const full = path.join(dir, entry.name);
    return entry.isDirectory() ? walk(full) : [full];
  });
}

export interface AnnouncedCall {
  traceparent: string;
  spanId: string;
  event: {
    runId: string;
    callId: string;
    sessionId: string;
    sessionKey: string;
    provider: string;
    model: string;
    api: string;
  };
  ctx: { trace: { traceId: string; spanId: string }; runId: string; sessionId: string; sessionKey: string };
  /** @param errorCategory the host's reason */
  end(outcome?: string, errorCategory?: string): void;
}

/** Announces a call as the host does. @param fields of the event; `announce: false` leaves the hook for later. */
export function announce(
  fields: Partial<AnnouncedCall["event"]> & { announce?: boolean; traceId?: string } = {},
): AnnouncedCall {
  const { announce: now = true, traceId = randomBytes(16).toString("hex"), ...rest } = fields;
  const spanId = randomBytes(8).toString("hex");
  const event = {
    runId: "run-1",
    callId: "run-1:model:1",
    sessionId: "session-1",
    sessionKey: "agent:main:s1",
    provider: "stub",
    model: "m1",
    api: "openai-completions",
    ...rest,
  };
  const ctx = {
    trace: { traceId, spanId },
    runId: event.runId,
    sessionId: event.sessionId,
    sessionKey: event.sessionKey,
  };
  if (now) onModelCallStarted(event, ctx);
  return {
    traceparent: `00-${traceId}-${spanId}-01`,
    spanId,
    event,
    ctx,
    end: (outcome = "completed", errorCategory) =>
      onModelCallEnded({ ...event, outcome, ...(errorCategory !== undefined && { errorCategory }) }, ctx),
  };
}

/** Chat-completions stream of some words, as server-sent events. */
export function chatStream(words: string[], usage?: object): string {
  const chunk = (value: object) =>
    `data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", model: "m1", ...value })}\n\n`;
  return [
    ...words.map((content) => chunk({ choices: [{ index: 0, delta: { content } }] })),
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }),
    ...(usage ? [chunk({ choices: [], usage })] : []),
    "data: [DONE]\n\n",
  ].join("");
}

export const SSE = { "content-type": "text/event-stream" };

/** Reads a request's body, then answers. */
export function answering(
  respond: (body: Buffer, request: http.IncomingMessage, response: http.ServerResponse) => unknown,
): http.RequestListener {
  return (request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => void respond(Buffer.concat(parts), request, response));
  };
}

/** POSTs JSON as a provider's client does. */
export function post(
  url: string,
  call: AnnouncedCall | undefined,
  body: unknown = { model: "m1", messages: [] },
  init: RequestInit = {},
): Promise<Response> {
  return fetch(url, {
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...init,
    headers: {
      "content-type": "application/json",
      ...(call && { traceparent: call.traceparent }),
      ...(init.headers as Record<string, string>),
    },
  });
}
