/** OpenAI Responses, over SSE and over WebSocket. @see https://platform.openai.com/docs/api-reference/responses-streaming */
import type { Usage } from "../events.ts";
import { type Assembled, type Assembler, MessageBuilder } from "./assembler.ts";
import { count, errorText, type Json, list, object, string } from "./json.ts";

const TERMINAL = new Set([
  "response.completed",
  "response.done",
  "response.failed",
  "response.incomplete",
  "response.cancelled",
  "error",
]);

/** Whether an event type ends a response. */
export function isTerminalResponseEvent(type: string): boolean {
  return TERMINAL.has(type);
}

export function openaiResponses(): Assembler {
  let message = new MessageBuilder();
  const out: Partial<Assembled> = {};
  let terminal = false;
  let finished = false;

  function response(data: Json): void {
    out.responseId = string(data.id) ?? out.responseId;
    out.model = string(data.model) ?? out.model;
    out.usage = toUsage(data.usage) ?? out.usage;
    const status = string(data.status);
    if (status && status !== "in_progress" && status !== "queued") {
      out.finishReason = string(object(data.incomplete_details)?.reason) ?? status;
      finished = true;
    }
    if (data.error !== undefined && data.error !== null) out.error = errorText(data.error) ?? "error";
    else if (status === "failed") out.error ??= "failed";
  }

  function item(value: unknown, key: string): void {
    const entry = object(value);
    if (entry?.type === "message") {
      for (const block of list(entry.content)) message.text(object(block)?.text ?? object(block)?.refusal);
    } else if (entry?.type === "reasoning") {
      for (const block of [...list(entry.summary), ...list(entry.content)])
        message.thinking(object(block)?.text);
    } else if (entry?.type === "function_call" || entry?.type === "custom_tool_call") {
      message.toolCall(key, {
        id: entry.call_id ?? entry.id,
        name: entry.name,
        args: entry.arguments ?? entry.input,
        whole: true,
      });
    }
  }

  /** The final event repeats the whole output: where deltas were missed (a cut capture) it is the better source. */
  function whole(data: Json): void {
    response(data);
    const output = list(data.output);
    if (output.length === 0) return;
    const streamed = message;
    message = new MessageBuilder();
    for (const [index, entry] of output.entries()) item(entry, String(index));
    message.completeFrom(streamed);
  }

  return {
    event(data, name) {
      const type = string(data.type) ?? name ?? "";
      const key = String(data.output_index ?? data.item_id ?? "0");
      switch (type) {
        case "response.output_text.delta":
        case "response.refusal.delta":
          message.text(data.delta);
          break;
        case "response.reasoning_text.delta":
        case "response.reasoning_summary_text.delta":
          message.thinking(data.delta);
          break;
        case "response.output_item.added": {
          const entry = object(data.item);
          if (entry?.type === "function_call" || entry?.type === "custom_tool_call") {
            message.toolCall(key, { id: entry.call_id ?? entry.id, name: entry.name });
          }
          break;
        }
        case "response.function_call_arguments.delta":
        case "response.custom_tool_call_input.delta":
          message.toolCall(key, { args: data.delta });
          break;
        case "response.function_call_arguments.done":
          message.toolCall(key, { name: data.name, args: data.arguments, whole: true });
          break;
        case "error":
          out.error = errorText(data) ?? "error";
          break;
        default: {
          const body = object(data.response);
          if (body && TERMINAL.has(type)) whole(body);
          else if (body) response(body);
        }
      }
      if (TERMINAL.has(type)) terminal = finished = true;
      return undefined;
    },
    document(data) {
      whole(data);
      terminal = finished = true;
    },
    mark(text) {
      if (text === "[DONE]") terminal = true;
    },
    result: () => ({ protocol: "openai-responses", terminal, finished, message: message.build(), ...out }),
  };
}

function toUsage(value: unknown): Usage | undefined {
  const usage = object(value);
  if (!usage) return undefined;
  const input = count(usage.input_tokens);
  const cacheRead = count(object(usage.input_tokens_details)?.cached_tokens);
  const output = count(usage.output_tokens);
  const reasoning = count(object(usage.output_tokens_details)?.reasoning_tokens);
  return {
    input: Math.max(0, input - cacheRead),
    output,
    cacheRead,
    cacheWrite: 0,
    ...(reasoning > 0 && { reasoning }),
    total: count(usage.total_tokens) || input + output,
  };
}
