/** Embedding responses of OpenAI, Google and Ollama: no message, only usage. */
import type { Assembled, Assembler } from "./assembler.ts";
import { count, errorText, type Json, object, string } from "./json.ts";

export function embedding(): Assembler {
  const out: Partial<Assembled> = {};
  let finished = false;

  function document(data: Json): void {
    finished = true;
    out.model = string(data.model);
    if (data.error !== undefined && data.error !== null) out.error = errorText(data.error) ?? "error";
    const usage = object(data.usage);
    const input = count(usage?.prompt_tokens) || count(usage?.total_tokens) || count(data.prompt_eval_count);
    if (input > 0) out.usage = { input, output: 0, cacheRead: 0, cacheWrite: 0, total: input };
  }

  return {
    event(data) {
      document(data);
      return undefined;
    },
    document,
    mark() {},
    result: () => ({
      protocol: "embedding",
      terminal: finished,
      finished,
      message: { text: "", thinking: "", toolCalls: [] },
      ...out,
    }),
  };
}
