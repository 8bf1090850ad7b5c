import {
  data,
  fileId,
  id,
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

const cacheControl = object({ type: word, ttl: word });

const block = object(
  {
    type: word,
    id,
    tool_use_id: id,
    name,
    server_name: name,
    input: data("tool-arguments"),
    caller: object({ type: word, tool_id: id }),
    thinking: text("assistant"),
    signature: opaque,
    data: opaque,
    encrypted_content: opaque,
    encrypted_index: opaque,
    encrypted_stdout: opaque,
    file_id: fileId("file"),
    cache_control: cacheControl,
  },
  roleOfBlock,
);

const source = object({
  type: word,
  media_type: word,
  data: media("file"),
  url: media("file"),
  file_id: fileId("file"),
});
// Blocks hold blocks: tool results, search results and documents made of blocks.
source.fields.content = block;
block.fields.source = source;
block.fields.content = block;
block.fields.citations = object({ type: word, file_id: id, encrypted_index: opaque });

function roleOfBlock(value: Readonly<Record<string, unknown>>): LeafRole | undefined {
  const type = typeof value.type === "string" ? value.type : "";
  return type.endsWith("tool_result") ? "tool" : undefined;
}

/**
 * Messages, requests and whole responses.
 * @see https://docs.anthropic.com/en/api/messages
 */
export const anthropicMessages = object({
  model,
  system: object({ type: word, text: text("system"), cache_control: cacheControl }, "system"),
  messages: object({ role: word, content: block }, roleOfMessage),
  tools: object(
    { type: word, name, input_schema: schema, cache_control: cacheControl, allowed_callers: word },
    "tool-definition",
  ),
  tool_choice: object({ type: word, name }),
  thinking: object({ type: word, display: word }),
  output_config: object({ effort: word, format: object({ type: word, schema }) }),
  output_format: object({ type: word, schema }),
  service_tier: word,
  container: object({ id, skills: object({ type: word, skill_id: id, version: word }) }),
  betas: word,
  context_management: object({ edits: object({ type: word }) }),
  // A whole response.
  id,
  type: word,
  role: word,
  content: block,
  stop_reason: word,
});
