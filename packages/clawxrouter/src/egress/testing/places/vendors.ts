import { base64, GENERATE, hi, MESSAGES, number, OLLAMA, type Place } from "./place.ts";

/** Anthropic, Google and Ollama. */
export const VENDORS: Record<string, Place[]> = {
  "anthropic-messages": [
    [
      "anth sys arr",
      MESSAGES,
      (s) => ({
        model: "m",
        max_tokens: 1,
        messages: hi,
        system: [{ type: "text", text: s, cache_control: { type: "ephemeral", ttl: s } }],
      }),
    ],
    [
      "anth tool_use",
      MESSAGES,
      (s) => ({
        model: "m",
        max_tokens: 1,
        messages: [
          { role: "assistant", content: [{ type: "tool_use", id: s, name: s, input: { [s]: number(s) } }] },
        ],
      }),
    ],
    [
      "anth tool_result nested",
      MESSAGES,
      (s) => ({
        model: "m",
        max_tokens: 1,
        messages: [
          {
            role: "user",
            content: [
              {
                type: "tool_result",
                tool_use_id: "x",
                content: [
                  {
                    type: "search_result",
                    source: `https://x/?${s}`,
                    title: s,
                    content: [{ type: "text", text: s }],
                  },
                ],
              },
            ],
          },
        ],
      }),
    ],
    [
      "anth doc text",
      MESSAGES,
      (s) => ({
        model: "m",
        max_tokens: 1,
        messages: [
          {
            role: "user",
            content: [
              {
                type: "document",
                title: s,
                context: s,
                source: { type: "text", media_type: "text/plain", data: s },
              },
            ],
          },
        ],
      }),
    ],
    [
      "anth doc b64 text",
      MESSAGES,
      (s) => ({
        model: "m",
        max_tokens: 1,
        messages: [
          {
            role: "user",
            content: [
              {
                type: "document",
                source: { type: "base64", media_type: "text/plain", data: base64(`a ${s}`) },
              },
            ],
          },
        ],
      }),
    ],
    [
      "anth doc text b64alike",
      MESSAGES,
      (s) => ({
        model: "m",
        max_tokens: 1,
        messages: [
          {
            role: "user",
            content: [
              { type: "document", source: { type: "base64", media_type: "application/pdf", data: s } },
            ],
          },
        ],
      }),
    ],
    [
      "anth thinking",
      MESSAGES,
      (s) => ({
        model: "m",
        max_tokens: 1,
        messages: [
          {
            role: "assistant",
            content: [
              { type: "thinking", thinking: s, signature: s },
              { type: "redacted_thinking", data: s },
            ],
          },
        ],
      }),
    ],
    ["anth stop", MESSAGES, (s) => ({ model: "m", max_tokens: 1, messages: hi, stop_sequences: [s] })],
    [
      "anth mcp",
      MESSAGES,
      (s) => ({
        model: "m",
        max_tokens: 1,
        messages: hi,
        mcp_servers: [{ type: "url", url: `https://x/${s}`, name: s, authorization_token: s }],
      }),
    ],
    [
      "anth examples",
      MESSAGES,
      (s) => ({
        model: "m",
        max_tokens: 1,
        messages: hi,
        tools: [{ name: "f", input_schema: { type: "object" }, input_examples: [{ a: s }] }],
      }),
    ],
    ["anth container", MESSAGES, (s) => ({ model: "m", max_tokens: 1, messages: hi, container: s })],
  ],
  "google-generative-ai": [
    [
      "goog sys snake",
      GENERATE,
      (s) => ({
        system_instruction: { parts: [{ text: s }] },
        contents: [{ role: "user", parts: [{ text: "x" }] }],
      }),
    ],
    [
      "goog sys str",
      GENERATE,
      (s) => ({ systemInstruction: s, contents: [{ role: "user", parts: [{ text: "x" }] }] }),
    ],
    [
      "goog fr num",
      GENERATE,
      (s) => ({
        contents: [
          {
            role: "user",
            parts: [{ functionResponse: { name: s, id: s, response: { a: number(s), [s]: 1 } } }],
          },
        ],
      }),
    ],
    [
      "goog fr snake",
      GENERATE,
      (s) => ({
        contents: [
          { role: "user", parts: [{ function_response: { name: "n", response: { a: [number(s)] } } }] },
        ],
      }),
    ],
    [
      "goog inline text",
      GENERATE,
      (s) => ({
        contents: [
          { role: "user", parts: [{ inline_data: { mime_type: "text/plain", data: base64(`${s} x`) } }] },
        ],
      }),
    ],
    [
      "goog filedata",
      GENERATE,
      (s) => ({
        contents: [
          {
            role: "user",
            parts: [{ fileData: { fileUri: `https://x/?${s}`, mimeType: "text/plain", displayName: s } }],
          },
        ],
      }),
    ],
    [
      "goog enum",
      GENERATE,
      (s) => ({
        contents: [{ role: "user", parts: [{ text: "x" }] }],
        generationConfig: {
          responseSchema: { type: "STRING", enum: [s] },
          stopSequences: [s],
          seed: Number(s) || 1,
        },
      }),
    ],
    [
      "goog labels",
      GENERATE,
      (s) => ({ contents: [{ role: "user", parts: [{ text: "x" }] }], labels: { [s]: s }, cachedContent: s }),
    ],
    [
      "goog codeexec",
      GENERATE,
      (s) => ({
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
      }),
    ],
  ],
  ollama: [
    [
      "oll opts",
      OLLAMA,
      (s) => ({
        model: "m",
        messages: hi,
        options: { stop: [s], seed: Number(s) || 1 },
        format: { enum: [s] },
        keep_alive: s,
        think: s,
      }),
    ],
    [
      "oll tool",
      OLLAMA,
      (s) => ({
        model: "m",
        messages: [
          { role: "tool", tool_name: s, content: s },
          {
            role: "assistant",
            content: "",
            thinking: s,
            tool_calls: [{ function: { name: s, arguments: { [s]: number(s) } } }],
          },
        ],
      }),
    ],
    [
      "oll images",
      OLLAMA,
      (s) => ({ model: "m", messages: [{ role: "user", content: "x", images: [base64(s)] }] }),
    ],
    [
      "oll gen",
      "/api/generate",
      (s) => ({ model: "m", prompt: s, suffix: s, template: s, system: s, raw: true }),
    ],
  ],
};
