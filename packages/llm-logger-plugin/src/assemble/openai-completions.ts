/** OpenAI Chat Completions (and its many compatible servers). @see https://platform.openai.com/docs/api-reference/chat */
import type { Usage } from "../events.ts";
import { type Assembled, type Assembler, MessageBuilder } from "./assembler.ts";
import { count, errorText, type Json, list, object, string } from "./json.ts";

export function openaiCompletions(): Assembler {
  const message = new MessageBuilder();
  const out: Partial<Assembled> = {};
  /** The call that the pieces of an index belong to. */
  const current = new Map<string, { id: string; key: string }>();
  let terminal = false;
  let finished = false;

  function common(data: Json): void {
    out.responseId ??= string(data.id);
    out.model = string(data.model) ?? out.model;
    const usage = toUsage(data.usage) ?? toUsage(object(data.x_groq)?.usage);
    if (usage) out.usage = usage;
    const error = data.error === undefined || data.error === null ? undefined : errorText(data.error);
    if (error !== undefined) out.error = error;
  }

  /** Some servers give every call of a message the same index, or none: another id is then another call. */
  function callKey(index: string, id: unknown): string {
    const known = current.get(index);
    if (typeof id !== "string" || id === "" || id === known?.id) return known?.key ?? index;
    const key = known?.id === undefined ? index : `${index} ${id}`;
    current.set(index, { id, key });
    return key;
  }

  function choice(item: unknown): void {
    const entry = object(item);
    if (!entry || count(entry.index) !== 0) return;
    const part = object(entry.delta) ?? object(entry.message);
    if (part) {
      if (typeof part.content === "string") message.text(part.content);
      else for (const block of list(part.content)) message.text(object(block)?.text);
      message.text(part.refusal);
      message.thinking(part.reasoning_content ?? part.reasoning ?? part.thinking);
      for (const [position, call] of list(part.tool_calls).entries()) {
        const tool = object(call);
        const fn = object(tool?.function);
        const key = typeof tool?.index === "number" ? tool.index : position;
        message.toolCall(callKey(String(key), tool?.id), {
          id: tool?.id,
          name: fn?.name,
          args: fn?.arguments,
        });
      }
      const legacy = object(part.function_call);
      if (legacy) message.toolCall("function_call", { name: legacy.name, args: legacy.arguments });
    } else message.text(entry.text);
    const reason = string(entry.finish_reason);
    if (reason !== undefined) {
      out.finishReason = reason;
      finished = true;
    }
  }

  return {
    event(data) {
      common(data);
      for (const item of list(data.choices)) choice(item);
      const piece = pureContent(data);
      return piece === undefined
        ? undefined
        : { piece, lane: 0, add: (more) => message.text(more), read: pureContent };
    },
    document(data) {
      common(data);
      for (const item of list(data.choices)) choice(item);
      terminal = finished = true;
    },
    mark(text) {
      if (text === "[DONE]") terminal = true;
    },
    result: () => ({ protocol: "openai-completions", terminal, finished, message: message.build(), ...out }),
  };
}

/** The text of a chunk that brings nothing else. */
function pureContent(data: Json): string | undefined {
  const choices = list(data.choices);
  const choice = object(choices[0]);
  const delta = object(choice?.delta);
  if (
    choices.length !== 1 ||
    !delta ||
    data.usage ||
    data.error ||
    choice?.finish_reason ||
    choice?.index !== 0
  )
    return undefined;
  for (const key of Object.keys(delta))
    if (key !== "content" && key !== "role" && delta[key] !== null) return undefined;
  return typeof delta.content === "string" ? delta.content : undefined;
}

/** `prompt_tokens` includes cached ones; the log's `input` does not. */
function toUsage(value: unknown): Usage | undefined {
  const usage = object(value);
  if (!usage) return undefined;
  const prompt = count(usage.prompt_tokens);
  const cacheRead =
    count(object(usage.prompt_tokens_details)?.cached_tokens) || count(usage.prompt_cache_hit_tokens);
  const output = count(usage.completion_tokens);
  const reasoning = count(object(usage.completion_tokens_details)?.reasoning_tokens);
  return {
    input: Math.max(0, prompt - cacheRead),
    output,
    cacheRead,
    cacheWrite: 0,
    ...(reasoning > 0 && { reasoning }),
    total: count(usage.total_tokens) || prompt + output,
  };
}
