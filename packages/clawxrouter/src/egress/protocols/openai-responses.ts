import { asArray, asNumber, asObject, asString, type Json, type JsonObject } from "../json.ts";
import { openaiUsage } from "./openai-chat.ts";
import { slot } from "./slots.ts";
import type { DeltaSlot, Protocol } from "./types.ts";

/** Delta events whose `delta` writes JSON. */
const JSON_DELTAS = new Set([
  "response.function_call_arguments.delta",
  "response.mcp_call_arguments.delta",
  "response.mcp_call.arguments.delta",
]);

/**
 * OpenAI Responses.
 * @see https://platform.openai.com/docs/api-reference/responses-streaming
 */
export const openaiResponses: Protocol = {
  id: "openai-responses",
  framing: "sse",
  jsonKeys: new Set(["arguments"]),
  wantsStream: (body) => body.stream === true,

  plan(event) {
    const slots: DeltaSlot[] = [];
    const type = asString(event.type) ?? "";
    const item = `i${asNumber(event.output_index) ?? asString(event.item_id) ?? 0}.`;
    if (type.endsWith(".delta")) {
      const part = asNumber(event.content_index) ?? asNumber(event.summary_index) ?? 0;
      const family = type.slice("response.".length, -".delta".length);
      slot(slots, event, "delta", `${item}${family}.${part}`, JSON_DELTAS.has(type) ? "json" : "text");
      return { slots, closes: [], whole: false };
    }
    // Every other event is a snapshot: `*.done` repeats the text, `response.completed` the whole output.
    const ends = /^response\.(?:completed|failed|incomplete|cancelled)$|^error$/.test(type);
    const closes = ends ? "all" : type.endsWith(".done") ? [item] : [];
    return { slots, closes, whole: true };
  },

  usage(value) {
    return openaiUsage(asObject(value.usage) ?? asObject(asObject(value.response)?.usage));
  },

  answerId(value) {
    const answer = asObject(value.response) ?? value;
    return answer.object === "response" ? asString(answer.id) : undefined;
  },

  completion(text, { model, now, requestId }) {
    return {
      id: `resp_${requestId}`,
      object: "response",
      created_at: Math.floor(now / 1000),
      status: "completed",
      error: null,
      incomplete_details: null,
      model,
      output: [
        {
          type: "message",
          id: `msg_${requestId}`,
          status: "completed",
          role: "assistant",
          content: [{ type: "output_text", text, annotations: [] }],
        },
      ],
      parallel_tool_calls: true,
      tool_choice: "auto",
      tools: [],
      usage: {
        input_tokens: 0,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: 0,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 0,
      },
    };
  },

  streamOf(completion) {
    const frames: Array<{ event: string; data: Json }> = [];
    const send = (type: string, fields: JsonObject): void => {
      frames.push({ event: type, data: { type, sequence_number: frames.length, ...fields } });
    };
    const pending: JsonObject = { ...completion, status: "in_progress", output: [], usage: null };
    send("response.created", { response: pending });
    send("response.in_progress", { response: pending });
    asArray(completion.output).forEach((value, output_index) => {
      const item = asObject(value) ?? {};
      const item_id = asString(item.id) ?? "";
      if (item.type === "function_call") {
        send("response.output_item.added", {
          output_index,
          item: { ...item, status: "in_progress", arguments: "" },
        });
        send("response.function_call_arguments.delta", {
          item_id,
          output_index,
          delta: item.arguments ?? "",
        });
        send("response.function_call_arguments.done", {
          item_id,
          output_index,
          name: item.name,
          arguments: item.arguments ?? "",
        });
      } else if (item.type === "message") {
        send("response.output_item.added", {
          output_index,
          item: { ...item, status: "in_progress", content: [] },
        });
        asArray(item.content).forEach((entry, content_index) => {
          const part = asObject(entry) ?? {};
          const at = { item_id, output_index, content_index };
          if (part.type !== "output_text") {
            send("response.content_part.added", { ...at, part });
          } else {
            send("response.content_part.added", { ...at, part: { ...part, text: "" } });
            send("response.output_text.delta", { ...at, delta: part.text ?? "", logprobs: [] });
            send("response.output_text.done", { ...at, text: part.text ?? "", logprobs: [] });
          }
          send("response.content_part.done", { ...at, part });
        });
      } else {
        send("response.output_item.added", { output_index, item });
      }
      send("response.output_item.done", { output_index, item });
    });
    send("response.completed", { response: completion });
    return frames;
  },
};
