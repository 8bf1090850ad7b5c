/** Ollama's own API: `/api/chat` and `/api/generate`, NDJSON. @see https://github.com/ollama/ollama/blob/main/docs/api.md */
import { type Assembled, type Assembler, MessageBuilder } from "./assembler.ts";
import { count, errorText, type Json, list, object, string } from "./json.ts";

export function ollama(): Assembler {
  const message = new MessageBuilder();
  const out: Partial<Assembled> = {};
  let finished = false;

  function chunk(data: Json): void {
    out.model = string(data.model) ?? out.model;
    if (data.error !== undefined && data.error !== null) out.error = errorText(data.error) ?? "error";
    const part = object(data.message);
    message.text(part?.content ?? data.response);
    message.thinking(part?.thinking ?? data.thinking);
    for (const value of list(part?.tool_calls)) {
      const call = object(value);
      const fn = object(call?.function);
      message.toolCall(String(message.callCount), { id: call?.id, name: fn?.name, parsed: fn?.arguments });
    }
    if (data.done !== true) return;
    finished = true;
    out.finishReason = string(data.done_reason) ?? "stop";
    const input = count(data.prompt_eval_count);
    const output = count(data.eval_count);
    out.usage = { input, output, cacheRead: 0, cacheWrite: 0, total: input + output };
  }

  return {
    event(data) {
      chunk(data);
      return undefined;
    },
    document: chunk,
    mark() {},
    result: () => ({ protocol: "ollama", terminal: finished, finished, message: message.build(), ...out }),
  };
}
