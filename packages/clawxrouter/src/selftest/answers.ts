/** Answers of the self-test's recorder, whole or streamed, in each protocol of the proxy. */
import type { ScriptedReply } from "./paths.ts";

export interface Answer {
  contentType: string;
  text: string;
}

type Json = Record<string, unknown>;
interface Call {
  id: string;
  name: string;
  arguments: Record<string, unknown>;
}
interface Said {
  text: string;
  calls: readonly Call[];
}

/** One protocol's two ways to answer. */
interface Dialect {
  whole(said: Said): Json;
  /** Events of a stream: `[event name or undefined, data]`. */
  stream(said: Said): [string | undefined, Json | string][];
}

const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

const chat: Dialect = {
  whole: ({ text, calls }) => ({
    id: "c",
    object: "chat.completion",
    created: 1,
    model: "m",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: calls.length > 0 ? null : text,
          ...(calls.length > 0 && { tool_calls: calls.map(chatCall) }),
        },
        finish_reason: calls.length > 0 ? "tool_calls" : "stop",
      },
    ],
    usage,
  }),
  stream: ({ text, calls }) => {
    const chunk = (delta: Json, finish: string | null = null): [undefined, Json] => [
      undefined,
      {
        id: "c",
        object: "chat.completion.chunk",
        created: 1,
        model: "m",
        choices: [{ index: 0, delta, finish_reason: finish }],
      },
    ];
    return [
      chunk({ role: "assistant", content: "" }),
      ...(calls.length > 0
        ? calls.map((one, index) => chunk({ tool_calls: [{ index, ...chatCall(one) }] }))
        : words(text).map((content) => chunk({ content }))),
      chunk({}, calls.length > 0 ? "tool_calls" : "stop"),
      [undefined, { id: "c", object: "chat.completion.chunk", choices: [], usage }],
      [undefined, "[DONE]"],
    ];
  },
};

const chatCall = ({ id, name, arguments: args }: Call) => ({
  id,
  type: "function",
  function: { name, arguments: JSON.stringify(args) },
});

const responses: Dialect = {
  whole: (said) => ({
    id: "r",
    object: "response",
    status: "completed",
    model: "m",
    output: responseItems(said),
    usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
  }),
  stream: (said) => {
    const items = responseItems(said);
    const event = (type: string, more: Json): [string, Json] => [type, { type, ...more }];
    return [
      event("response.created", { response: { id: "r", status: "in_progress", output: [] } }),
      ...items.flatMap((item, output_index) => [
        event("response.output_item.added", {
          output_index,
          item: item.type === "message" ? { ...item, content: [] } : { ...item, arguments: "" },
        }),
        ...(item.type === "message"
          ? words(said.text).map((delta) =>
              event("response.output_text.delta", {
                output_index,
                item_id: item.id,
                content_index: 0,
                delta,
              }),
            )
          : [
              event("response.function_call_arguments.delta", {
                output_index,
                item_id: item.id,
                delta: item.arguments,
              }),
              event("response.function_call_arguments.done", {
                output_index,
                item_id: item.id,
                arguments: item.arguments,
              }),
            ]),
        event("response.output_item.done", { output_index, item }),
      ]),
      event("response.completed", { response: responses.whole(said) }),
    ];
  },
};

function responseItems({ text, calls }: Said): (Json & { type: string; id: string })[] {
  if (calls.length > 0)
    return calls.map(({ id, name, arguments: args }) => ({
      type: "function_call",
      id: `f${id}`,
      call_id: id,
      name,
      arguments: JSON.stringify(args),
      status: "completed",
    }));
  return [
    {
      type: "message",
      id: "o",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text, annotations: [] }],
    },
  ];
}

