import { canonicalise, isEmptyKeyword } from "../scoring/canonical.ts";
import { titleSimilarity } from "../scoring/documents.ts";
import type { KeywordMatcher } from "../scoring/matcher.ts";
import { groupItems } from "../stats/group.ts";
import type { Question } from "./schema.ts";

export interface LintFinding {
  severity: "error" | "warning";
  rule:
    | "empty_keyword"
    | "duplicate_question"
    | "near_duplicate"
    | "duplicate_keyword"
    | "keyword_in_question"
    | "answer_leak"
    | "keyword_not_in_reference"
    | "no_document"
    | "imbalance";
  q_ids: string[];
  message: string;
}

const NEAR = 0.9;

function checkOne(question: Question, matcher: KeywordMatcher): LintFinding[] {
  const found: LintFinding[] = [];
  const add = (severity: LintFinding["severity"], rule: LintFinding["rule"], message: string) =>
    found.push({ severity, rule, q_ids: [question.q_id], message });
  const usable = question.keywords.filter((keyword) => {
    const empty = isEmptyKeyword(canonicalise(keyword));
    if (empty) add("error", "empty_keyword", `keyword ${JSON.stringify(keyword)} holds nothing to look for`);
    return !empty;
  });
  const inText = (keyword: string, text: string) =>
    "hit" in matcher.match(keyword, matcher.prepareAnswer(text));
  const given = usable.filter((keyword) => inText(keyword, question.question));
  if (given.length > 0 && given.length === usable.length)
    add("warning", "answer_leak", "the question itself holds every keyword: repeating it would pass");
  else if (given.length > 0)
    add("warning", "keyword_in_question", `the question gives away ${given.join("、")}`);
  const bare = usable.map((keyword) => canonicalise(keyword).bare.text);
  const twice = usable.filter((_, i) => bare.indexOf(bare[i] ?? "") !== i);
  if (twice.length > 0) add("warning", "duplicate_keyword", `keyword given twice: ${twice.join("、")}`);
  if (question.reference_answer) {
    const reference = question.reference_answer;
    const missing = usable.filter((keyword) => !inText(keyword, reference));
    if (missing.length > 0)
      add("warning", "keyword_not_in_reference", `reference answer does not state ${missing.join("、")}`);
  }
  if (question.expected_docs.length === 0)
    add("warning", "no_document", "no expected document: document hit is not scored");
  return found;
}

function checkPairs(questions: readonly Question[]): LintFinding[] {
  const bare = questions.map((q) => canonicalise(q.question).core.text);
  const found: LintFinding[] = [];
  const byText = new Map<string, number[]>();
  for (const [i, text] of bare.entries()) byText.set(text, [...(byText.get(text) ?? []), i]);
  const ids = (list: number[]) => list.map((i) => questions[i]?.q_id ?? "");
  for (const list of byText.values()) {
    if (list.length > 1)
      found.push({
        severity: "warning",
        rule: "duplicate_question",
        q_ids: ids(list),
        message: `asked ${list.length} times: ${questions[list[0] ?? 0]?.question ?? ""}`,
      });
  }
  const unique = [...byText.entries()]
    .map(([text, list]) => ({ text, index: list[0] ?? 0 }))
    .sort((a, b) => a.text.length - b.text.length);
  for (const [i, a] of unique.entries()) {
    for (let j = i + 1; j < unique.length; j++) {
      const b = unique[j];
      // Sorted by length: beyond this ratio no pair can reach the similarity.
      if (!b || b.text.length * NEAR > a.text.length * (2 - NEAR)) break;
      const numbersDiffer =
        a.text.replace(/[^\ue010-\ue019]/g, "") !== b.text.replace(/[^\ue010-\ue019]/g, "");
      if (!numbersDiffer && titleSimilarity(a.text, b.text) >= NEAR) {
        found.push({
          severity: "warning",
          rule: "near_duplicate",
          q_ids: ids([a.index, b.index]),
          message: "nearly the same question",
        });
      }
    }
  }
  return found;
}

function checkBalance(questions: readonly Question[]): LintFinding[] {
  if (questions.length < 10) return [];
  const share = (keyOf: (q: Question) => string | undefined, what: string): LintFinding[] => {
    const counts = groupItems(
      questions.filter((q) => keyOf(q) !== undefined),
      (q) => keyOf(q) ?? "",
    );
    if (counts.size < 2) return [];
    const [name, list] = [...counts].sort((a, b) => b[1].length - a[1].length)[0] ?? ["", []];
    if (list.length * 2 <= questions.length) return [];
    return [
      {
        severity: "warning",
        rule: "imbalance",
        q_ids: [],
        message: `${list.length} of ${questions.length} questions belong to one ${what}: ${name}`,
      },
    ];
  };
  return [...share((q) => q.category, "category"), ...share((q) => q.expected_docs[0], "document")];
}

/** Checks a question set for what would make its figures wrong or easy. */
export function lintQuestions(questions: readonly Question[], matcher: KeywordMatcher): LintFinding[] {
  return [
    ...questions.flatMap((q) => checkOne(q, matcher)),
    ...checkPairs(questions),
    ...checkBalance(questions),
  ];
}
