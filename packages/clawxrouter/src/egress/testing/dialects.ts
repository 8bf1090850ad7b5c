import { asArray, asObject, asString, type Json, type JsonObject, objectsIn, parseJson } from "../json.ts";
import { anthropic } from "../protocols/anthropic.ts";
import { google } from "../protocols/google.ts";
import { ollama } from "../protocols/ollama.ts";
import { openaiChat } from "../protocols/openai-chat.ts";
import { openaiResponses } from "../protocols/openai-responses.ts";
import type { Protocol } from "../protocols/types.ts";
import { SseSplitter, sseBlock } from "../response/sse.ts";

/** What a caller has in its hands after a whole stream. */
export interface Assembled {
  text: string;
  /** Tool arguments as the caller parses them. */
  args: Json | undefined;
}

/** A model server's and an SDK's side of one protocol, written from the vendors' documentation. */
export interface Dialect {
  protocol: Protocol;
  /** Path that callers post to. */
  path: string;
  /** A minimal request that says `text` as the user. */
  request(text: string, stream: boolean): JsonObject;
  /** A streamed answer with its text and its tool arguments (JSON) in these pieces. */
  stream(textPieces: readonly string[], argPieces: readonly string[]): string;
  /** The same answer whole. */
  whole(text: string, args: string): JsonObject;
  /** Reads a stream as an SDK does. */
  assemble(wire: string): Assembled;
  /** Reads a whole answer as an SDK does. */
  read(answer: JsonObject): Assembled;
  /** True when tool arguments are streamed as text; else they come as one object. */
  streamsArgs: boolean;
}

const chunk = (delta: JsonObject, finish: string | null = null): string =>
  sseBlock(
    JSON.stringify({
      id: "c1",
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, finish_reason: finish }],
    }),
  );

const chat: Dialect = {
  protocol: openaiChat,
  path: "/v1/chat/completions",
  streamsArgs: true,
  request: (text, stream) => ({ model: "m1", stream, messages: [{ role: "user", content: text }] }),
  stream: (texts, args) =>
    chunk({ role: "assistant", content: "" }) +
    texts.map((content) => chunk({ content })).join("") +
    chunk({
      tool_calls: [{ index: 0, id: "call_1", type: "function", function: { name: "save", arguments: "" } }],
    }) +
    args.map((piece) => chunk({ tool_calls: [{ index: 0, function: { arguments: piece } }] })).join("") +
    chunk({}, "tool_calls") +
    sseBlock(JSON.stringify({ choices: [], usage: { prompt_tokens: 7, completion_tokens: 5 } })) +
    "data: [DONE]\n\n",
  whole: (content, args) => ({
    id: "c1",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content,
          tool_calls: [{ id: "call_1", type: "function", function: { name: "save", arguments: args } }],
        },
        finish_reason: "tool_calls",
      },
    ],
    usage: { prompt_tokens: 7, completion_tokens: 5 },
  }),
  assemble(wire) {
    let text = "";
    let args = "";
    for (const event of sseEvents(wire)) {
      const delta = asObject(asObject(asArray(event.choices)[0])?.delta);
      text += asString(delta?.content) ?? "";
      const call = asObject(asArray(delta?.tool_calls)[0]);
      args += asString(asObject(call?.function)?.arguments) ?? "";
    }
    return { text, args: parseJson(args) };
  },
  read(answer) {
    const message = asObject(asObject(asArray(answer.choices)[0])?.message);
    const call = asObject(asArray(message?.tool_calls)[0]);
    return {
      text: asString(message?.content) ?? "",
      args: parseJson(asString(asObject(call?.function)?.arguments) ?? ""),
    };
  },
};

const typed = (type: string, fields: JsonObject): string =>
  sseBlock(JSON.stringify({ type, ...fields }), type);

