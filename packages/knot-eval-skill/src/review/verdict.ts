import * as z from "zod";
import { ATTRIBUTIONS } from "../scoring/attribution.ts";

const grade = z.enum(["PASS", "PARTIAL", "FAIL"]);
const text = z.string();

/**
 * The 13 fields of one semantic review (prompts/ai_review_prompt.md). All are required; a broken verdict is
 * asked again, never repaired here.
 */
export const verdictSchema = z
  .strictObject({
    q_id: z.string().min(1),
    final_grade: grade,
    flipped_from_auto: z.boolean(),
    flip_reason: text,
    semantic_match_summary: text.min(1),
    missing_facts: z.array(text),
    extra_facts: z.array(text),
    hallucination: z.boolean(),
    hallucination_evidence: text,
    recommended_attribution: z.enum(ATTRIBUTIONS).nullable(),
    attribution_evidence: text,
    confidence: z.number().min(0).max(1),
    reviewer_notes: text,
  })
  .check((context) => {
    const verdict = context.value;
    const fault = (path: string, message: string) =>
      context.issues.push({ code: "custom", message, path: [path], input: verdict });
    if (verdict.flipped_from_auto && verdict.flip_reason.trim() === "")
      fault("flip_reason", "must say why the grade was changed");
    if (verdict.hallucination && verdict.hallucination_evidence.trim() === "")
      fault("hallucination_evidence", "must quote the made-up statement");
    if (verdict.final_grade !== "PASS" && verdict.recommended_attribution === null)
      fault("recommended_attribution", "is required unless final_grade is PASS");
    // A cause on a confirmed PASS would count among the causes of failures.
    if (
      verdict.final_grade === "PASS" &&
      !verdict.flipped_from_auto &&
      verdict.recommended_attribution !== null
    )
      fault("recommended_attribution", "must be null for a PASS that was not changed");
  });

export type Verdict = z.infer<typeof verdictSchema>;

/** ai_review_results.json: a list of verdicts, or an object that holds one. */
export const reviewList = z.union([
  z.array(z.unknown()),
  z.object({ items: z.array(z.unknown()) }).transform((o) => o.items),
  z.object({ results: z.array(z.unknown()) }).transform((o) => o.results),
]);

/** The names of the 13 fields, in the order of the prompt. */
export const VERDICT_FIELDS = [
  "q_id",
  "final_grade",
  "flipped_from_auto",
  "flip_reason",
  "semantic_match_summary",
  "missing_facts",
  "extra_facts",
  "hallucination",
  "hallucination_evidence",
  "recommended_attribution",
  "attribution_evidence",
  "confidence",
  "reviewer_notes",
] as const;
