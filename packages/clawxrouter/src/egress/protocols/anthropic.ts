import { asArray, asNumber, asObject, asString, type Json, type JsonObject } from "../json.ts";
import type { Usage } from "../types.ts";
import { slot } from "./slots.ts";
import type { DeltaSlot, Protocol } from "./types.ts";

/**
 * Anthropic Messages.
 * @see https://docs.anthropic.com/en/api/messages-streaming
 */
export const anthropic: Protocol = {
  id: "anthropic",
  framing: "sse",
  // `tool_use.input` is an object in whole messages; only the stream writes it as text.
  jsonKeys: new Set(["partial_json"]),
  wantsStream: (body) => body.stream === true,

  plan(event) {
    const slots: DeltaSlot[] = [];
    const block = `b${asNumber(event.index) ?? 0}.`;
    switch (event.type) {
      case "content_block_delta": {
        const delta = asObject(event.delta);
        if (delta) {
          slot(slots, delta, "text", `${block}text`, "text");
          slot(slots, delta, "thinking", `${block}thinking`, "text");
          slot(slots, delta, "partial_json", `${block}json`, "json");
        }
        return { slots, closes: [], whole: false };
      }
      case "content_block_start": {
        const content = asObject(event.content_block);
        if (content) {
          slot(slots, content, "text", `${block}text`, "text");
          slot(slots, content, "thinking", `${block}thinking`, "text");
        }
        return { slots, closes: [], whole: slots.length === 0 };
      }
      case "content_block_stop":
        return { slots, closes: [block], whole: false };
      case "message_stop":
      case "error":
        return { slots, closes: "all", whole: event.type === "error" };
      default:
        return { slots, closes: [], whole: false };
    }
  },

  usage(value) {
    const message = asObject(value.message);
    return anthropicUsage(asObject(value.usage) ?? asObject(message?.usage));
  },

  completion(text, { model, requestId }) {
    return {
      id: `msg_${requestId}`,
      type: "message",
      role: "assistant",
      model,
      content: [{ type: "text", text }],
      stop_reason: "end_turn",
      stop_sequence: null,
      usage: { input_tokens: 0, output_tokens: 0 },
    };
  },

  streamOf(completion) {
    const frames: Array<{ event: string; data: Json }> = [];
    const send = (type: string, fields: JsonObject): void => {
      frames.push({ event: type, data: { type, ...fields } });
    };
    const { content, stop_reason, stop_sequence, usage, ...head } = completion;
    send("message_start", {
      message: { ...head, content: [], stop_reason: null, stop_sequence: null, usage },
    });
    asArray(content).forEach((item, index) => {
      const block = asObject(item) ?? {};
      const { start, deltas } = splitBlock(block);
      send("content_block_start", { index, content_block: start });
      for (const delta of deltas) send("content_block_delta", { index, delta });
      send("content_block_stop", { index });
    });
    send("message_delta", { delta: { stop_reason, stop_sequence }, usage });
    send("message_stop", {});
    return frames;
  },
};

/** A whole block as its empty start and the deltas that fill it. */
function splitBlock(block: JsonObject): { start: JsonObject; deltas: JsonObject[] } {
  switch (block.type) {
    case "text":
      return { start: { ...block, text: "" }, deltas: [{ type: "text_delta", text: block.text }] };
    case "thinking": {
      const signature = asString(block.signature);
      return {
        start: { ...block, thinking: "", signature: "" },
        deltas: [
          { type: "thinking_delta", thinking: block.thinking },
          ...(signature === undefined ? [] : [{ type: "signature_delta", signature }]),
        ],
      };
    }
    case "tool_use":
      return {
        start: { ...block, input: {} },
        deltas: [{ type: "input_json_delta", partial_json: JSON.stringify(block.input ?? {}) }],
      };
    default:
      return { start: block, deltas: [] };
  }
}

function anthropicUsage(usage: JsonObject | undefined): Usage | undefined {
  if (!usage) return undefined;
  return {
    inputTokens: asNumber(usage.input_tokens),
    outputTokens: asNumber(usage.output_tokens),
    cacheReadTokens: asNumber(usage.cache_read_input_tokens),
    cacheWriteTokens: asNumber(usage.cache_creation_input_tokens),
  };
}
