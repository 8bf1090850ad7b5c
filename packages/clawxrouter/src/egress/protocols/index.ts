import { anthropic } from "./anthropic.ts";
import { meta, openaiEmbeddings } from "./embeddings.ts";
import { google } from "./google.ts";
import { ollama } from "./ollama.ts";
import { openaiChat } from "./openai-chat.ts";
import { openaiResponses } from "./openai-responses.ts";
import type { Protocol, ProtocolId } from "./types.ts";

/** All protocols by id. */
export const PROTOCOLS: Readonly<Record<ProtocolId, Protocol>> = {
  "openai-chat": openaiChat,
  "openai-responses": openaiResponses,
  anthropic,
  google,
  ollama,
  "openai-embeddings": openaiEmbeddings,
  meta,
};
