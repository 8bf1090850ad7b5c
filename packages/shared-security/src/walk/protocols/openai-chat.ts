import {
  data,
  fileId,
  id,
  json,
  media,
  model,
  name,
  object,
  opaque,
  roleOfMessage,
  schema,
  text,
  word,
} from "../shape.ts";

const part = object({
  type: word,
  image_url: object({ url: media("image"), detail: word }),
  input_audio: object({ data: media("audio"), format: word }),
  video_url: object({ url: media("video") }),
  file: object({ file_data: media("file"), file_id: fileId("file") }),
  cache_control: object({ type: word, ttl: word }),
});

const toolCall = object({
  id,
  type: word,
  function: object({ name, arguments: json("tool-arguments") }),
  custom: object({ name, input: text("tool-arguments") }),
});

const message = object(
  {
    role: word,
    content: part,
    tool_call_id: id,
    tool_calls: toolCall,
    function_call: object({ name, arguments: json("tool-arguments") }),
    audio: object({ id, data: media("audio") }),
    images: object({ type: word, image_url: object({ url: media("image") }) }),
    // OpenRouter and vLLM: reasoning kept between turns.
    reasoning_details: object({ type: word, id, format: word, data: opaque, signature: opaque }),
  },
  roleOfMessage,
);

const functionTool = object({ name, parameters: schema }, "tool-definition");

/**
 * Chat Completions, requests and whole responses.
 * @see https://platform.openai.com/docs/api-reference/chat/create
 */
export const openaiChat = object({
  model,
  messages: message,
  tools: object(
    { type: word, function: functionTool, custom: object({ name }, "tool-definition") },
    "tool-definition",
  ),
  functions: functionTool,
  tool_choice: object({ type: word, function: object({ name }) }),
  function_call: object({ name }),
  response_format: object({ type: word, json_schema: object({ name, schema }) }),
  modalities: word,
  audio: object({ voice: word, format: word }),
  reasoning_effort: word,
  reasoning: object({ effort: word, summary: word }),
  verbosity: word,
  service_tier: word,
  prompt_cache_retention: word,
  metadata: data("other"),
  prediction: object({ type: word, content: part }),
  // A whole response.
  id,
  object: word,
  system_fingerprint: id,
  choices: object({ message, delta: message, finish_reason: word, text: text("assistant") }, "assistant"),
});
