import { data, model, object, type Shape } from "../shape.ts";
import type { WireProtocol } from "../types.ts";
import { anthropicMessages } from "./anthropic.ts";
import { embeddings } from "./embeddings.ts";
import { googleGenerativeAi } from "./google.ts";
import { ollama } from "./ollama.ts";
import { openaiChat } from "./openai-chat.ts";
import { openaiResponses } from "./openai-responses.ts";

/** The known shapes. Of an unknown body only the model id is set apart. */
export const PROTOCOL_SHAPES: Readonly<Record<WireProtocol, Shape>> = {
  "openai-chat": openaiChat,
  "openai-responses": openaiResponses,
  "anthropic-messages": anthropicMessages,
  "google-generative-ai": googleGenerativeAi,
  ollama,
  embeddings,
  unknown: { ...object({ model }), rest: data("other") },
};

const BY_PATH: readonly (readonly [RegExp, WireProtocol])[] = [
  [/\/chat\/completions$/, "openai-chat"],
  [/\/responses(?:\/compact)?$/, "openai-responses"],
  [/\/messages(?:\/count_tokens)?$/, "anthropic-messages"],
  [
    /:(?:generateContent|streamGenerateContent|countTokens|embedContent|batchEmbedContents)$/,
    "google-generative-ai",
  ],
  [/\/api\/(?:chat|generate|embed|embeddings)$/, "ollama"],
  [/\/(?:embeddings|rerank)$/, "embeddings"],
];

/** The protocol of an endpoint by its URL path (without query); `unknown` when it is none of the known ones. */
export function protocolOfPath(path: string): WireProtocol {
  const clean = path.replace(/\?.*$/s, "").replace(/\/+$/, "");
  return BY_PATH.find(([pattern]) => pattern.test(clean))?.[1] ?? "unknown";
}
