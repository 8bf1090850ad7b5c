/**
 * Retrieved chunks out of whatever a knowledge base or a tool result wraps them in: JSON text, an object with
 * a list somewhere inside, a list of MCP content blocks, or labelled plain text.
 */

export interface Chunk {
  title: string;
  content: string;
  docId: string | undefined;
  index: number | undefined;
  url: string | undefined;
}

type Dict = Record<string, unknown>;

function isDict(value: unknown): value is Dict {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function pickText(source: Dict, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = source[name];
    if (typeof value === "string" && value.trim() !== "") return value;
    if (typeof value === "number") return String(value);
  }
  return undefined;
}

const TITLE = ["chunk_title", "doc_name", "title", "document_name", "doc_title", "file_name", "name"];
const CONTENT = ["chunk_content", "content", "text", "snippet", "page_content"];
const DOC_ID = ["doc_id", "document_id", "docId", "documentId"];
const INDEX = ["chunk_index", "chunkIndex", "index", "position"];
const URL_KEYS = ["url", "doc_url", "link", "source_url"];

function asChunk(value: Dict): Chunk | undefined {
  const title = pickText(value, TITLE);
  const content = pickText(value, CONTENT);
  const docId = pickText(value, DOC_ID);
  // An MCP content block {type:"text", text} is a wrapper, not a chunk.
  if (title === undefined && docId === undefined) return undefined;
  const index = Number(pickText(value, INDEX));
  return {
    title: (title ?? "").trim(),
    content: content ?? "",
    docId,
    index: Number.isInteger(index) ? index : undefined,
    url: pickText(value, URL_KEYS),
  };
}

function parseLabelled(text: string): Chunk[] {
  const chunks: Chunk[] = [];
  for (const block of text.split(/(?=^[ \t]*(?:[-*][ \t]*)?chunk_title[ \t]*[:：])/m)) {
    const title = /chunk_title\s*[:：]\s*(.+)/.exec(block)?.[1]?.trim();
    if (!title) continue;
    const content =
      /chunk_content\s*[:：]\s*([\s\S]*?)(?=\n\s*(?:[-*]\s*)?(?:doc_id|chunk_index|chunk_title|url)\s*[:：]|$)/.exec(
        block,
      )?.[1];
    const index = Number(/chunk_index\s*[:：]\s*(\d+)/.exec(block)?.[1] ?? Number.NaN);
    chunks.push({
      title,
      content: content?.trim() ?? "",
      docId: /doc_id\s*[:：]\s*(\S+)/.exec(block)?.[1],
      index: Number.isInteger(index) ? index : undefined,
      url: /url\s*[:：]\s*(\S+)/.exec(block)?.[1],
    });
  }
  return chunks;
}

function fromText(text: string, depth: number): Chunk[] {
  const trimmed = text.trim();
  const start = trimmed.search(/[[{]/);
  if (start >= 0 && start < 200) {
    for (const candidate of [trimmed, trimmed.slice(start)]) {
      try {
        return collect(JSON.parse(candidate), depth + 1);
      } catch {
        // Not this one; labelled text is tried last.
      }
    }
  }
  return parseLabelled(text);
}

function collect(value: unknown, depth: number): Chunk[] {
  if (depth > 8) return [];
  if (typeof value === "string") return fromText(value, depth);
  if (Array.isArray(value)) return value.flatMap((item) => collect(item, depth + 1));
  if (!isDict(value)) return [];
  const chunk = asChunk(value);
  if (chunk) {
    const inner = Object.values(value)
      .filter((child) => Array.isArray(child))
      .flatMap((child) => collect(child, depth + 1));
    return inner.length > 0 && chunk.content === ""
      ? inner.map((c) => ({ ...c, title: c.title || chunk.title, docId: c.docId ?? chunk.docId }))
      : [chunk];
  }
  return Object.values(value).flatMap((child) =>
    typeof child === "object" || typeof child === "string" ? collect(child, depth + 1) : [],
  );
}

/** All chunks found in a value, in order, without exact repetitions. */
export function parseChunks(value: unknown): Chunk[] {
  const seen = new Set<string>();
  return collect(value, 0).filter((chunk) => {
    const key = JSON.stringify([chunk.title, chunk.docId, chunk.index, chunk.content]);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
