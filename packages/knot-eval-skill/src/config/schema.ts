import * as z from "zod";

/**
 * The shape of `eval_config.yaml` after loading. Every value that names a project, a host, an id or a
 * secret comes from the user's file: the code holds no such default. Numbers without a project meaning
 * (timeouts, thresholds) have defaults here and nowhere else.
 */

const positiveMs = z.number().int().positive();
const rate = z.number().min(0).max(1);

const httpUrl = z.string().refine(
  (value) => {
    const url = URL.canParse(value) ? new URL(value) : undefined;
    return (
      url !== undefined &&
      (url.protocol === "http:" || url.protocol === "https:") &&
      !url.username &&
      !url.password
    );
  },
  { error: "must be an http:// or https:// address without user name or password in it" },
);

/** An address that paths are added to. */
const baseUrl = httpUrl.refine(
  (value) => !URL.canParse(value) || (new URL(value).search === "" && new URL(value).hash === ""),
  { error: "must not have a query (?...) or fragment (#...): a path is added to it" },
);

const envName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, {
  error: "must be the NAME of an environment variable (letters, digits, _), not the token itself",
});

const identifier = z.string().trim().min(1);

const timeouts = z.object({
  /** Whole answer, from sending the request to the terminal event. */
  total_ms: positiveMs.default(180_000),
  /** From sending the request to the first event. */
  first_token_ms: positiveMs.default(60_000),
  /** Between two pieces of the stream. */
  idle_ms: positiveMs.default(45_000),
});

const retries = z.object({
  /** Further attempts after the first one. */
  max: z.number().int().min(0).max(10).default(3),
  base_delay_ms: z.number().int().min(0).default(500),
  max_delay_ms: positiveMs.default(20_000),
});

export const kbMcpSchema = z.object({
  url: httpUrl,
  api_token_env: envName,
  knowledge_uuid: identifier,
  search_domain: z.string().optional(),
  tool: z.string().min(1).default("knowledgebase_search"),
  /** Chunks asked for in one search, when the tool's schema takes such a number. */
  top_k: z.number().int().min(1).max(200).default(20),
  timeout_ms: positiveMs.default(60_000),
});

export const llmSchema = z.object({
  /** `openai`: any OpenAI-compatible chat/completions. `ollama`: Ollama's own /api/chat. */
  backend: z.enum(["openai", "ollama"]).default("openai"),
  base_url: baseUrl,
  api_key_env: envName.optional(),
  model: identifier,
  temperature: z.number().min(0).max(2).default(0.2),
  timeout_ms: positiveMs.default(120_000),
  max_tokens: z.number().int().positive().optional(),
});

export const agentSchema = z.object({
  knot_url: baseUrl,
  agent_id: identifier,
  username: identifier,
  api_token: z.string().min(1).optional(),
  api_token_env: envName.optional(),
  model: identifier.refine((value) => value === value.toLowerCase(), { error: "must be lower-case" }),
  temperature: z.number().min(0).max(2),
  agent_name: identifier,
  enable_web_search: z.boolean().default(false),
  chat_extra: z.record(z.string(), z.unknown()).default({}),
  /** Which assistant messages of a run are the answer: the last one, or all of them joined. */
  answer_messages: z.enum(["last", "all"]).default("last"),
  timeouts: timeouts.prefault({}),
  retries: retries.prefault({}),
  kb_mcp: kbMcpSchema,
  llm: llmSchema,
});

const qaGen = z.object({
  doc_names: z.array(z.string().trim().min(1)).default([]),
  doc_list_file: z.string().optional(),
  auto_discover_docs: z.boolean().default(false),
  /** First queries of the discovery rounds; the names found feed the next round. */
  discover_queries: z.array(z.string().min(1)).default([]),
  discover_rounds: z.number().int().min(1).max(10).default(3),
  discover_max_searches: z.number().int().min(1).max(500).default(40),
  min_questions_per_doc: z.number().int().min(1).max(10).default(2),
  max_questions_per_doc: z.number().int().min(1).max(10).default(3),
  /** Documents with less text than this (after links are taken out) get no question. */
  min_content_chars: z.number().int().min(1).default(40),
  /** The document text handed to the model is cut after this many characters, at a chunk border. */
  max_content_chars: z.number().int().min(500).default(12_000),
  max_attempts: z.number().int().min(1).max(5).default(3),
  concurrency: z.number().int().min(1).max(16).default(2),
});

const evalSettings = z.object({
  concurrency: z.number().int().min(1).max(64).default(3),
  /** Asks each question this many times (pass^k, flaky list). */
  repeat: z.number().int().min(1).max(50).default(1),
  /** Changes the resume key: set a new value when the agent's own prompt changed. */
  prompt_version: z.string().default("1"),
  /** Keeps the raw SSE bytes of each run so that it can be replayed without a network. */
  record_streams: z.boolean().default(false),
});

const grading = z.object({
  pass_keyword_rate: rate.default(0.8),
  partial_keyword_rate: rate.default(0.4),
  /** A keyword-perfect answer that cites none of the expected documents is PARTIAL when true. */
  require_doc_hit_for_pass: z.boolean().default(false),
  /** A3: document hit, keyword rate under this, and a substantive answer. */
  a3_keyword_rate: rate.default(0.15),
  substantive_min_chars: z.number().int().min(1).default(40),
  /** Layer 4 (fragments): share of a keyword's fragments that the answer must hold, close together. */
  fragment_min_share: rate.default(1),
  fragment_window_chars: z.number().int().min(8).default(48),
  /** Standard keyword -> phrases that mean the same (layer 5). */
  synonym_phrases: z.record(z.string(), z.array(z.string().min(1))).default({}),
  /** A project's own equivalence map, added to references/equivalent_map.json. */
  equivalent_map_file: z.string().optional(),
  stop_words: z.array(z.string().min(1)).default([]),
});

const aiReview = z.object({
  audit_pass: z
    .object({
      enabled: z.boolean().default(false),
      ratio: rate.default(0.1),
      seed: z.number().int().default(20260101),
    })
    .prefault({}),
});

const price = z.object({
  currency: z.string().default("CNY"),
  input_per_million: z.number().min(0),
  output_per_million: z.number().min(0),
});

const report = z.object({
  question_source: identifier,
  title: z.string().optional(),
  /** A Jinja2 template of your own; default is the skill's templates/report_template.j2. */
  template: z.string().optional(),
  price: price.optional(),
  locale: z.enum(["zh", "en"]).default("zh"),
});

const gate = z.object({
  min_pass_rate: rate.optional(),
  min_coverage: rate.optional(),
  max_flaky_rate: rate.optional(),
});

const output = z.object({
  dir: z.string().default("."),
  questions: z.string().default("eval_questions.json"),
});

export const configSchema = z.object({
  agent: agentSchema,
  qa_gen: qaGen.prefault({}),
  eval: evalSettings.prefault({}),
  grading: grading.prefault({}),
  ai_review: aiReview.prefault({}),
  report,
  gate: gate.prefault({}),
  output: output.prefault({}),
});

export type EvalConfig = z.infer<typeof configSchema>;
export type KbMcpConfig = z.infer<typeof kbMcpSchema>;
export type LlmConfig = z.infer<typeof llmSchema>;
export type AgentConfig = z.infer<typeof agentSchema>;
export type GradingConfig = z.infer<typeof grading>;
export type QaGenConfig = z.infer<typeof qaGen>;
