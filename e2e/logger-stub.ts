/**
 * A recording model server for the logger's suite: five protocols on one port, answers scripted by a plan that stands
 * in the user's message (`[[plan=gzip,tools id=a1]]`), and every request and answer kept byte for byte.
 */
import http from "node:http";
import type { AddressInfo } from "node:net";
import zlib from "node:zlib";

export interface StubExchange {
  method: string;
  path: string;
  headers: http.IncomingHttpHeaders;
  /** The request body as received. */
  body: string;
  status: number;
  /** The answer before content coding, as far as it was sent. */
  answer: string;
  /** The plan's id in the request, if any. */
  id: string | undefined;
}

export interface StubPlan {
  id: string;
  /** gzip | deflate | br: content coding of the answers. tools: three tool calls first. 429x2, 500, cut, refuse, hang: faults. plain: not streamed. */
  steps: string[];
}

interface Answer {
  text: string;
  thinking?: string;
  tool?: { id: string; name: string; args: object };
}

const CODINGS: Record<string, (data: Buffer) => Buffer> = {
  gzip: zlib.gzipSync,
  deflate: zlib.deflateSync,
  br: zlib.brotliCompressSync,
};

export class LoggerStub {
  readonly exchanges: StubExchange[] = [];
  readonly #server = http.createServer((request, response) => this.#handle(request, response));
  readonly #seen = new Map<string, number>();
  /** Chosen by tests for requests without a plan. */
  defaultText = "stub answer";

  async start(): Promise<this> {
    await new Promise<void>((done) => this.#server.listen(0, "127.0.0.1", done));
    return this;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((done) => this.#server.close(() => done()));
  }

  #handle(request: http.IncomingMessage, response: http.ServerResponse): void {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const body = Buffer.concat(parts).toString("utf8");
      // Recaps and titles quote the conversation, plan included; only announced calls (they carry a trace) follow it.
      const quoted = planOf(body);
      const plan = request.headers.traceparent === undefined ? undefined : quoted;
      const exchange: StubExchange = {
        method: request.method ?? "",
        path: request.url ?? "",
        headers: request.headers,
        body,
        status: 0,
        answer: "",
        id: quoted?.id,
      };
      if (request.method === "POST") this.exchanges.push(exchange);
      this.#answer(exchange, plan, response);
    });
  }

  #answer(exchange: StubExchange, plan: StubPlan | undefined, response: http.ServerResponse): unknown {
    const json = (status: number, value: object) => {
      exchange.status = status;
      exchange.answer = JSON.stringify(value);
      response
        .writeHead(status, {
          "content-type": "application/json",
          "x-request-id": `req-${this.exchanges.length}`,
        })
        .end(exchange.answer);
    };
    const path = exchange.path.split("?")[0] ?? "";
    if (exchange.method !== "POST") return json(200, { object: "list", data: [], models: [] });
    if (path.endsWith("/embeddings")) {
      const { input, model } = JSON.parse(exchange.body) as { input: unknown; model: string };
      const inputs = Array.isArray(input) ? input : [input];
      return json(200, {
        object: "list",
        model,
        data: inputs.map((_, index) => ({ object: "embedding", index, embedding: [0.1, 0.2, 0.3, 0.4] })),
        usage: { prompt_tokens: 3, total_tokens: 3 },
      });
    }
    if (/\/api\/(show|tags)$/.test(path))
      return json(200, { models: [], capabilities: ["completion", "tools"], model_info: {} });
    const count = (this.#seen.get(plan?.id ?? "") ?? 0) + 1;
    if (plan) this.#seen.set(plan.id, count);
    const has = (step: string) => plan?.steps.includes(step) === true;
    if (has("refuse") && count === 1) return response.socket?.destroy();
    if (has("429x2") && count <= 2)
      return json(429, { error: { message: "slow down", type: "rate_limit_error", code: "rate_limited" } });
    if (has("500") && count === 1)
      return json(500, { error: { message: "stub is ill", type: "server_error" } });
    const answer: Answer = {
      text: `回答 ${plan?.id ?? this.defaultText} #${count} ${"多字节 words ".repeat(has("long") ? 400 : 4)}`,
    };
    if (has("think")) answer.thinking = "let me think 想一想";
    if (has("tools") && count <= 3)
      answer.tool = { id: `call_${plan?.id}_${count}`, name: "session_status", args: {} };
    if (has("spawn") && count === 1) {
      answer.tool = {
        id: "call_spawn",
        name: "tool_call",
        args: { id: "sessions_spawn", args: { task: `subtask [[plan=ok id=${plan?.id}sub]]`, mode: "run" } },
      };
    }
    if (has("recall") && count === 1)
      answer.tool = {
        id: "call_mem",
        name: "tool_call",
        args: { id: "memory_search", args: { query: "violet lighthouse" } },
      };
    const streamed =
      !path.endsWith(":generateContent") &&
      (path.includes(":stream") ||
        (JSON.parse(exchange.body) as { stream?: boolean }).stream !== false ||
        path.startsWith("/api/"));
    const { contentType, frames } = write(path, exchange.body, answer, streamed);
    exchange.status = 200;
    const coding = Object.keys(CODINGS).find(has);
    const headers = {
      "content-type": contentType,
      "x-request-id": `req-${this.exchanges.length}`,
      "set-cookie": "sid=planted-cookie-value-1234567890",
      ...(coding && { "content-encoding": coding }),
    };
    if (coding) {
      exchange.answer = frames.join("");
      const encoded = (CODINGS[coding] ?? Buffer.from)(Buffer.from(exchange.answer));
      response.writeHead(200, headers);
      const half = Math.floor(encoded.length / 2);
      response.write(encoded.subarray(0, half));
      setImmediate(() => response.end(encoded.subarray(half)));
      return;
    }
    response.writeHead(200, headers);
    if (has("hang")) {
      exchange.answer = frames[0] ?? "";
      response.write(exchange.answer);
      return;
    }
    if (has("cut") && count === 1) {
      exchange.answer = frames.slice(0, 2).join("");
      response.write(exchange.answer, () => setTimeout(() => response.socket?.destroy(), 30));
      return;
    }
    exchange.answer = frames.join("");
    // Frames are cut at odd bytes, in the middle of characters and of lines.
    const bytes = Buffer.from(exchange.answer);
    for (let at = 0; at < bytes.length; at += 701) response.write(bytes.subarray(at, at + 701));
    response.end();
  }
}

