import type { GradingConfig } from "../config/schema.ts";
import type { Chunk } from "../mcp/chunks.ts";
import type { Question } from "../questions/schema.ts";
import { isRefusal, isSubstantive } from "./answer-kind.ts";
import { type Attribution, attribute } from "./attribution.ts";
import { canonicalise } from "./canonical.ts";
import { type DocumentHit, matchDocuments } from "./documents.ts";
import { fragmentsOf } from "./fragments.ts";
import type { KeywordHit, KeywordMatcher, KeywordMiss } from "./matcher.ts";
import { numbersIn } from "./tokens.ts";

export type Grade = "PASS" | "PARTIAL" | "FAIL";

/** The automatic score of one answer. */
export interface Score {
  grade: Grade;
  keyword_rate: number;
  keyword_hits: KeywordHit[];
  keyword_missed: KeywordMiss[];
  doc_hit: boolean | null;
  doc_hits: DocumentHit[];
  scoring_method_limited: boolean;
  attribution: Attribution | null;
  attribution_alternatives: Attribution[];
  attribution_reason: string;
}

/** A missing keyword of which the answer holds all numbers and at least two thirds of the words. */
function isNearMiss(miss: KeywordMiss, answerCore: string): boolean {
  if (miss.reason === "negated") return false;
  const keyword = canonicalise(miss.keyword);
  if (!numbersIn(keyword.base.text).every((n) => numbersIn(answerCore).includes(n))) return false;
  const { pieces } = fragmentsOf(keyword);
  if (pieces.length < 2) return false;
  const present = pieces.filter((piece) => answerCore.includes(piece)).length;
  return present / pieces.length >= 2 / 3;
}

function gradeOf(rate: number, docHit: boolean | null, grading: GradingConfig): Grade {
  if (rate >= grading.pass_keyword_rate)
    return grading.require_doc_hit_for_pass && docHit === false ? "PARTIAL" : "PASS";
  return rate >= grading.partial_keyword_rate ? "PARTIAL" : "FAIL";
}

/**
 * Scores one answer against its question.
 *
 * @throws EmptyKeywordError for a keyword that cannot be scored
 */
export function scoreAnswer(
  question: Question,
  answer: string,
  chunks: readonly Chunk[],
  matcher: KeywordMatcher,
  grading: GradingConfig,
): Score {
  const prepared = matcher.prepareAnswer(answer);
  const results = question.keywords.map((keyword) => matcher.match(keyword, prepared));
  const hits = results.flatMap((r) => ("hit" in r ? [r.hit] : []));
  const missed = results.flatMap((r) => ("miss" in r ? [r.miss] : []));
  const rate = hits.length / question.keywords.length;
  const docHits = matchDocuments(question.expected_docs, answer, chunks);
  const docHit = question.expected_docs.length === 0 ? null : docHits.length > 0;
  const grade = gradeOf(rate, docHit, grading);
  const synonymHits = hits.filter((hit) => hit.layer === "synonym").length;
  const exactHits = hits.filter((hit) => hit.layer === "exact").length;
  const limited = synonymHits > exactHits;
  const holds = (text: string) => {
    let known: ReturnType<KeywordMatcher["prepareAnswer"]> | undefined;
    return (keyword: string) => {
      known ??= matcher.prepareAnswer(text);
      return "hit" in matcher.match(keyword, known);
    };
  };
  const evidence = chunks.map((chunk) => chunk.content).join("\n\n");
  const inEvidence = holds(evidence);
  const inChunks =
    grade === "PASS" || missed.length === 0 || evidence === ""
      ? null
      : missed.filter((m) => inEvidence(m.keyword)).length / missed.length;
  const source = question.source_excerpt;
  const inSource = holds(source ?? "");
  const cause = attribute(
    {
      grade,
      keywordRate: rate,
      docHit,
      substantive: isSubstantive(answer, grading.substantive_min_chars),
      refusal: isRefusal(answer),
      chunks: chunks.length,
      missingInChunks: inChunks,
      missingNotInSource: source === undefined ? 0 : missed.filter((m) => !inSource(m.keyword)).length,
      nearMisses: missed.filter((m) => isNearMiss(m, prepared.base.text)).length,
      missing: missed.length,
      denied: missed.filter((m) => m.reason === "negated").length,
      scoringMethodLimited: limited,
    },
    grading.a3_keyword_rate,
  );
  return {
    grade,
    keyword_rate: Math.round(rate * 10_000) / 10_000,
    keyword_hits: hits,
    keyword_missed: missed,
    doc_hit: docHit,
    doc_hits: docHits,
    scoring_method_limited: limited,
    attribution: cause?.attribution ?? null,
    attribution_alternatives: cause?.alternatives ?? [],
    attribution_reason: cause?.reason ?? "",
  };
}
