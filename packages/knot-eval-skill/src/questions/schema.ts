import * as z from "zod";
import { configError } from "../exit-codes.ts";
import { readJson } from "../files/atomic.ts";

const nonEmpty = z.string().trim().min(1);

/** One question of the gold standard (references/question_schema.md). */
export const questionSchema = z.object({
  q_id: nonEmpty,
  question: nonEmpty,
  /** Facts the answer must state, as short phrases found in the source document. */
  keywords: z.array(z.string()).min(1),
  /** Document names of which at least one must be used. Empty: documents are not scored. */
  expected_docs: z.array(nonEmpty).default([]),
  reference_answer: z.string().optional(),
  category: z.string().optional(),
  difficulty: z.string().optional(),
  source: z
    .object({
      doc_name: z.string(),
      doc_id: z.string().optional(),
      chunk_indexes: z.array(z.number()).optional(),
    })
    .optional(),
  /** Text of the source document the question was made from; shown in the review. */
  source_excerpt: z.string().optional(),
});

export type Question = z.infer<typeof questionSchema>;

const ALIASES: Record<string, string[]> = {
  q_id: ["id", "qid", "question_id"],
  question: ["query", "q"],
  keywords: ["gold_keywords", "expected_keywords"],
  expected_docs: ["expected_documents", "docs", "doc_names", "source_docs"],
  reference_answer: ["answer", "gold_answer", "expected_answer"],
};

function withAliases(item: unknown, index: number): unknown {
  if (typeof item !== "object" || item === null || Array.isArray(item)) return item;
  const source = item as Record<string, unknown>;
  const out: Record<string, unknown> = { ...source };
  for (const [name, others] of Object.entries(ALIASES)) {
    if (out[name] === undefined)
      out[name] = others.map((other) => source[other]).find((value) => value !== undefined);
  }
  if (out.expected_docs === undefined) {
    const single = source.doc_name ?? source.source_doc ?? source.expected_doc;
    out.expected_docs = typeof single === "string" && single.trim() !== "" ? [single] : [];
  }
  if (typeof out.expected_docs === "string") out.expected_docs = [out.expected_docs];
  if (typeof out.keywords === "string") out.keywords = [out.keywords];
  if (out.q_id === undefined) out.q_id = `Q${String(index + 1).padStart(3, "0")}`;
  if (typeof out.q_id === "number") out.q_id = String(out.q_id);
  return out;
}

/**
 * Checks a question set: a list, or an object with `questions`.
 *
 * Equal questions may stand in it more than once (each is asked); equal ids with different content may not.
 *
 * @throws StageError (exit 2) that names every broken question by position and field
 */
export function parseQuestions(raw: unknown, file: string): Question[] {
  const list = Array.isArray(raw) ? raw : (raw as { questions?: unknown } | null)?.questions;
  if (!Array.isArray(list))
    throw configError(`${file}: expected a list of questions, or an object with "questions"`);
  if (list.length === 0) throw configError(`${file}: holds no question`);
  const problems: string[] = [];
  const questions: Question[] = [];
  for (const [index, item] of list.entries()) {
    const parsed = questionSchema.safeParse(withAliases(item, index));
    if (parsed.success) questions.push(parsed.data);
    else
      problems.push(
        ...parsed.error.issues.map((issue) => `  [${index}].${issue.path.join(".")}: ${issue.message}`),
      );
  }
  const seen = new Map<string, string>();
  for (const question of questions) {
    const body = JSON.stringify([question.question, question.keywords]);
    const before = seen.get(question.q_id);
    if (before !== undefined && before !== body)
      problems.push(`  q_id ${question.q_id} is used for two different questions`);
    seen.set(question.q_id, body);
  }
  if (problems.length > 0) {
    throw configError(
      `${file}: ${problems.length} problem(s), see references/question_schema.md:\n${problems.slice(0, 50).join("\n")}`,
    );
  }
  return questions;
}

/** Reads and checks a question file. */
export async function loadQuestions(file: string): Promise<Question[]> {
  return parseQuestions(
    await readJson(file, "Run --stage gen first, or write the questions yourself."),
    file,
  );
}
