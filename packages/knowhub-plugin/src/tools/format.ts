import { escapeForPrompt } from "@clawx/shared-security";
import { qualityScore } from "../record/schema.ts";
import type { FoundItem, Neighbour, SearchOutcome } from "../service/backend.ts";
import { firstGraphemes } from "../text/normalise.ts";
import { ageText, inLanguage, type Language, MESSAGES } from "./messages.ts";

/** Characters of an item's content in a result list, and when the item was asked for by its ID. */
const EXCERPT = 150;
const FULL = 8_000;

export const FRAME_OPEN = "<knowhub-experiences>";
export const FRAME_CLOSE = "</knowhub-experiences>";

/** Control characters: some of them end lines for other programs. */
const LINE_ENDS = /\p{Cc}/gu;
/** Brackets that a model takes for those of a tag: compatibility forms of < and >, and what looks like them before our own tag's name. */
const LIKE_LESS = /[＜﹤]|[〈⟨‹❮❬⧼《˂ᐸ](?=[\s/／\p{Cf}]*knowhub)/giu;
const LIKE_GREATER = /[＞﹥]/g;

/** Foreign text without line ends, so that nothing in it can start a line that looks like ours. */
function oneLine(text: string): string {
  return text.replace(LINE_ENDS, " ").replace(/\s+/g, " ").trim();
}

/** Foreign text that can open no tag. */
function escaped(text: string): string {
  return escapeForPrompt(text.replace(LIKE_LESS, "<").replace(LIKE_GREATER, ">"));
}

function excerptOf(text: string, max: number, safe: (text: string) => string): string {
  const { text: head, cut } = firstGraphemes(oneLine(text), max);
  return cut ? `${safe(head)}...` : safe(head);
}

/** The whole content. Lines and indentation stay, as in code they mean something; a mark before each keeps them from looking like ours. */
function wholeOf(text: string, safe: (text: string) => string): string {
  const { text: head, cut } = firstGraphemes(text.trim(), FULL);
  const lines = head
    .split(/\r\n?|\n/)
    .map((line) => safe(line.replace(/\p{Cc}|\p{Zl}|\p{Zp}/gu, (c) => (c === "\t" ? c : " "))));
  const end = cut ? "..." : "";
  if (lines.length === 1) return `${lines[0]}${end}`;
  return `\n${lines.map((line) => `   | ${line.trimEnd()}`).join("\n")}${end}`;
}

interface FormatOptions {
  /** The whole content instead of an excerpt. */
  full?: boolean;
  /** For a person at a terminal: no frame, nothing escaped. */
  plain?: boolean;
}

/** The block of items that a model reads: framed as data, escaped, one numbered entry an item with its ID. */
export function formatItems(
  items: readonly FoundItem[],
  language: Language,
  options: FormatOptions = {},
): string {
  const m = MESSAGES[language];
  const safe = options.plain ? (text: string) => text : escaped;
  const line = (text: string) => safe(oneLine(text));
  const excerpt = (text: string, max: number) => excerptOf(text, max, safe);
  const entries = items.map(({ record, staleMs }, index) => {
    const source = record.source.name ? ` (${m.source}: ${line(record.source.name)})` : "";
    const stale = staleMs === undefined ? "" : ` [${m.stale(ageText(staleMs, language))}]`;
    const quality = qualityScore(record).toFixed(1);
    return [
      `${index + 1}. [${line(record.task)}]${source}${stale}`,
      `   ${m.types}: ${line(record.types.join(", "))}`,
      `   ${m.content}: ${options.full ? wholeOf(record.content, safe) : excerpt(record.content, EXCERPT)}`,
      `   ${m.score}: ${record.eval.score}/5 (${m.quality}: ${quality})`,
      `   ID: ${line(record.id)}`,
    ].join("\n");
  });
  if (options.plain) return entries.join("\n\n");
  return [FRAME_OPEN, m.warning, entries.join("\n\n"), FRAME_CLOSE].join("\n");
}

/** The whole answer of kb_search. */
export function formatSearch(
  outcome: SearchOutcome,
  language: Language,
  options: FormatOptions = {},
): string {
  const m = MESSAGES[language];
  const notices = outcome.notices.map((notice) => inLanguage(notice, language));
  const hidden = outcome.dropped.length > 0 ? [m.dropped(outcome.dropped.length)] : [];
  if (outcome.items.length === 0) return [m.none, ...hidden, ...notices].join("\n");
  return [
    m.found(outcome.items.length),
    "",
    formatItems(outcome.items, language, options),
    ...hidden,
    ...notices,
  ].join("\n");
}

/** What kb_save says about items that are near to the new one; framed, as their text is foreign. */
export function formatNeighbours(neighbours: readonly Neighbour[], language: Language): string {
  if (neighbours.length === 0) return "";
  const m = MESSAGES[language];
  const line = (text: string) => escaped(oneLine(text));
  const lines = neighbours.map(
    ({ record, relation, similarity }) =>
      `- ${m.relation[relation]} (${Math.round(similarity * 100)}%): [${line(record.task)}] ${excerptOf(record.content, 80, escaped)} (ID: ${line(record.id)})`,
  );
  return [m.neighbours, FRAME_OPEN, m.warning, ...lines, FRAME_CLOSE].join("\n");
}

/** An item for `details`: what a program wants to know, text cut as it is shown. */
export function itemDetails({ record, trust, staleMs }: FoundItem) {
  return {
    id: record.id,
    task: record.task,
    types: record.types,
    content: firstGraphemes(record.content, EXCERPT).text,
    source: record.source.name,
    owner: record.owner,
    status: record.status,
    score: record.eval.score,
    helpful: record.eval.helpful,
    harmful: record.eval.harmful,
    quality_score: qualityScore(record),
    trust,
    ...(staleMs !== undefined && { stale_ms: staleMs }),
  };
}
