import {
  contentText,
  type Protocol,
  type ProtocolRequest,
  type Reply,
  readTurn,
  usageOf,
  wordDeltas,
} from "./protocol.ts";

interface ChatBody {
  model?: string;
  stream?: boolean;
  messages?: { role?: string; content?: unknown }[];
  tools?: { function?: { name?: string } }[];
  input?: string | string[];
}

/** OpenAI chat completions, embeddings and model list: https://platform.openai.com/docs/api-reference/chat */
export const openaiCompletions: Protocol = {
  name: "openai-completions",
  matches: (r) => /\/(chat\/completions|embeddings|models)$/.test(r.url.split("?")[0] ?? ""),
  read: (r): ProtocolRequest => {
    const body = (r.json ?? {}) as ChatBody;
    const path = r.url.split("?")[0] ?? "";
    const texts = (body.messages ?? []).map((m) => ({ role: m.role ?? "", text: contentText(m.content) }));
    return {
      kind: path.endsWith("/embeddings") ? "embeddings" : path.endsWith("/models") ? "models" : "chat",
      model: body.model ?? "",
      stream: body.stream === true,
      texts,
      ...readTurn(texts, "tool"),
      tools: (body.tools ?? []).map((t) => t.function?.name ?? ""),
      inputs: ([] as string[]).concat(body.input ?? []),
    };
  },
  write: (request, reply) => {
    if (request.kind === "models") return json({ object: "list", data: [{ id: "m1", object: "model" }] });
    if (request.kind === "embeddings") return json(embeddings(request));
    return request.stream ? stream(request, reply) : json(completion(request, reply));
  },
  error: (status, message) =>
    JSON.stringify({ error: { message, type: "scripted_error", code: String(status) } }),
};

function json(value: unknown): { contentType: string; chunks: string[] } {
  return { contentType: "application/json", chunks: [JSON.stringify(value)] };
}

/** A vector that depends only on the text, so that equal texts are neighbours. */
function embeddings(request: ProtocolRequest): unknown {
  const data = request.inputs.map((text, index) => {
    const embedding = [0, 0, 0, 0, 0, 0, 0, 0];
    for (const [i, c] of [...text].entries())
      embedding[i % 8] = ((embedding[i % 8] ?? 0) * 31 + (c.codePointAt(0) ?? 0)) % 997;
    return { object: "embedding", index, embedding: embedding.map((x) => x / 997) };
  });
  return { object: "list", model: request.model, data, usage: { prompt_tokens: 1, total_tokens: 1 } };
}

function toolCalls(reply: Reply): unknown[] {
  return (reply.toolCalls ?? []).map((c, index) => ({
    index,
    id: `call_${index}_${c.name}`,
    type: "function",
    function: { name: c.name, arguments: JSON.stringify(c.arguments) },
  }));
}

function usage(request: ProtocolRequest, reply: Reply): unknown {
  const { input, output } = usageOf(request, reply);
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
}

function completion(request: ProtocolRequest, reply: Reply): unknown {
  const calls = toolCalls(reply);
  return {
    id: "chatcmpl-scripted",
    object: "chat.completion",
    created: 1,
    model: request.model,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: reply.text ?? null,
          ...(calls.length > 0 && { tool_calls: calls }),
        },
        finish_reason: calls.length > 0 ? "tool_calls" : "stop",
      },
    ],
    usage: usage(request, reply),
  };
}

function stream(request: ProtocolRequest, reply: Reply): { contentType: string; chunks: string[] } {
  const frame = (choices: unknown[], more: object = {}) =>
    `data: ${JSON.stringify({ id: "chatcmpl-scripted", object: "chat.completion.chunk", created: 1, model: request.model, choices, ...more })}\n\n`;
  const choice = (delta: object, finish: string | null = null) => [
    { index: 0, delta, finish_reason: finish },
  ];
  const calls = toolCalls(reply);
  return {
    contentType: "text/event-stream",
    chunks: [
      frame(choice({ role: "assistant", content: "" })),
      ...(reply.thinking ? [frame(choice({ reasoning_content: reply.thinking }))] : []),
      ...wordDeltas(reply).map((content) => frame(choice({ content }))),
      ...calls.map((call) => frame(choice({ tool_calls: [call] }))),
      frame(choice({}, calls.length > 0 ? "tool_calls" : "stop")),
      frame([], { usage: usage(request, reply) }),
      "data: [DONE]\n\n",
    ],
  };
}
