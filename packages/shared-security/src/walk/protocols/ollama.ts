import { data, id, media, model, name, object, opaque, roleOfMessage, schema, text, word } from "../shape.ts";

const toolCall = object({
  id,
  type: word,
  function: object({ name, arguments: data("tool-arguments") }),
});

const message = object(
  { role: word, images: media("image"), tool_calls: toolCall, tool_name: name, tool_call_id: id },
  roleOfMessage,
);

/**
 * Ollama's native chat, generate and embed, requests and whole responses.
 * @see https://github.com/ollama/ollama/blob/main/docs/api.md
 */
export const ollama = object({
  model,
  messages: message,
  tools: object(
    { type: word, function: object({ name, parameters: schema }, "tool-definition") },
    "tool-definition",
  ),
  format: schema,
  keep_alive: word,
  think: word,
  system: text("system"),
  template: text("system"),
  prompt: text("user"),
  suffix: text("user"),
  images: media("image"),
  input: text("input"),
  // The conversation so far as token numbers.
  context: opaque,
  // A whole response.
  created_at: word,
  message,
  response: text("assistant"),
  thinking: text("assistant"),
  done_reason: word,
});
