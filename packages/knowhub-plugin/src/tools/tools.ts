import { Type } from "@sinclair/typebox";
import { KNOWN_TYPES, qualityScore, sourceSchema } from "../record/schema.ts";
import { type Actor, type KnowledgeBackend, noticeOf, type SearchOutcome } from "../service/backend.ts";
import { faultOf } from "../store/database.ts";
import { readArguments, saveArguments, searchArguments, updateArguments } from "./arguments.ts";
import { formatNeighbours, formatSearch, itemDetails } from "./format.ts";
import { inLanguage, type Language, MESSAGES } from "./messages.ts";

export interface ToolOutput {
  content: { type: "text"; text: string }[];
  details: { ok: boolean } & Record<string, unknown>;
}

/** What a tool runs with; asked anew at every call, as settings and server may change. */
export interface ToolRuntime {
  language: Language;
  /** @throws when the knowledge base cannot be opened or the settings are wrong; the message is for the user. */
  backend: () => Promise<KnowledgeBackend>;
  /** Runs work on the knowledge base, mending what can be mended; see KnowHub.healing. */
  healing: <T>(work: () => Promise<T>) => Promise<T>;
  actor: Actor;
  log: (message: string) => void;
}

export interface KnowledgeTool {
  name: "kb_search" | "kb_save" | "kb_update";
  label: string;
  description: string;
  parameters: ReturnType<typeof Type.Object>;
  run(runtime: ToolRuntime, params: unknown, signal?: AbortSignal): Promise<ToolOutput>;
}

const DEFAULT_TOP_K = 5;
const DEFAULT_MIN_SCORE = 3;
const DEFAULT_SCORE = 3;
/** An ID instead of a query asks for that item in full. */
const ID = /^knowledge-\d{8}-[0-9a-z]+$/;

const kbSearch: KnowledgeTool = {
  name: "kb_search",
  label: "KnowHub search",
  description:
    "Search the knowledge base for past experience (搜索知识库). Use it before a complex task, when unsure which tool to use, or after repeated failures. Give an ID from an earlier result as the query to read that item in full.",
  parameters: Type.Object({
    query: Type.String({ description: "What to look for, in Chinese or English; or one knowledge ID" }),
    top_k: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 20, default: DEFAULT_TOP_K, description: "How many results" }),
    ),
    min_score: Type.Optional(
      Type.Number({ minimum: 1, maximum: 5, default: DEFAULT_MIN_SCORE, description: "Lowest score" }),
    ),
    types: Type.Optional(
      Type.Array(Type.String(), {
        description: `Only items of all these types, e.g. ${KNOWN_TYPES.join(", ")}`,
      }),
    ),
    owner: Type.Optional(
      Type.String({ description: "Only items of this owner, e.g. agent:main; several with commas" }),
    ),
  }),
  async run(runtime, params, signal) {
    const { language } = runtime;
    const read = readArguments(searchArguments, params, language);
    if (!read.ok) return failure(read.message);
    const { query, top_k, min_score, types, owner } = read.args;
    const backend = await runtime.backend();
    const known = ID.test(query) ? await backend.read(query, signal) : undefined;
    if (known) return found(known, language, true);
    const outcome = await backend.search(
      {
        query,
        topK: top_k ?? DEFAULT_TOP_K,
        minScore: min_score ?? DEFAULT_MIN_SCORE,
        types: types && types.length > 0 ? types : undefined,
        owners: owner
          ? owner
              .split(/[,，]/)
              .map((o) => o.trim())
              .filter(Boolean)
          : undefined,
      },
      signal,
    );
    return found(outcome, language, false);
  },
};