const messages: Dialect = {
  whole: ({ text, calls }) => ({
    id: "m",
    type: "message",
    role: "assistant",
    model: "m",
    content:
      calls.length > 0
        ? calls.map(({ id, name, arguments: input }) => ({ type: "tool_use", id, name, input }))
        : [{ type: "text", text }],
    stop_reason: calls.length > 0 ? "tool_use" : "end_turn",
    usage: { input_tokens: 1, output_tokens: 1 },
  }),
  stream: (said) => {
    const event = (type: string, more: Json): [string, Json] => [type, { type, ...more }];
    const block = (index: number, start: Json, deltas: readonly Json[]) => [
      event("content_block_start", { index, content_block: start }),
      ...deltas.map((delta) => event("content_block_delta", { index, delta })),
      event("content_block_stop", { index }),
    ];
    return [
      event("message_start", {
        message: { ...messages.whole({ text: "", calls: [] }), content: [], stop_reason: null },
      }),
      ...(said.calls.length > 0
        ? said.calls.flatMap(({ id, name, arguments: input }, index) =>
            block(index, { type: "tool_use", id, name, input: {} }, [
              { type: "input_json_delta", partial_json: JSON.stringify(input) },
            ]),
          )
        : block(
            0,
            { type: "text", text: "" },
            words(said.text).map((text) => ({ type: "text_delta", text })),
          )),
      event("message_delta", {
        delta: { stop_reason: said.calls.length > 0 ? "tool_use" : "end_turn" },
        usage: { output_tokens: 1 },
      }),
      event("message_stop", {}),
    ];
  },
};

const google: Dialect = {
  whole: ({ text, calls }) => ({
    candidates: [
      {
        content: {
          role: "model",
          parts:
            calls.length > 0
              ? calls.map(({ name, arguments: args }) => ({ functionCall: { name, args } }))
              : [{ text }],
        },
        finishReason: "STOP",
      },
    ],
  }),
  stream: (said) => [[undefined, google.whole(said)]],
};

const ollama: Dialect = {
  whole: ({ text, calls }) => ({
    model: "m",
    message: {
      role: "assistant",
      content: calls.length > 0 ? "" : text,
      ...(calls.length > 0 && {
        tool_calls: calls.map(({ name, arguments: args }) => ({ function: { name, arguments: args } })),
      }),
    },
    done: true,
    done_reason: "stop",
  }),
  stream: (said) => [[undefined, ollama.whole(said)]],
};

/**
 * The answer to a request: what `script` has for the user's words, or their echo, so that a test can see whether the
 * way back restores them. Only requests that offer tools are scripted: the host makes others of its own (titles).
 */
export function answerTo(
  url: string,
  body: string,
  script: (userText: string) => ScriptedReply | undefined = () => undefined,
): Answer {
  const request = parse(body);
  if (url.includes("/embed"))
    return json({ object: "list", data: [{ object: "embedding", index: 0, embedding: [0.1, 0.2] }], usage });
  if (/\/models(?:$|\?)/.test(url)) return json({ object: "list", data: [{ id: "m", object: "model" }] });
  const user = lastUserText(request);
  const scripted = Array.isArray(request.tools) && request.tools.length > 0 ? script(user) : undefined;
  const said: Said = {
    text: scripted?.text ?? `echo ${user}`,
    calls: (scripted?.toolCalls ?? []).map((call, i) => ({ id: `call_${i}_${call.name}`, ...call })),
  };
  if (url.includes("/api/chat"))
    return { contentType: "application/x-ndjson", text: `${JSON.stringify(ollama.whole(said))}\n` };
  const dialect = url.includes("/messages")
    ? messages
    : url.includes("/responses")
      ? responses
      : url.includes("enerateContent")
        ? google
        : chat;
  if (request.stream !== true && !url.includes(":stream")) return json(dialect.whole(said));
  return {
    contentType: "text/event-stream",
    text: dialect
      .stream(said)
      .map(
        ([event, data]) =>
          `${event === undefined ? "" : `event: ${event}\n`}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`,
      )
      .join(""),
  };
}

const json = (value: Json): Answer => ({ contentType: "application/json", text: JSON.stringify(value) });

const words = (text: string): string[] => text.match(/\S+\s*|\s+/g) ?? [""];

function parse(body: string): Json {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? (value as Json) : {};
  } catch {
    return {}; // Not JSON: there is nothing to echo.
  }
}

/** How the messages start that the host itself adds with the role `user` (OpenClaw 2026.9.6). */
const HOST_CONTEXT = "<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>";

function lastUserText(request: Json): string {
  const list = [request.messages, request.input, request.contents].find(Array.isArray) ?? [];
  const texts = (list as unknown[])
    .filter(
      (item): item is Json => typeof item === "object" && item !== null && (item as Json).role === "user",
    )
    .map((item) => textOf(item.content ?? item.parts))
    .filter((text) => text !== "" && !text.trimStart().startsWith(HOST_CONTEXT));
  return texts.at(-1) ?? (typeof request.input === "string" ? request.input : "");
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part: unknown) =>
      typeof part === "object" && part !== null && typeof (part as Json).text === "string"
        ? (part as Json).text
        : "",
    )
    .join("\n");
}
