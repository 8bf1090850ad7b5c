import type { Console } from "../cli/console.ts";
import type { LoadedConfig } from "../config/load.ts";
import { writeJson } from "../files/atomic.ts";
import { skillFile } from "../files/skill.ts";
import { loadQuestions, type Question } from "../questions/schema.ts";
import { loadResults } from "../results/load.ts";
import type { RunPaths } from "../results/paths.ts";
import type { ResultItem, ResultsFile } from "../results/schema.ts";
import { seededRandom } from "../stats/random.ts";
import { reviewIds } from "./ids.ts";
import { dropStaleVerdicts, readPending } from "./stale.ts";
import { VERDICT_FIELDS } from "./verdict.ts";

const MAX_EVIDENCE_CHARS = 1_200;

/** What the reviewer gets to see of one question. */
function pendingItem(
  item: ResultItem,
  id: string,
  audit: boolean,
  question: Question | undefined,
): Record<string, unknown> & { q_id: string } {
  return {
    q_id: id,
    audit_pass: audit,
    question: item.question,
    reference_answer: item.reference_answer,
    keywords: item.keywords,
    keyword_hits: item.keyword_hits.map((hit) => ({
      keyword: hit.keyword,
      layer: hit.layer,
      ...(hit.because ? { because: hit.because } : {}),
    })),
    keyword_missed: item.keyword_missed.map((miss) => ({ keyword: miss.keyword, reason: miss.reason })),
    keyword_rate: item.keyword_rate,
    expected_docs: item.expected_docs,
    doc_hit: item.doc_hit,
    source_excerpt: question?.source_excerpt ?? null,
    retrieved_chunks: item.chunks
      .slice(0, 8)
      .map((chunk) => ({ title: chunk.title, content: chunk.content.slice(0, MAX_EVIDENCE_CHARS) })),
    agent_answer: item.answer,
    auto_grade: item.auto_grade,
    auto_attribution: item.auto_attribution,
    attribution_alternatives: item.attribution_alternatives,
    attribution_reason: item.attribution_reason,
    scoring_method_limited: item.scoring_method_limited,
  };
}

/** All PARTIAL and FAIL, plus the audit sample of PASS: at least one, drawn with a fixed seed. */
export function selectForReview(
  results: ResultsFile,
  audit: LoadedConfig["config"]["ai_review"]["audit_pass"],
): { item: ResultItem; audit: boolean }[] {
  const sample = new Set<ResultItem>();
  if (audit.enabled) {
    const passes = results.items.filter((item) => item.auto_grade === "PASS");
    const wanted = Math.min(passes.length, Math.max(1, Math.round(passes.length * audit.ratio)));
    const random = seededRandom(audit.seed);
    const pool = [...passes];
    while (sample.size < wanted) {
      const [picked] = pool.splice(Math.floor(random() * pool.length), 1);
      if (!picked) break;
      sample.add(picked);
    }
  }
  return results.items
    .filter((item) => item.auto_grade === "PARTIAL" || item.auto_grade === "FAIL" || sample.has(item))
    .map((item) => ({ item, audit: sample.has(item) }));
}

/**
 * Stage ai_review: writes what is to be judged and stops. Judging is the agent's work, never a script's.
 *
 * @returns how many questions still need a verdict
 */
export async function runPendingReview(
  loaded: LoadedConfig,
  paths: RunPaths,
  console: Console,
): Promise<number> {
  const results = await loadResults(paths.results);
  const questions = new Map((await loadQuestions(paths.questions).catch(() => [])).map((q) => [q.q_id, q]));
  const ids = reviewIds(results.items);
  const selected = selectForReview(results, loaded.config.ai_review.audit_pass);
  const items = selected.map(({ item, audit }) =>
    pendingItem(item, ids.get(item) ?? item.q_id, audit, questions.get(item.q_id)),
  );
  const { judged, stale } = await dropStaleVerdicts(
    paths,
    await readPending(paths.pendingReview),
    new Map(items.map((item) => [item.q_id, item])),
  );
  const toJudge = items.map((item) => item.q_id).filter((id) => !judged.has(id));
  if (stale.length > 0)
    console.note(
      `ai_review: ${stale.length} verdict(s) were about other answers and are taken out of ${paths.reviewResults} (all are kept in .bak): ${stale.slice(0, 20).join(", ")}`,
    );
  await writeJson(paths.pendingReview, {
    schema_version: 1,
    generated_at: results.generated_at,
    count: selected.length,
    prompt: skillFile("prompts", "ai_review_prompt.md"),
    verdict_fields: VERDICT_FIELDS,
    write_to: paths.reviewResults,
    to_judge: toJudge,
    items,
  });
  const audited = selected.filter((s) => s.audit).length;
  console.out(
    `ai_review: ${selected.length} question(s) to judge (${audited} PASS for audit) -> ${paths.pendingReview}`,
  );
  if (judged.size > 0)
    console.out(
      `ai_review: ${judged.size} of them have a verdict that still fits; ${toJudge.length} to judge (to_judge)`,
    );
  if (toJudge.length > 0) {
    console.out(
      `ai_review: STOP. Ask the user first: 「即将对 ${toJudge.length} 道题做 AI 复审，是否继续？(Y/n/skip)」`,
    );
    console.out(
      `ai_review: then judge each item on its own with prompts/ai_review_prompt.md and write the verdicts to ${paths.reviewResults}; no script may judge.`,
    );
    console.out("ai_review: afterwards run --stage merge_review,render,export");
  }
  return toJudge.length;
}
