import { asArray, asNumber, asObject, asString, type Json, type JsonObject } from "../json.ts";
import type { Usage } from "../types.ts";
import { slot } from "./slots.ts";
import type { DeltaSlot, Protocol } from "./types.ts";

/** Text fields of a delta or message: `reasoning*` are vendors' additions (DeepSeek, OpenRouter, vLLM). */
const TEXT_KEYS = ["content", "reasoning_content", "reasoning", "refusal"] as const;

/**
 * Chat Completions, and all servers that speak it.
 * @see https://platform.openai.com/docs/api-reference/chat/streaming
 */
export const openaiChat: Protocol = {
  id: "openai-chat",
  framing: "sse",
  jsonKeys: new Set(["arguments"]),
  wantsStream: (body) => body.stream === true,

  plan(event) {
    const slots: DeltaSlot[] = [];
    const closes: string[] = [];
    for (const item of asArray(event.choices)) {
      const choice = asObject(item);
      if (!choice) continue;
      const prefix = `c${asNumber(choice.index) ?? 0}.`;
      const delta = asObject(choice.delta);
      if (delta) {
        for (const key of TEXT_KEYS) slot(slots, delta, key, prefix + key, "text");
        for (const call of asArray(delta.tool_calls)) toolCall(slots, asObject(call), prefix);
        const legacy = asObject(delta.function_call);
        if (legacy) slot(slots, legacy, "arguments", `${prefix}call`, "json");
        for (const detail of asArray(delta.reasoning_details)) {
          const object = asObject(detail);
          if (!object) continue;
          const id = `${prefix}detail${asNumber(object.index) ?? 0}.`;
          slot(slots, object, "text", `${id}text`, "text");
          slot(slots, object, "summary", `${id}summary`, "text");
        }
      }
      if (choice.finish_reason !== undefined && choice.finish_reason !== null) closes.push(prefix);
    }
    return { slots, closes, whole: false };
  },

  usage(value) {
    return openaiUsage(asObject(value.usage));
  },

  completion(text, { model, now, requestId }) {
    return {
      id: `chatcmpl-${requestId}`,
      object: "chat.completion",
      created: Math.floor(now / 1000),
      model,
      choices: [
        { index: 0, message: { role: "assistant", content: text }, logprobs: null, finish_reason: "stop" },
      ],
      usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
    };
  },

  streamOf(completion) {
    const { choices, usage, ...head } = completion;
    const base: JsonObject = { ...head, object: "chat.completion.chunk" };
    const frames: Array<{ event: undefined; data: Json | "[DONE]" }> = [];
    const send = (index: Json, delta: JsonObject, finish: Json): void => {
      frames.push({
        event: undefined,
        data: { ...base, choices: [{ index, delta, finish_reason: finish }] },
      });
    };
    for (const item of asArray(choices)) {
      const choice = asObject(item) ?? {};
      const message = asObject(choice.message) ?? {};
      const index = asNumber(choice.index) ?? 0;
      const { tool_calls: calls, role, ...rest } = message;
      send(index, { role: role ?? "assistant", ...rest }, null);
      asArray(calls).forEach((call, position) => {
        send(index, { tool_calls: [{ index: position, ...asObject(call) }] }, null);
      });
      send(index, {}, choice.finish_reason ?? "stop");
    }
    if (usage !== undefined) frames.push({ event: undefined, data: { ...base, choices: [], usage } });
    frames.push({ event: undefined, data: "[DONE]" });
    return frames;
  },
};

function toolCall(slots: DeltaSlot[], call: JsonObject | undefined, prefix: string): void {
  if (!call) return;
  const id = `${prefix}t${asNumber(call.index) ?? asString(call.id) ?? 0}.`;
  const fn = asObject(call.function);
  if (fn) slot(slots, fn, "arguments", `${id}args`, "json");
  const custom = asObject(call.custom);
  if (custom) slot(slots, custom, "input", `${id}input`, "text");
}

/** OpenAI's usage object; `prompt_tokens` includes cached ones. */
export function openaiUsage(usage: JsonObject | undefined): Usage | undefined {
  if (!usage) return undefined;
  return {
    inputTokens: asNumber(usage.prompt_tokens) ?? asNumber(usage.input_tokens),
    outputTokens: asNumber(usage.completion_tokens) ?? asNumber(usage.output_tokens),
    cacheReadTokens:
      asNumber(asObject(usage.prompt_tokens_details)?.cached_tokens) ??
      asNumber(asObject(usage.input_tokens_details)?.cached_tokens),
  };
}
