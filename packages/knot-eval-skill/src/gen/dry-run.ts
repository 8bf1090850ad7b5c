import type { LoadedConfig } from "../config/load.ts";
import { roughTokens } from "../eval/dry-run.ts";
import { chatRequest } from "../llm/client.ts";
import { searchArguments } from "../mcp/client.ts";
import { listedDocuments } from "./doc-names.ts";
import { genPrompt } from "./questions.ts";

/** What `--dry-run` prints for stage gen. Sends nothing, so the documents' texts are not known yet. */
export async function genDryRun(loaded: LoadedConfig): Promise<string[]> {
  const { agent, qa_gen: settings } = loaded.config;
  const names = await listedDocuments(loaded);
  const name = names[0] ?? "<document>";
  const prompt = genPrompt({ name, docId: undefined, chunkIndexes: [], text: "…" }, settings);
  const { url } = chatRequest(agent.llm, prompt);
  const perDocument =
    roughTokens(prompt.map((m) => m.content).join("")) + Math.round(settings.max_content_chars * 0.35);
  const count = names.length;
  return [
    `dry-run gen: ${count} listed document(s)${settings.auto_discover_docs ? `, plus discovery with at most ${settings.discover_max_searches} searches` : ""}`,
    `POST ${agent.kb_mcp.url}  (a session a search: initialize, notifications/initialized, tools/call)`,
    "  x-knot-api-token: [REDACTED]",
    `  x-knot-knowledge-uuids: ${agent.kb_mcp.knowledge_uuid}`,
    `  tools/call ${agent.kb_mcp.tool} ${JSON.stringify(searchArguments(agent.kb_mcp, name, undefined))}`,
    `POST ${url}  model ${agent.llm.model}`,
    "  authorization: [REDACTED]",
    `estimate: about ${count * perDocument} input and ${count * 700} output tokens of ${agent.llm.model}`,
  ];
}
