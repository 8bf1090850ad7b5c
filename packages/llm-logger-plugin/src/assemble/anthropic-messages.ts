/** Anthropic Messages. @see https://docs.anthropic.com/en/docs/build-with-claude/streaming */
import type { Usage } from "../events.ts";
import { type Assembled, type Assembler, MessageBuilder } from "./assembler.ts";
import { count, errorText, type Json, list, object, string } from "./json.ts";

/** Content blocks in which the model calls a tool, its own or the provider's. */
const TOOL_BLOCKS = new Set(["tool_use", "server_tool_use", "mcp_tool_use"]);

export function anthropicMessages(): Assembler {
  const message = new MessageBuilder();
  const out: Partial<Assembled> = {};
  const usage: Json = {};
  let terminal = false;
  let finished = false;

  function block(value: unknown, key: string): void {
    const entry = object(value);
    if (entry?.type === "text") message.text(entry.text);
    else if (entry?.type === "thinking") message.thinking(entry.thinking);
    else if (TOOL_BLOCKS.has(string(entry?.type) ?? "")) {
      message.toolCall(key, { id: entry?.id, name: entry?.name, parsed: entry?.input });
    }
  }

  function head(data: Json): void {
    out.responseId = string(data.id) ?? out.responseId;
    out.model = string(data.model) ?? out.model;
    stop(data);
    addUsage(data.usage);
  }

  /** Counts replace earlier ones; what an event leaves open or null stays. */
  function addUsage(value: unknown): void {
    for (const [name, number] of Object.entries(object(value) ?? {}))
      if (number !== null) usage[name] = number;
  }

  function stop(data: Json): void {
    const reason = string(data.stop_reason);
    if (reason === undefined) return;
    out.finishReason = reason;
    finished = true;
  }

  function delta(value: unknown, key: string): void {
    const part = object(value);
    if (part?.type === "text_delta") message.text(part.text);
    else if (part?.type === "thinking_delta") message.thinking(part.thinking);
    else if (part?.type === "input_json_delta") message.toolCall(key, { args: part.partial_json });
  }

  return {
    event(data, name) {
      switch (string(data.type) ?? name) {
        case "message_start":
          head(object(data.message) ?? {});
          break;
        case "content_block_start":
          block(data.content_block, String(data.index));
          break;
        case "content_block_delta":
          delta(data.delta, String(data.index));
          break;
        case "message_delta":
          stop(object(data.delta) ?? {});
          addUsage(data.usage);
          break;
        case "message_stop":
          terminal = finished = true;
          break;
        case "error":
          out.error = errorText(data.error) ?? "error";
          break;
      }
      const piece = pureText(data);
      return piece === undefined
        ? undefined
        : { piece, lane: data.index, add: (more) => message.text(more), read: pureText };
    },
    document(data) {
      if (data.type === "error") out.error = errorText(data.error) ?? "error";
      head(data);
      for (const [index, entry] of list(data.content).entries()) block(entry, String(index));
      terminal = finished = true;
    },
    mark() {},
    result: () => {
      const counted = toUsage(usage);
      return {
        protocol: "anthropic-messages",
        terminal,
        finished,
        message: message.build(),
        ...out,
        ...(counted && { usage: counted }),
      };
    },
  };
}

function pureText(data: Json): string | undefined {
  const delta = object(data.delta);
  return data.type === "content_block_delta" && delta?.type === "text_delta" ? string(delta.text) : undefined;
}

/** Anthropic's `input_tokens` already leaves cached tokens out. Counts in `message_delta` are cumulative. */
function toUsage(usage: Json): Usage | undefined {
  if (usage.input_tokens === undefined && usage.output_tokens === undefined) return undefined;
  const input = count(usage.input_tokens);
  const output = count(usage.output_tokens);
  const cacheRead = count(usage.cache_read_input_tokens);
  const cacheWrite = count(usage.cache_creation_input_tokens);
  return { input, output, cacheRead, cacheWrite, total: input + output + cacheRead + cacheWrite };
}