const responses: Dialect = {
  protocol: openaiResponses,
  path: "/v1/responses",
  streamsArgs: true,
  request: (text, stream) => ({
    model: "m1",
    stream,
    input: [{ role: "user", content: [{ type: "input_text", text }] }],
  }),
  stream(texts, args) {
    const text = texts.join("");
    const json = args.join("");
    const at = { item_id: "msg_1", output_index: 0, content_index: 0 };
    const call = { type: "function_call", id: "fc_1", call_id: "call_1", name: "save" };
    const message = { type: "message", id: "msg_1", role: "assistant" };
    const part = { type: "output_text", text, annotations: [] };
    return (
      typed("response.created", { response: { id: "r1", output: [] } }) +
      typed("response.output_item.added", { output_index: 0, item: { ...message, content: [] } }) +
      typed("response.content_part.added", { ...at, part: { ...part, text: "" } }) +
      texts.map((delta) => typed("response.output_text.delta", { ...at, delta })).join("") +
      typed("response.output_text.done", { ...at, text }) +
      typed("response.output_item.done", { output_index: 0, item: { ...message, content: [part] } }) +
      typed("response.output_item.added", { output_index: 1, item: { ...call, arguments: "" } }) +
      args
        .map((delta) =>
          typed("response.function_call_arguments.delta", { item_id: "fc_1", output_index: 1, delta }),
        )
        .join("") +
      typed("response.function_call_arguments.done", { item_id: "fc_1", output_index: 1, arguments: json }) +
      typed("response.output_item.done", { output_index: 1, item: { ...call, arguments: json } }) +
      typed("response.completed", { response: responses.whole(text, json) })
    );
  },
  whole: (text, args) => ({
    id: "r1",
    object: "response",
    status: "completed",
    output: [
      {
        type: "message",
        id: "msg_1",
        role: "assistant",
        content: [{ type: "output_text", text, annotations: [] }],
      },
      { type: "function_call", id: "fc_1", call_id: "call_1", name: "save", arguments: args },
    ],
    usage: { input_tokens: 7, output_tokens: 5 },
  }),
  assemble(wire) {
    let text = "";
    let args = "";
    let final: Assembled | undefined;
    for (const event of sseEvents(wire)) {
      if (event.type === "response.output_text.delta") text += asString(event.delta) ?? "";
      if (event.type === "response.function_call_arguments.delta") args += asString(event.delta) ?? "";
      if (event.type === "response.completed") final = responses.read(asObject(event.response) ?? {});
    }
    const built = { text, args: parseJson(args) };
    if (JSON.stringify(final) !== JSON.stringify(built))
      throw new Error("deltas and the final snapshot differ");
    return built;
  },
  read(answer) {
    const [message, call] = asArray(answer.output).map((item) => asObject(item));
    const part = asObject(asArray(message?.content)[0]);
    return { text: asString(part?.text) ?? "", args: parseJson(asString(call?.arguments) ?? "") };
  },
};

const claude: Dialect = {
  protocol: anthropic,
  path: "/v1/messages",
  streamsArgs: true,
  request: (text, stream) => ({
    model: "claude-x",
    max_tokens: 99,
    stream,
    messages: [{ role: "user", content: text }],
  }),
  stream: (texts, args) =>
    typed("message_start", {
      message: { id: "m", role: "assistant", content: [], usage: { input_tokens: 7, output_tokens: 1 } },
    }) +
    typed("content_block_start", { index: 0, content_block: { type: "text", text: "" } }) +
    typed("ping", {}) +
    texts
      .map((text) => typed("content_block_delta", { index: 0, delta: { type: "text_delta", text } }))
      .join("") +
    typed("content_block_stop", { index: 0 }) +
    typed("content_block_start", {
      index: 1,
      content_block: { type: "tool_use", id: "t1", name: "save", input: {} },
    }) +
    args
      .map((json) =>
        typed("content_block_delta", { index: 1, delta: { type: "input_json_delta", partial_json: json } }),
      )
      .join("") +
    typed("content_block_stop", { index: 1 }) +
    typed("message_delta", { delta: { stop_reason: "tool_use" }, usage: { output_tokens: 5 } }) +
    typed("message_stop", {}),
  whole: (text, args) => ({
    id: "m",
    type: "message",
    role: "assistant",
    content: [
      { type: "text", text },
      { type: "tool_use", id: "t1", name: "save", input: parseJson(args) ?? {} },
    ],
    stop_reason: "tool_use",
    usage: { input_tokens: 7, output_tokens: 5 },
  }),
  assemble(wire) {
    let text = "";
    let args = "";
    for (const event of sseEvents(wire)) {
      const delta = asObject(event.delta);
      text += asString(delta?.text) ?? "";
      args += asString(delta?.partial_json) ?? "";
    }
    return { text, args: parseJson(args) };
  },
  read(answer) {
    const [text, tool] = asArray(answer.content).map((item) => asObject(item));
    return { text: asString(text?.text) ?? "", args: tool?.input };
  },
};

