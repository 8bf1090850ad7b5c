import * as z from "zod";
import type { Console } from "../cli/console.ts";
import { configError } from "../exit-codes.ts";
import { readJson, writeJson } from "../files/atomic.ts";
import { loadResults } from "../results/load.ts";
import type { RunPaths } from "../results/paths.ts";
import type { ResultItem, ResultsFile } from "../results/schema.ts";
import { reviewIds } from "./ids.ts";
import { readPending, type ShownItem } from "./stale.ts";
import { reviewList, type Verdict, verdictSchema } from "./verdict.ts";

function idOf(raw: unknown, index: number): string {
  const parsed = z.object({ q_id: z.string() }).safeParse(raw);
  return parsed.success ? parsed.data.q_id : `(verdict ${index + 1})`;
}

/** Undoes an earlier merge, so that merging twice gives the same as once. */
function unmerged(item: ResultItem): ResultItem {
  const attribution =
    item.original_auto_attribution === undefined ? item.auto_attribution : item.original_auto_attribution;
  const { original_auto_attribution: _dropped, ...rest } = item;
  return {
    ...rest,
    auto_attribution: attribution,
    ai_review: null,
    final_grade: item.auto_grade,
    final_attribution: attribution,
  };
}

/**
 * One verdict into one result. A flip to PASS of an answer attributed C4 was a limit of the scoring, so it
 * becomes A3. The three attribution fields are kept in step; the first automatic one stays in
 * `original_auto_attribution`.
 */
export function applyVerdict(item: ResultItem, verdict: Verdict): ResultItem {
  const wasC4 =
    item.auto_attribution === "C4" && item.auto_grade !== "PASS" && verdict.final_grade === "PASS";
  const attribution = wasC4 ? "A3" : verdict.recommended_attribution;
  return {
    ...item,
    original_auto_attribution: item.auto_attribution,
    auto_attribution: attribution,
    ai_review: { ...verdict, recommended_attribution: attribution },
    final_grade: verdict.final_grade,
    final_attribution: attribution,
  };
}

/** What a review file asks for that cannot be done, each with its q_id. */
function collectFaults(
  raw: readonly unknown[],
  byId: ReadonlyMap<string, ResultItem>,
  shown: ReadonlyMap<string, ShownItem> | undefined,
): { verdicts: Map<string, Verdict>; faults: string[] } {
  const verdicts = new Map<string, Verdict>();
  const faults: string[] = [];
  for (const [index, entry] of raw.entries()) {
    const id = idOf(entry, index);
    const parsed = verdictSchema.safeParse(entry);
    if (!parsed.success) {
      faults.push(
        `${id}: ${parsed.error.issues.map((issue) => `${issue.path.join(".") || "verdict"} ${issue.message}`).join("; ")}`,
      );
      continue;
    }
    const verdict = parsed.data;
    const item = byId.get(verdict.q_id);
    if (!item) faults.push(`${id}: unknown q_id, no such question in eval_results.json`);
    else if (verdicts.has(verdict.q_id)) faults.push(`${id}: judged twice`);
    else if (item.auto_grade === "ERROR")
      faults.push(`${id}: is an ERROR (infrastructure), there is no answer to judge`);
    else if (shown?.has(verdict.q_id) && shown.get(verdict.q_id)?.agent_answer !== item.answer)
      faults.push(
        `${id}: was asked again after the review, the verdict is about another answer (run ai_review)`,
      );
    else if (verdict.flipped_from_auto !== (verdict.final_grade !== item.auto_grade)) {
      faults.push(
        `${id}: flipped_from_auto is ${verdict.flipped_from_auto}, but auto_grade is ${item.auto_grade} and final_grade ${verdict.final_grade}`,
      );
    } else verdicts.set(verdict.q_id, verdict);
  }
  return { verdicts, faults };
}

/**
 * Merges review verdicts into results. Nothing is merged when any verdict is broken or unknown.
 *
 * @param shown what the reviewer saw (pending_ai_review.json): a verdict about another answer is refused
 * @throws StageError (exit 2) that lists every verdict to ask again
 */
export function mergeReview(
  results: ResultsFile,
  raw: unknown,
  shown?: ReadonlyMap<string, ShownItem>,
): { results: ResultsFile; merged: number; flipped: number } {
  const list = reviewList.safeParse(raw);
  if (!list.success)
    throw configError("ai_review_results.json must be a list of verdicts (prompts/ai_review_prompt.md)");
  const items = results.items.map(unmerged);
  const ids = reviewIds(items);
  const byId = new Map([...ids].map(([item, id]) => [id, item]));
  const { verdicts, faults } = collectFaults(list.data, byId, shown);
  if (faults.length > 0) {
    throw configError(
      `merge_review: ${faults.length} verdict(s) cannot be used; judge these questions again (do not repair them by hand or script). Nothing was merged.\n${faults.map((f) => `  - ${f}`).join("\n")}`,
    );
  }
  let flipped = 0;
  const merged = items.map((item) => {
    const verdict = verdicts.get(ids.get(item) ?? "");
    if (!verdict) return item;
    if (verdict.flipped_from_auto) flipped += 1;
    return applyVerdict(item, verdict);
  });
  return { results: { ...results, items: merged }, merged: verdicts.size, flipped };
}

/** Stage merge_review: ai_review_results.json -> eval_results.json. */
export async function runMergeReview(paths: RunPaths, console: Console): Promise<void> {
  const results = await loadResults(paths.results);
  const raw = await readJson(
    paths.reviewResults,
    "Run --stage ai_review and judge the questions first, or leave merge_review out (skip).",
  );
  const merged = mergeReview(results, raw, await readPending(paths.pendingReview));
  await writeJson(paths.results, merged.results);
  const waiting = merged.results.items.filter(
    (item) => (item.auto_grade === "PARTIAL" || item.auto_grade === "FAIL") && item.ai_review === null,
  ).length;
  console.out(
    `merge_review: ${merged.merged} verdict(s) merged, ${merged.flipped} grade(s) changed${waiting > 0 ? `, ${waiting} PARTIAL/FAIL without review` : ""}`,
  );
}
