import {
  base64,
  GENERATE,
  type Holding,
  hi,
  MESSAGES,
  number,
  OLLAMA,
  type Place,
  placesOf,
} from "./place.ts";

const anthropic = placesOf(MESSAGES, { model: "m", max_tokens: 1, messages: hi });
const block = (role: "user" | "assistant", name: string, of: Holding): Place =>
  anthropic(name, (s) => ({ messages: [{ role, content: [of(s)].flat() }] }));
const source = (name: string, of: Holding): Place =>
  block("user", name, (s) => ({ type: "document", source: of(s) }));

const google = placesOf(GENERATE, { contents: [{ role: "user", parts: [{ text: "x" }] }] });
const googlePart = (name: string, of: Holding): Place =>
  google(name, (s) => ({ contents: [{ role: "user", parts: [of(s)] }] }));

const ollama = placesOf(OLLAMA, { model: "m", messages: hi });

/** Anthropic, Google and Ollama. */
export const VENDORS: Record<string, Place[]> = {
  "anthropic-messages": [
    anthropic("anth sys arr", (s) => ({
      system: [{ type: "text", text: s, cache_control: { type: "ephemeral", ttl: s } }],
    })),
    block("assistant", "anth tool_use", (s) => ({
      type: "tool_use",
      id: s,
      name: s,
      input: { [s]: number(s) },
    })),
    block("user", "anth tool_result nested", (s) => ({
      type: "tool_result",
      tool_use_id: "x",
      content: [
        { type: "search_result", source: `https://x/?${s}`, title: s, content: [{ type: "text", text: s }] },
      ],
    })),
    block("user", "anth doc text", (s) => ({
      type: "document",
      title: s,
      context: s,
      source: { type: "text", media_type: "text/plain", data: s },
    })),
    source("anth doc b64 text", (s) => ({
      type: "base64",
      media_type: "text/plain",
      data: base64(`a ${s}`),
    })),
    source("anth doc text b64alike", (s) => ({ type: "base64", media_type: "application/pdf", data: s })),
    block("assistant", "anth thinking", (s) => [
      { type: "thinking", thinking: s, signature: s },
      { type: "redacted_thinking", data: s },
    ]),
    anthropic("anth stop", (s) => ({ stop_sequences: [s] })),
    anthropic("anth mcp", (s) => ({
      mcp_servers: [{ type: "url", url: `https://x/${s}`, name: s, authorization_token: s }],
    })),
    anthropic("anth examples", (s) => ({
      tools: [{ name: "f", input_schema: { type: "object" }, input_examples: [{ a: s }] }],
    })),
    anthropic("anth container", (s) => ({ container: s })),
  ],
  "google-generative-ai": [
    google("goog sys snake", (s) => ({ system_instruction: { parts: [{ text: s }] } })),
    google("goog sys str", (s) => ({ systemInstruction: s })),
    googlePart("goog fr num", (s) => ({
      functionResponse: { name: s, id: s, response: { a: number(s), [s]: 1 } },
    })),
    googlePart("goog fr snake", (s) => ({
      function_response: { name: "n", response: { a: [number(s)] } },
    })),
    googlePart("goog inline text", (s) => ({
      inline_data: { mime_type: "text/plain", data: base64(`${s} x`) },
    })),
    googlePart("goog filedata", (s) => ({
      fileData: { fileUri: `https://x/?${s}`, mimeType: "text/plain", displayName: s },
    })),
    google("goog enum", (s) => ({
      generationConfig: {
        responseSchema: { type: "STRING", enum: [s] },
        stopSequences: [s],
        seed: Number(s) || 1,
      },
    })),
    google("goog labels", (s) => ({ labels: { [s]: s }, cachedContent: s })),
    google("goog codeexec", (s) => ({
      contents: [
        {
          role: "model",
          parts: [
            { executableCode: { language: "PYTHON", code: s } },
            { codeExecutionResult: { outcome: "OK", output: s } },
            { thoughtSignature: s, text: "x" },
          ],
        },
      ],
    })),
  ],
  ollama: [
    ollama("oll opts", (s) => ({
      options: { stop: [s], seed: Number(s) || 1 },
      format: { enum: [s] },
      keep_alive: s,
      think: s,
    })),
    ollama("oll tool", (s) => ({
      messages: [
        { role: "tool", tool_name: s, content: s },
        {
          role: "assistant",
          content: "",
          thinking: s,
          tool_calls: [{ function: { name: s, arguments: { [s]: number(s) } } }],
        },
      ],
    })),
    ollama("oll images", (s) => ({ messages: [{ role: "user", content: "x", images: [base64(s)] }] })),
    [
      "oll gen",
      "/api/generate",
      (s) => ({ model: "m", prompt: s, suffix: s, template: s, system: s, raw: true }),
    ],
  ],
};
