import { asArray, asNumber, asObject } from "../json.ts";
import { slot } from "./slots.ts";
import type { DeltaSlot, Protocol } from "./types.ts";

/**
 * Google generateContent and streamGenerateContent (`alt=sse`). Function calls come whole, as objects.
 * @see https://ai.google.dev/api/generate-content
 */
export const google: Protocol = {
  id: "google",
  framing: "sse",
  jsonKeys: new Set(),
  wantsStream: (_body, endpoint) => endpoint === "streamGenerateContent",

  plan(event) {
    const slots: DeltaSlot[] = [];
    const closes: string[] = [];
    let whole = false;
    for (const item of asArray(event.candidates)) {
      const candidate = asObject(item);
      if (!candidate) continue;
      const prefix = `c${asNumber(candidate.index) ?? 0}.`;
      for (const entry of asArray(asObject(candidate.content)?.parts)) {
        const part = asObject(entry);
        if (!part) continue;
        if (typeof part.text === "string") {
          slot(slots, part, "text", part.thought === true ? `${prefix}thought` : `${prefix}text`, "text");
        } else {
          // A part that is no text ends the text before it; its strings are whole.
          closes.push(prefix);
          whole = true;
        }
      }
      if (candidate.finishReason !== undefined) closes.push(prefix);
    }
    return { slots, closes, whole };
  },

  usage(value) {
    const usage = asObject(value.usageMetadata);
    if (!usage) return undefined;
    const thoughts = asNumber(usage.thoughtsTokenCount) ?? 0;
    const answer = asNumber(usage.candidatesTokenCount);
    return {
      inputTokens: asNumber(usage.promptTokenCount),
      outputTokens: answer === undefined ? undefined : answer + thoughts,
      cacheReadTokens: asNumber(usage.cachedContentTokenCount),
    };
  },

  completion(text, { model, requestId }) {
    return {
      candidates: [{ content: { role: "model", parts: [{ text }] }, finishReason: "STOP", index: 0 }],
      usageMetadata: { promptTokenCount: 0, candidatesTokenCount: 0, totalTokenCount: 0 },
      modelVersion: model,
      responseId: requestId,
    };
  },

  streamOf: (completion) => [{ event: undefined, data: completion }],
};
