import * as z from "zod";
import { verdictSchema } from "../review/verdict.ts";
import { ATTRIBUTIONS } from "../scoring/attribution.ts";
import { LAYERS } from "../scoring/matcher.ts";

/** What the files of a run hold (references/result_schema.md). */

export const gradeSchema = z.enum(["PASS", "PARTIAL", "FAIL"]);
/** ERROR is apart from the grades: the infrastructure failed, nothing is known about quality. */
export const outcomeSchema = z.enum(["PASS", "PARTIAL", "FAIL", "ERROR"]);
export const attributionSchema = z.enum(ATTRIBUTIONS);

const span = z.object({ start: z.number().int(), end: z.number().int() });

const usageSchema = z.object({ input: z.number(), output: z.number(), total: z.number() });

const chunkSchema = z.object({
  title: z.string(),
  content: z.string(),
  docId: z.string().optional(),
  index: z.number().optional(),
  url: z.string().optional(),
});

/** What the agent did for one question: one line of the journal, never changed later. */
export const answerRecordSchema = z.object({
  /** Hash of question, agent configuration and prompt version, plus the occurrence and repetition. */
  key: z.string(),
  q_id: z.string(),
  repeat: z.number().int(),
  status: z.enum(["ok", "error"]),
  answer: z.string(),
  thinking_chars: z.number(),
  error: z.string().nullable(),
  truncated: z.boolean(),
  latency_ms: z.number(),
  first_token_ms: z.number().nullable(),
  attempts: z.number(),
  http_status: z.number().nullable(),
  usage: usageSchema.nullable(),
  tools: z.array(z.object({ name: z.string(), args: z.string() })),
  chunks: z.array(chunkSchema),
  finished_at: z.string(),
});

export type AnswerRecord = z.infer<typeof answerRecordSchema>;

const hitSchema = z.object({
  keyword: z.string(),
  layer: z.enum(LAYERS as ["exact", "punctuation", "stop_words", "fragments", "synonym"]),
  spans: z.array(span),
  because: z.string().optional(),
});

const missSchema = z.object({
  keyword: z.string(),
  reason: z.enum(["absent", "negated"]),
  spans: z.array(span),
});

/** One question with its answer, score and, after the review, its verdict. */
export const resultItemSchema = z.object({
  q_id: z.string(),
  repeat: z.number().int().default(0),
  key: z.string(),
  question: z.string(),
  category: z.string().nullable().default(null),
  difficulty: z.string().nullable().default(null),
  keywords: z.array(z.string()),
  expected_docs: z.array(z.string()),
  reference_answer: z.string().nullable().default(null),
  answer: z.string(),
  error: z.string().nullable(),
  truncated: z.boolean().default(false),
  latency_ms: z.number(),
  first_token_ms: z.number().nullable(),
  attempts: z.number().default(1),
  usage: usageSchema.nullable().default(null),
  cost: z.number().nullable().default(null),
  tools: z.array(z.object({ name: z.string(), args: z.string() })).default([]),
  chunks: z.array(chunkSchema).default([]),
  keyword_rate: z.number(),
  keyword_hits: z.array(hitSchema),
  keyword_missed: z.array(missSchema),
  doc_hit: z.boolean().nullable(),
  doc_hits: z.array(
    z.object({ doc: z.string(), way: z.enum(["retrieved", "cited", "similar_title"]), evidence: z.string() }),
  ),
  scoring_method_limited: z.boolean(),
  auto_grade: outcomeSchema,
  auto_attribution: attributionSchema.nullable(),
  /** Set by merge_review: the automatic cause before the review. */
  original_auto_attribution: attributionSchema.nullable().optional(),
  attribution_alternatives: z.array(attributionSchema).default([]),
  attribution_reason: z.string().default(""),
  ai_review: verdictSchema.nullable().default(null),
  final_grade: outcomeSchema,
  final_attribution: attributionSchema.nullable(),
});

export type ResultItem = z.infer<typeof resultItemSchema>;

export const resultsFileSchema = z.object({
  schema_version: z.literal(1),
  generated_at: z.string(),
  agent: z.object({ name: z.string(), agent_id: z.string(), model: z.string(), temperature: z.number() }),
  question_source: z.string(),
  repeat: z.number().int().default(1),
  currency: z.string().nullable().default(null),
  items: z.array(resultItemSchema),
});

export type ResultsFile = z.infer<typeof resultsFileSchema>;
