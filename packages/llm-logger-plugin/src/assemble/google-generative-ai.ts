/** Google generateContent and streamGenerateContent. @see https://ai.google.dev/api/generate-content */
import type { Usage } from "../events.ts";
import { type Assembled, type Assembler, MessageBuilder } from "./assembler.ts";
import { count, errorText, type Json, list, object, string } from "./json.ts";

export function googleGenerativeAi(): Assembler {
  const message = new MessageBuilder();
  const out: Partial<Assembled> = {};
  let finished = false;

  function chunk(data: Json): void {
    out.responseId = string(data.responseId) ?? out.responseId;
    out.model = string(data.modelVersion) ?? out.model;
    out.usage = toUsage(data.usageMetadata) ?? out.usage;
    if (data.error !== undefined && data.error !== null) out.error = errorText(data.error) ?? "error";
    const blocked = string(object(data.promptFeedback)?.blockReason);
    if (blocked !== undefined) {
      out.finishReason = blocked;
      finished = true;
    }
    const candidate = object(list(data.candidates)[0]);
    for (const value of list(object(candidate?.content)?.parts)) {
      const part = object(value);
      if (!part) continue;
      if (part.thought === true) message.thinking(part.text);
      else message.text(part.text);
      const call = object(part.functionCall);
      if (call)
        message.toolCall(String(message.callCount), { id: call.id, name: call.name, parsed: call.args });
    }
    const reason = string(candidate?.finishReason);
    if (reason !== undefined) {
      out.finishReason = reason;
      finished = true;
    }
  }

  return {
    event(data) {
      chunk(data);
      return undefined;
    },
    document(data) {
      chunk(data);
      finished = true;
    },
    mark() {},
    // The stream has no end mark of its own: the chunk with the finish reason is the last one that matters.
    result: () => ({
      protocol: "google-generative-ai",
      terminal: finished,
      finished,
      message: message.build(),
      ...out,
    }),
  };
}

/** `promptTokenCount` includes cached content; thoughts are billed as output and counted apart. */
function toUsage(value: unknown): Usage | undefined {
  const usage = object(value);
  if (!usage) return undefined;
  const prompt = count(usage.promptTokenCount) + count(usage.toolUsePromptTokenCount);
  const cacheRead = count(usage.cachedContentTokenCount);
  const reasoning = count(usage.thoughtsTokenCount);
  const output = count(usage.candidatesTokenCount) + reasoning;
  return {
    input: Math.max(0, prompt - cacheRead),
    output,
    cacheRead,
    cacheWrite: 0,
    ...(reasoning > 0 && { reasoning }),
    total: count(usage.totalTokenCount) || prompt + output,
  };
}
