import { z } from "zod";
import { tooDeep } from "./depth.ts";

/** The knowledge types the design names; other strings are accepted, so that a server may add some. */
export const KNOWN_TYPES = ["user_profile", "strategy", "tool", "usecase", "definition", "plan"] as const;

/** Longest task, in UTF-16 code units: it is a headline. */
export const MAX_TASK = 2_000;
/** Longest content, in UTF-16 code units: an experience, not a document. */
export const MAX_CONTENT = 100_000;
/** Largest body of a request to or from a knowledge server, in bytes. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;

const text = (max: number) => z.string().max(max);
const count = z.number().int().min(0);

/** Latest time an ECMAScript Date can hold, ms. @see ECMA-262, 21.4.1.1 */
const LATEST = 8.64e15;

/** ISO 8601 text; servers that send epoch seconds or milliseconds are understood too. A number that is no time counts as none. */
const timestamp = z.union([text(100), z.number()]).transform((value) => {
  if (typeof value !== "number") return value;
  const ms = Math.abs(value) < 1e11 ? value * 1000 : value;
  return Math.abs(ms) <= LATEST ? new Date(ms).toISOString() : "";
});

/**
 * What an ID may be: it stands in paths, log lines, lists and prompts, so there is no space, control or invisible character in it, no
 * bracket, quote or slash, and it is not a step in a path.
 */
export const ID_PATTERN = /^(?!\.{1,2}$)[\p{L}\p{M}\p{N}._:@+~=-]{1,200}$/u;

const tags = z
  .union([z.record(z.string(), z.unknown()), z.array(z.unknown()).transform(() => ({}))])
  .nullish();

/** One use of an item that went well or badly. */
export const caseSchema = z
  .object({
    task: text(MAX_TASK).default(""),
    outcome: text(MAX_TASK).default(""),
    reason: text(MAX_TASK).optional(),
    timestamp: timestamp.optional(),
    /** Who says so: `human`, `agent` or `outcome` (a measured result); ours, other servers ignore it. */
    by: z.enum(["human", "agent", "outcome"]).optional(),
    agent_id: text(200).optional(),
    session_key: text(500).optional(),
  })
  .loose();
export type FeedbackCase = z.infer<typeof caseSchema>;

export const sourceSchema = z
  .object({
    name: text(500)
      .nullish()
      .transform((v) => v ?? ""),
    category: text(100)
      .nullish()
      .transform((v) => v || "exp"),
    urls: z
      .array(text(4_000))
      .max(100)
      .nullish()
      .transform((v) => v ?? []),
    agent_id: text(200)
      .nullish()
      .transform((v) => v ?? ""),
    submitted_by: text(500)
      .nullish()
      .transform((v) => v ?? ""),
    timestamp: timestamp.nullish().transform((v) => v ?? ""),
    message_id: text(500)
      .nullish()
      .transform((v) => v ?? ""),
  })
  .loose();

export const evalSchema = z
  .object({
    score: z
      .number()
      .min(0)
      .max(10)
      .nullish()
      .transform((v) => v ?? 3),
    helpful: count.nullish().transform((v) => v ?? 0),
    harmful: count.nullish().transform((v) => v ?? 0),
    confidence: z
      .number()
      .min(0)
      .max(1)
      .nullish()
      .transform((v) => v ?? 0.5),
    helpful_history: z
      .array(caseSchema)
      .nullish()
      .transform((v) => v ?? []),
    harmful_history: z
      .array(caseSchema)
      .nullish()
      .transform((v) => v ?? []),
  })
  .loose();

/**
 * A knowledge item as it goes over the wire: the one description that tools, store, server and client share.
 *
 * `quality_score` is computed on output (`score + helpful - harmful`) and optional on input.
 */
export const recordSchema = z
  .object({
    id: text(200).regex(ID_PATTERN, "is not an ID"),
    message_id: text(500)
      .nullish()
      .transform((v) => v ?? ""),
    types: z
      .array(text(100))
      .max(50)
      .nullish()
      .transform((v) => v ?? []),
    task: text(MAX_TASK),
    tags: tags.transform((v) => v ?? {}),
    scopes: z
      .array(text(200))
      .max(50)
      .nullish()
      .transform((v) => v ?? []),
    owner: text(300)
      .nullish()
      .transform((v) => v ?? ""),
    content: text(MAX_CONTENT),
    resource_ids: z
      .array(text(500))
      .max(1_000)
      .nullish()
      .transform((v) => v ?? []),
    source: sourceSchema.nullish().transform((v) => v ?? sourceSchema.parse({})),
    eval: evalSchema.nullish().transform((v) => v ?? evalSchema.parse({})),
    status: text(50)
      .nullish()
      .transform((v) => v || "pending"),
    created_at: timestamp.nullish().transform((v) => v ?? ""),
    updated_at: timestamp.nullish().transform((v) => v ?? ""),
    quality_score: z
      .number()
      .nullish()
      .transform((v) => v ?? undefined),
  })
  .loose();
export type KnowledgeRecord = z.infer<typeof recordSchema>;

/** What somebody hands in for saving; everything but task, content and types has a default. */
export const saveInputSchema = z.object({
  task: text(MAX_TASK).refine((v) => v.trim().length > 0, "must not be empty"),
  content: text(MAX_CONTENT).refine((v) => v.trim().length > 0, "must not be empty"),
  types: z.array(text(100).min(1)).min(1).max(50),
  score: z.number().min(1).max(5).optional(),
  eval: z
    .object({ score: z.number().min(0).max(10).optional() })
    .loose()
    .optional(),
  message_id: text(500).optional(),
  tags: tags.transform((v) => v ?? {}),
  scopes: z.array(text(200)).max(50).optional(),
  owner: text(300).optional(),
  resource_ids: z.array(text(500)).max(1_000).optional(),
  source: sourceSchema.optional(),
});
export type SaveInput = z.infer<typeof saveInputSchema>;

export const searchReplySchema = z
  .object({ results: z.array(z.unknown()), count: z.number().optional(), reranked: z.boolean().optional() })
  .loose();

export const updateSchema = z
  .object({
    add_helpful_case: caseSchema.optional(),
    add_harmful_case: caseSchema.optional(),
    update_score: z.number().min(1).max(5).optional(),
    evolve_feedback: text(20_000).min(1).optional(),
  })
  .strict();
export type KnowledgeUpdate = z.infer<typeof updateSchema>;

/** `score + helpful - harmful`, the public server's quality score. */
export function qualityScore(record: Pick<KnowledgeRecord, "eval">): number {
  return record.eval.score + record.eval.helpful - record.eval.harmful;
}

/**
 * Parses what a server sent; items that do not fit the schema are left out and counted rather than failing the
 * whole reply, so one bad item never hides the good ones.
 */
export function parseRecords(items: readonly unknown[]): { records: KnowledgeRecord[]; rejected: number } {
  const records: KnowledgeRecord[] = [];
  for (const item of items) {
    if (tooDeep(item)) continue;
    const parsed = recordSchema.safeParse(item);
    if (parsed.success) records.push(parsed.data);
  }
  return { records, rejected: items.length - records.length };
}
