import { redactMessages } from "../extraction/redact.ts";
import type { KnowledgeRecord, SaveInput } from "../record/schema.ts";
import type { Failure } from "../remote/http.ts";
import { KnowledgeError, type Notice } from "./backend.ts";

/** What a server is told; the score in both places, as servers read one or the other. */
export function saveBody(record: KnowledgeRecord): string {
  const {
    id: _id,
    status: _status,
    created_at: _created,
    updated_at: _updated,
    quality_score: _quality,
    ...rest
  } = record;
  return JSON.stringify({
    ...rest,
    score: record.eval.score,
    eval: { ...record.eval, score: record.eval.score },
  });
}

export function offline(failure: Failure): Notice {
  return {
    zh: `⚠️ ${failure.notice.zh}；以上为本地缓存`,
    en: `⚠️ ${failure.notice.en}; these are local copies`,
  };
}

export function refused(failure: Failure): KnowledgeError {
  return new KnowledgeError(failure.notice);
}

export function noSuchItem(id: string): KnowledgeError {
  return new KnowledgeError({
    zh: `没有 ID 为 ${id} 的知识。请用 kb_search 结果中的 ID。`,
    en: `there is no knowledge with ID ${id}. Use an ID from a kb_search result.`,
  });
}

export function notAServer(baseUrl: string): Failure {
  return {
    ok: false,
    kind: "garbage",
    notice: {
      zh: `${baseUrl} 的应答不是知识库格式，请检查 apiUrl`,
      en: `${baseUrl} did not answer like a knowledge server; check apiUrl`,
    },
  };
}

/** A text as it may go to the server, and how many secrets were taken out of it. */
export function withoutSecret(text: string): { text: string; removed: number } {
  const { messages, counts } = redactMessages([{ role: "assistant", content: text }], "relaxed");
  const removed = Object.values(counts).reduce((sum, n) => sum + n, 0);
  return { text: messages[0]?.content ?? "", removed };
}

/** What an agent saves is knowledge; a key that got into it stays here. The agent is told, so that it can word it anew. */
export function withoutSecrets(given: SaveInput): { input: SaveInput; notices: Notice[] } {
  let removed = 0;
  const clean = (text: string) => {
    const cleaned = withoutSecret(text);
    removed += cleaned.removed;
    return cleaned.text;
  };
  const input: SaveInput = {
    ...given,
    task: clean(given.task),
    content: clean(given.content),
    ...(given.source && {
      source: { ...given.source, name: clean(given.source.name), urls: given.source.urls.map(clean) },
    }),
  };
  return removed === 0 ? { input: given, notices: [] } : { input, notices: [secretsRemoved(removed)] };
}

export function secretsRemoved(removed: number): Notice {
  return {
    zh: `⚠️ 提交前移除了 ${removed} 处密钥`,
    en: `⚠️ ${removed} secret${removed === 1 ? " was" : "s were"} removed before sending`,
  };
}
