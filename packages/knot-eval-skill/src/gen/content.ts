import type { Chunk } from "../mcp/chunks.ts";
import { bareTitle, titleSimilarity } from "../scoring/documents.ts";
import { groupItems } from "../stats/group.ts";

/** A document put together from its retrieved chunks. */
export interface SourceDocument {
  name: string;
  docId: string | undefined;
  chunkIndexes: number[];
  text: string;
}

/** Whether a retrieved title is the document that was asked for. */
export function isSameDocument(wanted: string, title: string): boolean {
  const a = bareTitle(wanted);
  const b = bareTitle(title);
  if (a === "" || b === "") return false;
  return (
    a === b ||
    (a.length >= 4 && b.length >= 4 && titleSimilarity(a, b) >= 0.85) ||
    (b.startsWith(a) && b.length - a.length <= 8)
  );
}

/** Longest text that ends `before` and starts `after`: neighbouring chunks overlap by design. */
function overlap(before: string, after: string): number {
  const limit = Math.min(before.length, after.length, 400);
  for (let size = limit; size >= 12; size--) {
    if (before.endsWith(after.slice(0, size))) return size;
  }
  return 0;
}

/** Picks the chunks of one document, sorts them by index, joins them without their overlaps. */
export function assembleDocument(name: string, chunks: readonly Chunk[]): SourceDocument | undefined {
  const own = chunks.filter((chunk) => isSameDocument(name, chunk.title));
  // The same title may stand in several documents: the best represented one is taken.
  const byId = groupItems(own, (chunk) => chunk.docId ?? "");
  const [best] = [...byId.entries()].sort((a, b) => b[1].length - a[1].length);
  if (!best) return undefined;
  const seen = new Set<string>();
  const list = best[1]
    .filter((chunk) => {
      const key = chunk.index === undefined ? chunk.content : String(chunk.index);
      if (chunk.content.trim() === "" || seen.has(key)) return false;
      seen.add(key);
      return true;
    })
    .sort((a, b) => (a.index ?? Number.MAX_SAFE_INTEGER) - (b.index ?? Number.MAX_SAFE_INTEGER));
  let text = "";
  for (const chunk of list) {
    const piece = chunk.content.trim();
    const shared = overlap(text, piece);
    text += text === "" ? piece : shared > 0 ? piece.slice(shared) : `\n\n${piece}`;
  }
  const indexes = list.flatMap((chunk) => (chunk.index === undefined ? [] : [chunk.index]));
  return { name, docId: best[0] || undefined, chunkIndexes: indexes, text };
}

/** Text that is left when links, bare addresses, list marks and numbering are taken out. */
function substance(text: string): string {
  return text
    .replace(/!?\[([^\]]{0,500})\]\([^)]{0,2000}\)/g, "")
    .replace(/<https?:[^>]*>|https?:\/\/\S+/g, "")
    .replace(/^[\s#>*+\-•·|]+|^\s*\d+(?:\.\d+)*[.、)]?\s*/gm, "")
    .replace(/\s+/g, "");
}

const SENTENCE = /[。！？；!?;]|[^\d]\.(?:\s|$)|[，,]|是|需|应|可|为|：/;

/**
 * Why a document is no source for questions: only links, only a directory of headings, or too short; undefined
 * when it is one.
 */
export function uselessBecause(text: string, minChars: number): string | undefined {
  const rest = substance(text);
  if (rest.length < minChars)
    return /https?:\/\/|\]\(/.test(text) ? "only links" : `only ${rest.length} characters of text`;
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const links = lines.filter((line) => /https?:\/\/|\]\([^)]{1,2000}\)/.test(line));
  if (links.length * 10 >= lines.length * 7 && rest.length < minChars * 4) return "a list of links";
  const headings = lines.filter((line) => line.length <= 30 && !SENTENCE.test(line));
  if (lines.length >= 4 && headings.length * 10 >= lines.length * 9) return "a directory of headings";
  return undefined;
}