const candidate = (parts: Json[], finish?: string): JsonObject => ({
  candidates: [{ index: 0, content: { role: "model", parts }, ...(finish ? { finishReason: finish } : {}) }],
});

const gemini: Dialect = {
  protocol: google,
  path: "/v1beta/models/gemini-x:streamGenerateContent?alt=sse",
  streamsArgs: false,
  request: (text) => ({ contents: [{ role: "user", parts: [{ text }] }] }),
  stream: (texts, args) =>
    texts.map((text) => sseBlock(JSON.stringify(candidate([{ text }])))).join("") +
    sseBlock(
      JSON.stringify(candidate([{ functionCall: { name: "save", args: parseJson(args.join("")) ?? {} } }])),
    ) +
    sseBlock(
      JSON.stringify({
        ...candidate([{ text: "" }], "STOP"),
        usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 5 },
      }),
    ),
  whole: (text, args) => ({
    ...candidate([{ text }, { functionCall: { name: "save", args: parseJson(args) ?? {} } }], "STOP"),
    usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 5 },
  }),
  assemble(wire) {
    const out: Assembled = { text: "", args: undefined };
    for (const event of sseEvents(wire)) add(out, gemini.read(event));
    return out;
  },
  read(answer) {
    const out: Assembled = { text: "", args: undefined };
    for (const item of asArray(asObject(asObject(asArray(answer.candidates)[0])?.content)?.parts)) {
      const part = asObject(item);
      out.text += asString(part?.text) ?? "";
      out.args ??= asObject(part?.functionCall)?.args;
    }
    return out;
  },
};

const line = (value: JsonObject): string => `${JSON.stringify(value)}\n`;

const llama: Dialect = {
  protocol: ollama,
  path: "/api/chat",
  streamsArgs: false,
  request: (text, stream) => ({ model: "m1", stream, messages: [{ role: "user", content: text }] }),
  stream: (texts, args) =>
    texts
      .map((content) => line({ model: "m1", message: { role: "assistant", content }, done: false }))
      .join("") +
    line({
      model: "m1",
      message: {
        role: "assistant",
        content: "",
        tool_calls: [{ function: { name: "save", arguments: parseJson(args.join("")) ?? {} } }],
      },
      done: false,
    }) +
    line({
      model: "m1",
      message: { role: "assistant", content: "" },
      done: true,
      prompt_eval_count: 7,
      eval_count: 5,
    }),
  whole: (content, args) => ({
    model: "m1",
    message: {
      role: "assistant",
      content,
      tool_calls: [{ function: { name: "save", arguments: parseJson(args) ?? {} } }],
    },
    done: true,
    prompt_eval_count: 7,
    eval_count: 5,
  }),
  assemble(wire) {
    const out: Assembled = { text: "", args: undefined };
    for (const text of wire.split("\n"))
      if (text !== "") add(out, llama.read(asObject(parseJson(text)) ?? {}));
    return out;
  },
  read(answer) {
    const message = asObject(answer.message);
    const call = asObject(asArray(message?.tool_calls)[0]);
    return { text: asString(message?.content) ?? "", args: asObject(call?.function)?.arguments };
  },
};

/** All protocols that answer with text. */
export const DIALECTS: readonly Dialect[] = [chat, responses, claude, gemini, llama];

/** JSON of all data blocks of an event stream. */
export function sseEvents(wire: string): JsonObject[] {
  const splitter = new SseSplitter();
  const blocks = splitter.push(wire);
  const last = splitter.end();
  return objectsIn([...blocks, ...(last ? [last] : [])].map((block) => parseJson(block.data ?? "")));
}

function add(total: Assembled, piece: Assembled): void {
  total.text += piece.text;
  total.args ??= piece.args;
}
