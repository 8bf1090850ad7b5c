import { readFileSync } from "node:fs";
import * as z from "zod";
import type { QaGenConfig } from "../config/schema.ts";
import { skillFile } from "../files/skill.ts";
import { JinjaEnvironment } from "../jinja/environment.ts";
import type { ChatMessage, LlmClient } from "../llm/client.ts";
import { LlmJsonError, parseLlmJson } from "../llm/json.ts";
import type { Question } from "../questions/schema.ts";
import { EmptyKeywordError, type KeywordMatcher } from "../scoring/matcher.ts";
import type { SourceDocument } from "./content.ts";

const draft = z.object({
  question: z.string().trim().min(4),
  keywords: z.array(z.string().trim().min(1)).min(1).max(12),
  reference_answer: z.string().trim().min(1).optional(),
  category: z.string().optional(),
  difficulty: z.string().optional(),
});
const draftList = z.union([
  z.array(draft).min(1),
  z.object({ questions: z.array(draft).min(1) }).transform((o) => o.questions),
]);

export type DraftQuestion = z.infer<typeof draft>;

/** A question that was thrown away, and why. */
export interface Dropped {
  question: string;
  reason: string;
}

/** The prompt for one document, from prompts/qa_gen_prompt.md. */
export function genPrompt(document: SourceDocument, config: QaGenConfig): ChatMessage[] {
  const source = readFileSync(skillFile("prompts", "qa_gen_prompt.md"), "utf8");
  const content = cutAtParagraph(document.text, config.max_content_chars);
  const text = new JinjaEnvironment().renderString(
    source,
    {
      doc_name: document.name,
      content,
      min_questions: config.min_questions_per_doc,
      max_questions: config.max_questions_per_doc,
    },
    "qa_gen_prompt.md",
  );
  return [{ role: "user", content: text }];
}

function cutAtParagraph(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = text.slice(0, limit);
  const border = cut.lastIndexOf("\n\n");
  return border > limit / 2 ? cut.slice(0, border) : cut;
}

/** Asks the model for questions; an answer that is no usable JSON is asked again with the reason. */
export async function draftQuestions(
  llm: LlmClient,
  document: SourceDocument,
  config: QaGenConfig,
  signal?: AbortSignal,
): Promise<DraftQuestion[]> {
  const messages = genPrompt(document, config);
  for (let attempt = 1; ; attempt++) {
    const answer = await llm.chat(messages, signal);
    try {
      return parseLlmJson(answer, draftList).slice(0, config.max_questions_per_doc);
    } catch (error) {
      if (!(error instanceof LlmJsonError) || attempt >= config.max_attempts) throw error;
      messages.push({ role: "assistant", content: answer.slice(0, 4_000) });
      messages.push({
        role: "user",
        content: `Your answer could not be used: ${error.message}. Answer again with the JSON list only, no other text.`,
      });
    }
  }
}

/** Keywords of a draft that the source document does not state word for word (punctuation aside). */
export function unfoundKeywords(
  keywords: readonly string[],
  text: string,
  matcher: KeywordMatcher,
): string[] {
  const source = matcher.prepareAnswer(text);
  return keywords.filter((keyword) => {
    try {
      const result = matcher.match(keyword, source);
      return !(
        "hit" in result &&
        result.hit.because === undefined &&
        (result.hit.layer === "exact" || result.hit.layer === "punctuation")
      );
    } catch (error) {
      if (error instanceof EmptyKeywordError) return true;
      throw error;
    }
  });
}

/** The parts of a document around the keywords, for the reviewer; the whole of a short document. */
function excerpt(text: string, keywords: readonly string[], matcher: KeywordMatcher): string {
  if (text.length <= 3_000) return text;
  const source = matcher.prepareAnswer(text);
  const windows = keywords.flatMap((keyword) => {
    const result = matcher.match(keyword, source);
    const span = "hit" in result ? result.hit.spans[0] : undefined;
    return span
      ? [[Math.max(0, span.start - 250), Math.min(text.length, span.end + 250)] as [number, number]]
      : [];
  });
  windows.sort((a, b) => a[0] - b[0]);
  const joined: [number, number][] = [];
  for (const [start, end] of windows) {
    const last = joined.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else joined.push([start, end]);
  }
  return joined.map(([start, end]) => text.slice(start, end)).join("\n…\n");
}

/** Keeps the drafts whose every keyword is found in the document (the check against made-up questions). */
export function verifyDrafts(
  drafts: readonly DraftQuestion[],
  document: SourceDocument,
  matcher: KeywordMatcher,
): { kept: Omit<Question, "q_id">[]; dropped: Dropped[] } {
  const kept: Omit<Question, "q_id">[] = [];
  const dropped: Dropped[] = [];
  for (const item of drafts) {
    const unfound = unfoundKeywords(item.keywords, document.text, matcher);
    if (unfound.length > 0) {
      dropped.push({ question: item.question, reason: `not found in the document: ${unfound.join("、")}` });
      continue;
    }
    kept.push({
      ...item,
      expected_docs: [document.name],
      source: {
        doc_name: document.name,
        ...(document.docId ? { doc_id: document.docId } : {}),
        chunk_indexes: document.chunkIndexes,
      },
      source_excerpt: excerpt(document.text, item.keywords, matcher),
    });
  }
  return { kept, dropped };
}
