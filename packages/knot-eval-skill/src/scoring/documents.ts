import type { Chunk } from "../mcp/chunks.ts";
import { canonicalise } from "./canonical.ts";

/** How an expected document was recognised. */
export type DocumentWay = "retrieved" | "cited" | "similar_title";

export interface DocumentHit {
  doc: string;
  way: DocumentWay;
  /** The retrieved title or the answer text that matched. */
  evidence: string;
}

const EXTENSION = /\.(?:docx?|pdf|md|markdown|txt|xlsx?|pptx?|html?|csv|wps)$/i;

/** A title without extension, book-title marks, numbering and punctuation. */
export function bareTitle(title: string): string {
  const name = title
    .trim()
    .replace(/^.*[\\/](?=[^\\/]+\.[a-z]{2,5}$)/i, "")
    .replace(EXTENSION, "")
    .replace(/[《》【】〔〕]/g, " ");
  return canonicalise(name).bare.text;
}

function bigrams(text: string): Map<string, number> {
  const out = new Map<string, number>();
  for (let i = 0; i + 1 < text.length; i++) {
    const pair = text.slice(i, i + 2);
    out.set(pair, (out.get(pair) ?? 0) + 1);
  }
  return out;
}

/** Sorensen-Dice over character bigrams, 0 to 1. */
export function titleSimilarity(a: string, b: string): number {
  if (a === b) return a === "" ? 0 : 1;
  const left = bigrams(a);
  const right = bigrams(b);
  const total = Math.max(0, a.length - 1) + Math.max(0, b.length - 1);
  if (total === 0) return 0;
  let shared = 0;
  for (const [pair, count] of left) shared += Math.min(count, right.get(pair) ?? 0);
  return (2 * shared) / total;
}

/** Digits and Latin words must agree for two similar titles to be the same document (2023版 is not 2024版). */
function sameMarks(a: string, b: string): boolean {
  const marks = (text: string) =>
    [...text.matchAll(/\ue001[^\ue002]*\ue002|[a-z]+/g)]
      .map((m) => m[0])
      .sort()
      .join(" ");
  return marks(a) === marks(b);
}

const SIMILAR = 0.8;

/**
 * Which expected documents were used, in three ways: a retrieved chunk has the same title or document id; the
 * answer names the document; a retrieved title is nearly the same (with equal numbers and Latin words).
 */
export function matchDocuments(
  expected: readonly string[],
  answer: string,
  chunks: readonly Chunk[],
): DocumentHit[] {
  const retrieved = chunks.map((chunk) => ({ chunk, bare: bareTitle(chunk.title) }));
  const answerBare = canonicalise(answer).bare.text;
  return expected.flatMap((doc): DocumentHit[] => {
    const bare = bareTitle(doc);
    const exact = retrieved.find(
      ({ chunk, bare: title }) =>
        (bare !== "" && title === bare) || (chunk.docId !== undefined && chunk.docId === doc.trim()),
    );
    if (exact) return [{ doc, way: "retrieved", evidence: exact.chunk.title || (exact.chunk.docId ?? "") }];
    if (bare.length >= 4 && answerBare.includes(bare)) return [{ doc, way: "cited", evidence: doc }];
    const similar = retrieved.find(({ bare: title }) => {
      if (bare.length < 4 || title.length < 4 || !sameMarks(bare, title)) return false;
      return (
        titleSimilarity(bare, title) >= SIMILAR || (title.includes(bare) && bare.length * 2 >= title.length)
      );
    });
    return similar ? [{ doc, way: "similar_title", evidence: similar.chunk.title }] : [];
  });
}
