import path from "node:path";
import type { LoadedConfig } from "../config/load.ts";
import type { EvalConfig } from "../config/schema.ts";
import type { Task } from "../eval/key.ts";
import { skillFile } from "../files/skill.ts";
import { loadEquivalents } from "../scoring/equivalents.ts";
import { KeywordMatcher } from "../scoring/matcher.ts";
import { scoreAnswer } from "../scoring/score.ts";
import type { AnswerRecord, ResultItem, ResultsFile } from "./schema.ts";

/** A matcher with the skill's equivalence map, the project's own, and the configured synonym phrases. */
export async function makeMatcher(loaded: LoadedConfig): Promise<KeywordMatcher> {
  const { grading } = loaded.config;
  const files = [skillFile("references", "equivalent_map.json")];
  if (grading.equivalent_map_file) files.push(path.resolve(loaded.baseDir, grading.equivalent_map_file));
  return new KeywordMatcher({
    equivalents: await loadEquivalents(files),
    synonymPhrases: grading.synonym_phrases,
    stopWords: grading.stop_words,
    fragmentMinShare: grading.fragment_min_share,
    fragmentWindowChars: grading.fragment_window_chars,
  });
}

function costOf(record: AnswerRecord, config: EvalConfig): number | null {
  const { price } = config.report;
  if (!price || !record.usage) return null;
  return (
    (record.usage.input * price.input_per_million + record.usage.output * price.output_per_million) /
    1_000_000
  );
}

/** Scores one answer; an answer that is an infrastructure error gets no grade. */
export function buildItem(
  task: Task,
  record: AnswerRecord | undefined,
  matcher: KeywordMatcher,
  config: EvalConfig,
): ResultItem {
  const { question } = task;
  const base = {
    q_id: question.q_id,
    repeat: task.repeat,
    key: task.key,
    question: question.question,
    category: question.category ?? null,
    difficulty: question.difficulty ?? null,
    keywords: question.keywords,
    expected_docs: question.expected_docs,
    reference_answer: question.reference_answer ?? null,
    answer: record?.answer ?? "",
    truncated: record?.truncated ?? false,
    latency_ms: record?.latency_ms ?? 0,
    first_token_ms: record?.first_token_ms ?? null,
    attempts: record?.attempts ?? 0,
    usage: record?.usage ?? null,
    cost: record ? costOf(record, config) : null,
    tools: record?.tools ?? [],
    chunks: record?.chunks ?? [],
    ai_review: null,
  };
  if (record?.status !== "ok") {
    return {
      ...base,
      error: record?.error ?? "not asked yet",
      keyword_rate: 0,
      keyword_hits: [],
      keyword_missed: [],
      doc_hit: null,
      doc_hits: [],
      scoring_method_limited: false,
      auto_grade: "ERROR",
      auto_attribution: null,
      attribution_alternatives: [],
      attribution_reason: "",
      final_grade: "ERROR",
      final_attribution: null,
    };
  }
  const chunks = record.chunks.map((chunk) => ({
    ...chunk,
    docId: chunk.docId,
    index: chunk.index,
    url: chunk.url,
  }));
  const { grade, attribution, attribution_alternatives, attribution_reason, ...scores } = scoreAnswer(
    question,
    record.answer,
    chunks,
    matcher,
    config.grading,
  );
  return {
    ...base,
    ...scores,
    error: null,
    auto_grade: grade,
    auto_attribution: attribution,
    attribution_alternatives,
    attribution_reason,
    final_grade: grade,
    final_attribution: attribution,
  };
}

/** The result file for all tasks, in the order of the questions. */
export function buildResults(
  tasks: readonly Task[],
  recordOf: (key: string) => AnswerRecord | undefined,
  matcher: KeywordMatcher,
  config: EvalConfig,
): ResultsFile {
  const records = tasks.map((task) => recordOf(task.key));
  // The time of the last answer, not of this moment: the same answers give the same file.
  const last = records.reduce(
    (latest, record) => (record && record.finished_at > latest ? record.finished_at : latest),
    "",
  );
  return {
    schema_version: 1,
    generated_at: last === "" ? new Date().toISOString() : last,
    agent: {
      name: config.agent.agent_name,
      agent_id: config.agent.agent_id,
      model: config.agent.model,
      temperature: config.agent.temperature,
    },
    question_source: config.report.question_source,
    repeat: config.eval.repeat,
    currency: config.report.price?.currency ?? null,
    items: tasks.map((task, i) => buildItem(task, records[i], matcher, config)),
  };
}