/** The newest plan in a request: the conversation repeats older ones. */
function planOf(body: string): StubPlan | undefined {
  const last = [...body.matchAll(/\[\[plan=([\w,]+) id=(\w+)\]\]/g)].at(-1);
  return last?.[1] && last[2] ? { steps: last[1].split(","), id: last[2] } : undefined;
}

function write(
  path: string,
  body: string,
  answer: Answer,
  streamed: boolean,
): { contentType: string; frames: string[] } {
  const sse = (items: (object | string)[], named = false) => ({
    contentType: "text/event-stream; charset=utf-8",
    frames: items.map((item) =>
      typeof item === "string"
        ? `data: ${item}\n\n`
        : `${named ? `event: ${(item as { type: string }).type}\n` : ""}data: ${JSON.stringify(item)}\n\n`,
    ),
  });
  const pieces = answer.tool ? [] : (answer.text.match(/.{1,9}/gsu) ?? []);
  if (path.endsWith("/responses")) return responses(answer, pieces, sse, streamed);
  if (path.endsWith("/messages")) return anthropic(answer, pieces, sse);
  if (path.includes("generateContent") || path.includes("GenerateContent"))
    return google(answer, pieces, sse, streamed);
  if (path.startsWith("/api/")) return ollama(answer, pieces);
  const model = (JSON.parse(body) as { model: string }).model;
  const usage = {
    prompt_tokens: 100,
    completion_tokens: 20,
    total_tokens: 120,
    prompt_tokens_details: { cached_tokens: 40 },
  };
  const toolCalls = answer.tool && [
    {
      index: 0,
      id: answer.tool.id,
      type: "function",
      function: { name: answer.tool.name, arguments: JSON.stringify(answer.tool.args) },
    },
  ];
  const finish = answer.tool ? "tool_calls" : "stop";
  if (!streamed) {
    const message = {
      role: "assistant",
      content: answer.tool ? null : answer.text,
      ...(toolCalls && { tool_calls: toolCalls }),
    };
    return {
      contentType: "application/json",
      frames: [
        JSON.stringify({ id: "c1", model, choices: [{ index: 0, message, finish_reason: finish }], usage }),
      ],
    };
  }
  const chunk = (delta: object, reason: string | null = null) => ({
    id: "c1",
    object: "chat.completion.chunk",
    created: 1,
    model,
    choices: [{ index: 0, delta, finish_reason: reason }],
  });
  return sse([
    chunk({ role: "assistant", content: "" }),
    ...(answer.thinking ? [chunk({ reasoning_content: answer.thinking })] : []),
    ...pieces.map((content) => chunk({ content })),
    ...(toolCalls ? [chunk({ tool_calls: toolCalls })] : []),
    chunk({}, finish),
    { id: "c1", object: "chat.completion.chunk", created: 1, model, choices: [], usage },
    "[DONE]",
  ]);
}

type Sse = (items: (object | string)[], named?: boolean) => { contentType: string; frames: string[] };

