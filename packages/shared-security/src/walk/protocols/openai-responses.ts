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
import type { LeafRole } from "../types.ts";

const part = object({
  type: word,
  image_url: media("image"),
  detail: word,
  file_data: media("file"),
  file_url: media("file"),
  file_id: fileId("file"),
  input_audio: object({ data: media("audio"), format: word }),
  annotations: object({ type: word, file_id: id, container_id: id }),
});

const item = object(
  {
    type: word,
    id,
    call_id: id,
    role: word,
    status: word,
    phase: word,
    name,
    content: part,
    summary: object({ type: word }),
    encrypted_content: opaque,
    arguments: json("tool-arguments"),
    input: text("tool-arguments"),
    output: object({
      type: word,
      image_url: media("image"),
      detail: word,
      file_data: media("file"),
      file_url: media("file"),
      file_id: fileId("file"),
    }),
    action: data("tool-arguments"),
    queries: data("tool-arguments"),
    result: media("image"),
    approval_request_id: id,
    server_label: name,
    container_id: id,
    tools: object({ name, input_schema: schema, annotations: data("tool-definition") }, "tool-definition"),
  },
  roleOfItem,
);

/** Role of an input or output item: its `role`, else by its type. */
function roleOfItem(value: Readonly<Record<string, unknown>>): LeafRole | undefined {
  const role = roleOfMessage(value);
  if (role !== undefined) return role;
  const type = typeof value.type === "string" ? value.type : "";
  if (type.endsWith("_output")) return "tool";
  if (type.endsWith("_call")) return "tool-arguments";
  return type === "reasoning" ? "assistant" : undefined;
}

/**
 * Responses, requests and whole responses.
 * @see https://platform.openai.com/docs/api-reference/responses/create
 */
export const openaiResponses = object({
  model,
  instructions: text("system"),
  input: item,
  tools: object(
    {
      type: word,
      name,
      parameters: schema,
      vector_store_ids: id,
      search_context_size: word,
      server_label: name,
      allowed_tools: name,
      require_approval: word,
      container: object({ type: word, file_ids: fileId("file") }),
      format: object({ type: word, syntax: word }),
    },
    "tool-definition",
  ),
  tool_choice: object({ type: word, name, mode: word, tools: object({ type: word, name }) }),
  text: object({ format: object({ type: word, name, schema }), verbosity: word }),
  reasoning: object({ effort: word, summary: word, generate_summary: word }),
  include: word,
  truncation: word,
  service_tier: word,
  previous_response_id: id,
  conversation: object({ id }),
  prompt: object({ id, version: word, variables: data("input") }),
  prompt_cache_retention: word,
  metadata: data("other"),
  // A whole response.
  id,
  object: word,
  status: word,
  output: item,
  incomplete_details: object({ reason: word }),
});
