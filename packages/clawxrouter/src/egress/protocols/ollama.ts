import { asArray, asNumber, asObject, type JsonObject } from "../json.ts";
import { slot } from "./slots.ts";
import type { DeltaSlot, Protocol } from "./types.ts";

/**
 * Ollama's native API: newline-delimited JSON, streaming unless told otherwise, tool arguments as objects.
 * @see https://github.com/ollama/ollama/blob/main/docs/api.md
 */
export const ollama: Protocol = {
  id: "ollama",
  framing: "ndjson",
  jsonKeys: new Set(),
  wantsStream: (body) => body.stream !== false,

  plan(event) {
    const slots: DeltaSlot[] = [];
    const message = asObject(event.message);
    if (message) {
      slot(slots, message, "content", "content", "text");
      slot(slots, message, "thinking", "thinking", "text");
    }
    slot(slots, event, "response", "response", "text");
    slot(slots, event, "thinking", "gen-thinking", "text");
    const calls = message !== undefined && asArray(message.tool_calls).length > 0;
    return { slots, closes: event.done === true ? "all" : [], whole: calls };
  },

  usage(value) {
    const inputTokens = asNumber(value.prompt_eval_count);
    const outputTokens = asNumber(value.eval_count);
    return inputTokens === undefined && outputTokens === undefined
      ? undefined
      : { inputTokens, outputTokens };
  },

  completion(text, { model, now, endpoint }) {
    const head: JsonObject = { model, created_at: new Date(now).toISOString() };
    const tail: JsonObject = { done: true, done_reason: "stop", prompt_eval_count: 0, eval_count: 0 };
    return endpoint === "api/generate"
      ? { ...head, response: text, ...tail }
      : { ...head, message: { role: "assistant", content: text }, ...tail };
  },

  streamOf: (completion) => [{ event: undefined, data: completion }],
};
