import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * A deterministic stand-in for a Knot agent: Knot's AG-UI dialect over server-sent events, on loopback. For
 * tests, for the repository's tour and for trying the skill without an account.
 */

/** A document passage the fake agent "retrieves". */
export interface FakeChunk {
  chunk_title: string;
  chunk_content: string;
  doc_id?: string;
  chunk_index?: number;
}

/** What the fake agent does for one question. */
export interface FakeAnswer {
  text?: string;
  chunks?: FakeChunk[];
  thinking?: string;
  usage?: { prompt_tokens: number; completion_tokens: number };
  /** RUN_ERROR with this message instead of an answer. */
  runError?: string;
  /** Plain HTTP answer instead of a stream. */
  http?: { status: number; body: string; headers?: Record<string, string> };
  /** Ends the connection before the terminal event. */
  cut?: boolean;
  /** Raw bytes instead of generated events. */
  raw?: string;
  delayMs?: number;
}

export interface FakeKnotOptions {
  /** Default: any free port. */
  port?: number;
  /** Answers by exact question; a function answers the rest. */
  answers: Readonly<Record<string, FakeAnswer>> | ((question: string, count: number) => FakeAnswer);
  /** Only this token is let in, when given. */
  token?: string;
  /** Milliseconds before the first byte. */
  delayMs?: number;
}

/** One request as it arrived. */
export interface RecordedRequest {
  question: string;
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: unknown;
  /** True once the whole answer was written. */
  completed: boolean;
}

export interface FakeKnot {
  url: string;
  port: number;
  requests: RecordedRequest[];
  close(): Promise<void>;
}

/** Text in pieces of a few characters, always cut at the same places. */
function pieces(text: string, size = 7): string[] {
  const chars = [...text];
  return Array.from({ length: Math.ceil(chars.length / size) }, (_, i) =>
    chars.slice(i * size, (i + 1) * size).join(""),
  );
}

/** The stream of one answer in Knot's dialect. */
export function knotEvents(answer: FakeAnswer, runId = "run-1"): unknown[] {
  const messageId = `msg-${runId}`;
  const events: unknown[] = [{ type: "RUN_STARTED", threadId: "t", runId }];
  if (answer.thinking) {
    events.push({ type: "THINKING_TEXT_MESSAGE_START" });
    for (const delta of pieces(answer.thinking))
      events.push({ type: "THINKING_TEXT_MESSAGE_CONTENT", delta, rawEvent: { content: delta } });
    events.push({ type: "THINKING_TEXT_MESSAGE_END" });
  }
  if (answer.chunks) {
    events.push({ type: "TOOL_CALL_START", toolCallId: "call-1", toolCallName: "knowledgebase_search" });
    events.push({ type: "TOOL_CALL_ARGS", toolCallId: "call-1", delta: JSON.stringify({ query: "q" }) });
    events.push({ type: "TOOL_CALL_END", toolCallId: "call-1" });
    events.push({
      type: "TOOL_CALL_RESULT",
      toolCallId: "call-1",
      content: JSON.stringify({ chunks: answer.chunks }),
    });
  }
  if (answer.runError !== undefined) {
    events.push({ type: "RUN_ERROR", message: answer.runError, code: "AGENT_ERROR" });
    return events;
  }
  events.push({ type: "TEXT_MESSAGE_START", messageId, role: "assistant" });
  for (const delta of pieces(answer.text ?? ""))
    events.push({ type: "TEXT_MESSAGE_CONTENT", messageId, delta, rawEvent: { content: delta } });
  events.push({ type: "TEXT_MESSAGE_END", messageId });
  events.push({
    type: "STEP_FINISHED",
    stepName: "answer",
    rawEvent: { token_usage: answer.usage ?? { prompt_tokens: 100, completion_tokens: 20 } },
  });
  if (!answer.cut) events.push({ type: "RUN_FINISHED", threadId: "t", runId });
  return events;
}

function readBody(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    request.setEncoding("utf8");
    request.on("data", (part: string) => {
      text += part;
    });
    request.on("end", () => resolve(text));
    request.on("error", reject);
  });
}

function messageOf(body: unknown): string {
  const input =
    typeof body === "object" && body !== null ? (body as { input?: { message?: unknown } }).input : undefined;
  return typeof input?.message === "string" ? input.message : "";
}

async function respond(reply: ServerResponse, answer: FakeAnswer, delayMs: number): Promise<void> {
  if (delayMs > 0) await sleep(delayMs);
  if (answer.http) {
    reply.writeHead(answer.http.status, { "content-type": "application/json", ...answer.http.headers });
    reply.end(answer.http.body);
    return;
  }
  reply.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store" });
  if (answer.raw !== undefined) {
    reply.end(answer.raw);
    return;
  }
  reply.write(": ping\n\n");
  for (const event of knotEvents(answer)) reply.write(`data:${JSON.stringify(event)}\n\n`);
  if (answer.cut) {
    // The bytes must be out before the cut, or the client sees an empty reply.
    await new Promise<void>((resolve) => reply.write(": cut\n\n", () => resolve()));
    reply.destroy();
  } else reply.end("data: [DONE]\n\n");
}

/** Starts the fake agent on 127.0.0.1. */
export async function startFakeKnot(options: FakeKnotOptions): Promise<FakeKnot> {
  const requests: RecordedRequest[] = [];
  const counts = new Map<string, number>();
  const { answers } = options;
  const answerFor = (question: string): FakeAnswer => {
    const count = (counts.get(question) ?? 0) + 1;
    counts.set(question, count);
    if (typeof answers === "function") return answers(question, count);
    return answers[question] ?? { text: "抱歉，知识库中没有找到相关内容。" };
  };
  const server = createServer((request, reply) => {
    void (async () => {
      const text = await readBody(request);
      const refuse = (status: number, message: string) => {
        reply.writeHead(status, { "content-type": "application/json" });
        reply.end(JSON.stringify({ msg: message, code: status }));
      };
      if (request.method !== "POST" || !/^\/apigw\/api\/v1\/agents\/agui\/[^/]+$/.test(request.url ?? ""))
        return refuse(404, "no such agent");
      if (options.token !== undefined && request.headers["x-knot-api-token"] !== options.token)
        return refuse(401, "invalid token");
      if (!request.headers["x-knot-api-user"]) return refuse(400, "x-knot-api-user is missing");
      let body: unknown;
      try {
        body = JSON.parse(text);
      } catch {
        return refuse(400, "body is not JSON");
      }
      const question = messageOf(body);
      const record: RecordedRequest = {
        question,
        path: request.url ?? "",
        headers: request.headers,
        body,
        completed: false,
      };
      requests.push(record);
      const answer = answerFor(question);
      reply.once("finish", () => {
        record.completed = true;
      });
      await respond(reply, answer, answer.delayMs ?? options.delayMs ?? 0);
    })().catch(() => reply.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
