import type { Console } from "../cli/console.ts";
import type { QaGenConfig } from "../config/schema.ts";
import type { McpClient } from "../mcp/client.ts";

/** Neutral words that most knowledge bases answer to; used only when the user gave no discovery queries. */
const SEEDS = ["概述", "流程", "规定", "指南", "说明", "常见问题", "overview", "guide"];

/**
 * Infers document names by searching in rounds: what a round finds are the queries of the next one. A document
 * that no query hits stays unknown, so the list is never complete by proof.
 */
export async function discoverDocuments(
  client: McpClient,
  config: QaGenConfig,
  console: Console,
): Promise<string[]> {
  const names = new Set<string>();
  const asked = new Set<string>();
  let queries = config.discover_queries.length > 0 ? [...config.discover_queries] : SEEDS;
  for (let round = 1; round <= config.discover_rounds && queries.length > 0; round++) {
    const before = names.size;
    for (const query of queries) {
      if (asked.size >= config.discover_max_searches) break;
      if (asked.has(query)) continue;
      asked.add(query);
      for (const chunk of await client.search(query)) if (chunk.title !== "") names.add(chunk.title);
    }
    console.note(`gen: discovery round ${round}: ${asked.size} searches, ${names.size} documents`);
    queries = [...names].filter((name) => !asked.has(name));
    if (names.size === before || asked.size >= config.discover_max_searches) break;
  }
  console.note(
    "gen: WARNING: document names inferred by search may be incomplete; check them and add missing ones to qa_gen.doc_names / 目录由检索推断，可能不完整，请核对补充",
  );
  return [...names];
}
