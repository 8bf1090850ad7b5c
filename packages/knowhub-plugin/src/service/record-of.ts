import {
  evalSchema,
  type KnowledgeRecord,
  recordSchema,
  type SaveInput,
  sourceSchema,
} from "../record/schema.ts";
import type { Actor } from "./backend.ts";

/** Scope of items whose giver named none. */
const DEFAULT_SCOPE = "org:openclaw";

/** The full record of what was handed in for saving. */
export function recordOf(
  input: SaveInput,
  id: string,
  actor: Actor,
  submittedBy: string,
  now: Date,
): KnowledgeRecord {
  const at = now.toISOString();
  const source = input.source ?? sourceSchema.parse({});
  return recordSchema.parse({
    id,
    message_id: input.message_id ?? actor.messageId ?? "",
    types: input.types,
    task: input.task,
    tags: input.tags,
    scopes: input.scopes ?? [DEFAULT_SCOPE],
    owner: input.owner ?? `agent:${actor.agentId}`,
    content: input.content,
    resource_ids: input.resource_ids ?? [],
    source: {
      ...source,
      agent_id: source.agent_id || actor.agentId,
      submitted_by: source.submitted_by || submittedBy,
      timestamp: source.timestamp || at,
      message_id: source.message_id || (actor.messageId ?? ""),
    },
    eval: { ...evalSchema.parse({}), score: input.score ?? input.eval?.score ?? 3 },
    status: "pending",
    created_at: at,
    updated_at: at,
  });
}