const kbSave: KnowledgeTool = {
  name: "kb_save",
  label: "KnowHub save",
  description:
    "Save new knowledge (保存知识): after using a resource, getting user feedback, or finding something out. Similar items are reported back with their relation. Never save secrets or personal data.",
  parameters: Type.Object({
    task: Type.String({ description: "The task or situation it is about (任务场景)" }),
    content: Type.String({ description: "The knowledge itself (核心知识内容)" }),
    types: Type.Array(Type.String(), {
      description:
        "user_profile (preferences), strategy (lessons from experience), tool (how to use, pros and cons), usecase (background, solution, effect), definition (concepts), plan (steps, decisions); others allowed",
    }),
    score: Type.Optional(
      Type.Number({ minimum: 1, maximum: 5, default: 3, description: "How valuable, 1-5" }),
    ),
    source_name: Type.Optional(Type.String({ description: "Name of the resource it is about" })),
    source_urls: Type.Optional(Type.Array(Type.String(), { description: "Links" })),
  }),
  async run(runtime, params, signal) {
    const { language } = runtime;
    const read = readArguments(saveArguments, params, language);
    if (!read.ok) return failure(read.message);
    const { task, content, types, score, source_name, source_urls } = read.args;
    const backend = await runtime.backend();
    const source = sourceSchema.parse({ name: source_name, urls: source_urls });
    const outcome = await backend.save(
      { task, content, types, score: score ?? DEFAULT_SCORE, source, tags: {} },
      runtime.actor,
      signal,
    );
    const text = [
      MESSAGES[language].saved[outcome.state](outcome.id),
      formatNeighbours(outcome.neighbours, language),
      ...outcome.notices.map((notice) => inLanguage(notice, language)),
    ];
    return success(text.filter(Boolean).join("\n"), {
      id: outcome.id,
      state: outcome.state,
      neighbours: outcome.neighbours.map(({ record, relation, similarity }) => ({
        id: record.id,
        relation,
        similarity,
      })),
    });
  },
};

const kbUpdate: KnowledgeTool = {
  name: "kb_update",
  label: "KnowHub feedback",
  description:
    "Say whether a piece of knowledge helped (反馈知识有效性), after having used it. One vote an item and session. The ID is in the kb_search result.",
  parameters: Type.Object({
    knowledge_id: Type.String({ description: "ID from a kb_search result" }),
    is_helpful: Type.Boolean({ description: "Whether it helped" }),
    feedback: Type.Optional(Type.String({ description: "What happened when it was used" })),
  }),
  async run(runtime, params, signal) {
    const { language } = runtime;
    const read = readArguments(updateArguments, params, language);
    if (!read.ok) return failure(read.message);
    const { knowledge_id, is_helpful, feedback } = read.args;
    const backend = await runtime.backend();
    const outcome = await backend.feedback(
      { id: knowledge_id, helpful: is_helpful, feedback },
      runtime.actor,
      signal,
    );
    const m = MESSAGES[language];
    const quality = outcome.record ? ` (${m.quality}: ${qualityScore(outcome.record).toFixed(1)})` : "";
    const text = [
      `${m.updated[outcome.state]}${quality}`,
      ...(outcome.quarantined ? [m.quarantined] : []),
      ...outcome.notices.map((notice) => inLanguage(notice, language)),
    ];
    return success(text.join("\n"), {
      id: knowledge_id,
      state: outcome.state,
      ...(outcome.record && {
        quality_score: qualityScore(outcome.record),
        helpful: outcome.record.eval.helpful,
        harmful: outcome.record.eval.harmful,
      }),
      quarantined: outcome.quarantined,
    });
  },
};

function found(outcome: SearchOutcome, language: Language, full: boolean): ToolOutput {
  return success(formatSearch(outcome, language, { full }), {
    count: outcome.items.length,
    results: outcome.items.map(itemDetails),
    ...(outcome.dropped.length > 0 && { dropped: outcome.dropped }),
  });
}

function success(text: string, details: Record<string, unknown>): ToolOutput {
  return { content: [{ type: "text", text }], details: { ok: true, ...details } };
}

function failure(message: string): ToolOutput {
  return { content: [{ type: "text", text: `❌ ${message}` }], details: { ok: false, error: message } };
}

const FAILED = { kb_search: "searchFailed", kb_save: "saveFailed", kb_update: "updateFailed" } as const;

/** The three tools. `execute` of each never throws: whatever goes wrong becomes a message in the result. */
export const TOOLS: readonly KnowledgeTool[] = [kbSearch, kbSave, kbUpdate];

/** Runs a tool so that a fault of the knowledge base is an answer, not an exception: it must never cost a turn. */
export async function runTool(
  tool: KnowledgeTool,
  runtime: ToolRuntime,
  params: unknown,
  signal?: AbortSignal,
): Promise<ToolOutput> {
  try {
    return await runtime.healing(() => tool.run(runtime, params, signal));
  } catch (error) {
    const { language } = runtime;
    const notice = noticeOf(error) ?? faultOf(error);
    const reason = notice
      ? inLanguage(notice, language)
      : error instanceof Error
        ? error.message
        : String(error);
    runtime.log(`${tool.name} failed: ${error instanceof Error ? error.message : String(error)}`);
    return failure(`${MESSAGES[language][FAILED[tool.name]]}: ${reason}`);
  }
}
