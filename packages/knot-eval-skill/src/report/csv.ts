import { visibleText } from "../files/visible.ts";
import type { ResultItem } from "../results/schema.ts";

const COLUMNS: readonly [string, (item: ResultItem) => string | number | boolean | null][] = [
  ["q_id", (i) => i.q_id],
  ["repeat", (i) => i.repeat],
  ["question", (i) => i.question],
  ["category", (i) => i.category],
  ["final_grade", (i) => i.final_grade],
  ["auto_grade", (i) => i.auto_grade],
  ["keyword_rate", (i) => (i.final_grade === "ERROR" ? null : i.keyword_rate)],
  ["keywords_missed", (i) => i.keyword_missed.map((m) => m.keyword).join(" | ")],
  ["doc_hit", (i) => i.doc_hit],
  ["expected_docs", (i) => i.expected_docs.join(" | ")],
  ["final_attribution", (i) => i.final_attribution],
  ["auto_attribution", (i) => i.auto_attribution],
  ["latency_ms", (i) => i.latency_ms],
  ["first_token_ms", (i) => i.first_token_ms],
  ["tokens", (i) => i.usage?.total ?? null],
  ["cost", (i) => i.cost],
  ["error", (i) => i.error],
  ["answer", (i) => i.answer],
  ["reviewer_notes", (i) => i.ai_review?.reviewer_notes ?? null],
];

/**
 * One CSV field (RFC 4180). A text that a spreadsheet would run as a formula (OWASP "CSV injection") gets an
 * apostrophe in front; numbers of ours stay numbers. A spreadsheet set to another separator (`;` in much of Europe, a
 * tab) cuts the text at it and at line ends, so a formula behind those is guarded as well; list items (`- text`) are
 * no formula and stay.
 */
export function csvField(value: string | number | boolean | null): string {
  if (value === null) return "";
  if (typeof value !== "string") return String(value);
  const shown = visibleText(value);
  const inner = shown.replace(
    /([;\t\n][ \u00a0\u3000"]*)(?=[=@＝＠]|[+\-＋－][^\n]*[|!(=])/g,
    (_, before: string) => `${before}'`,
  );
  const guarded = /^[\s\u00a0\u3000]*[=+\-@＝＋－＠\t\r|%]/.test(value) ? `'${inner}` : inner;
  return /[",;\t\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

/** CSV with a byte-order mark, so that spreadsheets read the Chinese text as UTF-8. */
export function* renderCsv(items: readonly ResultItem[]): Generator<string> {
  yield `\ufeff${COLUMNS.map(([name]) => name).join(",")}\r\n`;
  for (const item of items) yield `${COLUMNS.map(([, get]) => csvField(get(item))).join(",")}\r\n`;
}
