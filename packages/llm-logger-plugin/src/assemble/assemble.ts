/** From a decoded response body to the assistant message, whatever protocol it speaks. */
import { anthropicMessages } from "./anthropic-messages.ts";
import { type Assembled, type Assembler, type Json, object, type Protocol } from "./assembler.ts";
import { embedding } from "./embedding.ts";
import { googleGenerativeAi } from "./google-generative-ai.ts";
import { ollama } from "./ollama.ts";
import { openaiCompletions } from "./openai-completions.ts";
import { openaiResponses } from "./openai-responses.ts";
import { sseEvents } from "./sse.ts";

const FACTORIES: Record<Protocol, () => Assembler> = {
  "openai-completions": openaiCompletions,
  "openai-responses": openaiResponses,
  "anthropic-messages": anthropicMessages,
  "google-generative-ai": googleGenerativeAi,
  ollama,
  embedding,
};

export function createAssembler(protocol: Protocol): Assembler {
  return FACTORIES[protocol]();
}

/** Host API names that speak one of the protocols under another name. */
const API_ALIASES: Record<string, Protocol> = {
  "openai-completions": "openai-completions",
  "openai-responses": "openai-responses",
  "openai-chatgpt-responses": "openai-responses",
  "openai-codex-responses": "openai-responses",
  "azure-openai-responses": "openai-responses",
  "anthropic-messages": "anthropic-messages",
  "google-generative-ai": "google-generative-ai",
  "google-vertex": "google-generative-ai",
  ollama: "ollama",
};

/** The protocol of a request by its URL path, else by what the host calls the provider's API. */
export function protocolOf(path: string, api: string | undefined): Protocol | undefined {
  const bare = path.split("?", 1)[0] ?? path;
  if (/\/(embeddings|embed)$|:(embedContent|batchEmbedContents)$/.test(bare)) return "embedding";
  if (/\/chat\/completions$|\/v1\/completions$/.test(bare)) return "openai-completions";
  if (/\/responses$/.test(bare)) return "openai-responses";
  if (/\/messages$/.test(bare)) return "anthropic-messages";
  if (/:(generateContent|streamGenerateContent)$/.test(bare)) return "google-generative-ai";
  if (/\/api\/(chat|generate)$/.test(bare)) return "ollama";
  return api === undefined ? undefined : API_ALIASES[api];
}

export type StreamShape = "sse" | "ndjson" | "document";

/** How a body is cut into events, by its content type and, where that lies, by its first characters. */
export function shapeOf(contentType: string | undefined, text: string): StreamShape {
  const type = contentType?.toLowerCase() ?? "";
  if (type.includes("text/event-stream")) return "sse";
  if (type.includes("ndjson") || type.includes("jsonl")) return "ndjson";
  const head = text.slice(0, 200).trimStart();
  if (/^(data|event|id|retry):/.test(head)) return "sse";
  return "document";
}

/**
 * Puts a response together.
 * @returns undefined when the text is nothing that the protocol's assembler can read.
 */
export function assemble(protocol: Protocol, shape: StreamShape, text: string): Assembled | undefined {
  const assembler = createAssembler(protocol);
  let events = 0;
  if (shape === "sse") {
    for (const { name, data } of sseEvents(text)) {
      const json = data.startsWith("{") ? parseObject(data) : undefined;
      if (json) assembler.event(json, name);
      else assembler.mark(data.trim());
      events++;
    }
  } else {
    const whole = shape === "document" ? parse(text) : undefined;
    if (Array.isArray(whole)) events = feed(assembler, whole);
    else if (object(whole)) {
      assembler.document(whole as Json);
      events = 1;
    } else events = feed(assembler, text.split("\n").map(parse));
  }
  return events > 0 ? assembler.result() : undefined;
}

function feed(assembler: Assembler, items: unknown[]): number {
  let events = 0;
  for (const item of items) {
    const json = object(item);
    if (!json) continue;
    assembler.event(json, undefined);
    events++;
  }
  return events;
}

function parseObject(text: string): Json | undefined {
  return object(parse(text));
}

function parse(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