function responses(answer: Answer, pieces: string[], sse: Sse, streamed: boolean) {
  const item = answer.tool
    ? {
        id: "fc_1",
        type: "function_call",
        status: "completed",
        call_id: answer.tool.id,
        name: answer.tool.name,
        arguments: JSON.stringify(answer.tool.args),
      }
    : {
        id: "msg_1",
        type: "message",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: answer.text, annotations: [] }],
      };
  const usage = {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 40 },
    output_tokens: 20,
    output_tokens_details: { reasoning_tokens: 5 },
    total_tokens: 120,
  };
  const done = { id: "resp_1", object: "response", status: "completed", model: "m", output: [item], usage };
  if (!streamed) return { contentType: "application/json", frames: [JSON.stringify(done)] };
  const added = answer.tool
    ? { ...item, status: "in_progress", arguments: "" }
    : { ...item, status: "in_progress", content: [] };
  const at = { output_index: 0, content_index: 0, item_id: item.id };
  const middle = answer.tool
    ? [
        { type: "response.function_call_arguments.delta", ...at, delta: JSON.stringify(answer.tool.args) },
        { type: "response.function_call_arguments.done", ...at, arguments: JSON.stringify(answer.tool.args) },
      ]
    : [
        {
          type: "response.content_part.added",
          ...at,
          part: { type: "output_text", text: "", annotations: [] },
        },
        ...pieces.map((delta) => ({ type: "response.output_text.delta", ...at, delta })),
        { type: "response.output_text.done", ...at, text: answer.text },
        {
          type: "response.content_part.done",
          ...at,
          part: { type: "output_text", text: answer.text, annotations: [] },
        },
      ];
  const events = [
    { type: "response.created", response: { ...done, status: "in_progress", output: [], usage: null } },
    { type: "response.output_item.added", output_index: 0, item: added },
    ...middle,
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response: done },
  ].map((event, sequence_number) => ({ ...event, sequence_number }));
  return sse(events, true);
}

function anthropic(answer: Answer, pieces: string[], sse: Sse) {
  const block = answer.tool
    ? { type: "tool_use", id: answer.tool.id, name: answer.tool.name, input: {} }
    : { type: "text", text: "" };
  const deltas = answer.tool
    ? [{ type: "input_json_delta", partial_json: JSON.stringify(answer.tool.args) }]
    : pieces.map((text) => ({ type: "text_delta", text }));
  return sse(
    [
      {
        type: "message_start",
        message: {
          id: "msg_1",
          type: "message",
          role: "assistant",
          model: "m",
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: {
            input_tokens: 60,
            cache_read_input_tokens: 40,
            cache_creation_input_tokens: 0,
            output_tokens: 1,
          },
        },
      },
      { type: "content_block_start", index: 0, content_block: block },
      ...deltas.map((delta) => ({ type: "content_block_delta", index: 0, delta })),
      { type: "content_block_stop", index: 0 },
      {
        type: "message_delta",
        delta: { stop_reason: answer.tool ? "tool_use" : "end_turn", stop_sequence: null },
        usage: { output_tokens: 20 },
      },
      { type: "message_stop" },
    ],
    true,
  );
}

function google(answer: Answer, pieces: string[], sse: Sse, streamed: boolean) {
  const usageMetadata = {
    promptTokenCount: 100,
    cachedContentTokenCount: 40,
    candidatesTokenCount: 20,
    totalTokenCount: 120,
  };
  const last = answer.tool
    ? [{ functionCall: { id: answer.tool.id, name: answer.tool.name, args: answer.tool.args } }]
    : [{ text: pieces.at(-1) ?? "" }];
  const chunk = (parts: object[], end = false) => ({
    candidates: [{ content: { role: "model", parts }, index: 0, ...(end && { finishReason: "STOP" }) }],
    modelVersion: "m",
    responseId: "g1",
    ...(end && { usageMetadata }),
  });
  const chunks = [...pieces.slice(0, -1).map((text) => chunk([{ text }])), chunk(last, true)];
  if (!streamed)
    return {
      contentType: "application/json",
      frames: [JSON.stringify(chunk(answer.tool ? last : [{ text: answer.text }], true))],
    };
  return sse(chunks);
}

function ollama(answer: Answer, pieces: string[]) {
  const line = (message: object, more: object = {}) =>
    `${JSON.stringify({ model: "m", created_at: "2026-01-01T00:00:00Z", message: { role: "assistant", content: "", ...message }, done: false, ...more })}\n`;
  const body = answer.tool
    ? [line({ tool_calls: [{ function: { name: answer.tool.name, arguments: answer.tool.args } }] })]
    : pieces.map((content) => line({ content }));
  return {
    contentType: "application/x-ndjson",
    frames: [...body, line({}, { done: true, done_reason: "stop", prompt_eval_count: 100, eval_count: 20 })],
  };
}
