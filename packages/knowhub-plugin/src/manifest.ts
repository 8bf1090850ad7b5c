import { configSchema, uiHints } from "./config.ts";
import { TOOLS } from "./tools/tools.ts";

/**
 * The plugin manifest, made from the code: `node packages/knowhub-plugin/scripts/manifest.ts` writes it to
 * openclaw.plugin.json, a test compares the two.
 *
 * `agentToolResultMiddleware` is for reminders that fall due in the middle of a turn; every contract is declared from the
 * first version on, as adding one later asks the user for consent again.
 */
export function manifest() {
  return {
    id: "knowhub",
    name: "KnowHub",
    description:
      "A knowledge base for agents: offline, in Chinese and English, safe against poisoned knowledge (知识库)",
    categories: ["memory"],
    activation: { onStartup: true, onCommands: ["knowhub"] },
    contracts: {
      tools: TOOLS.map((tool) => tool.name),
      agentToolResultMiddleware: ["openclaw"],
    },
    toolMetadata: {
      kb_search: { replaySafe: true },
      kb_save: { sideEffecting: true },
      kb_update: { sideEffecting: true },
    },
    cliCommands: [
      {
        name: "knowhub",
        description: "Knowledge base: search, save, inspect, exchange (知识库)",
        hasSubcommands: true,
      },
    ],
    commandAliases: [{ name: "knowhub", kind: "runtime-slash", cliCommand: "knowhub" }],
    backupResources: [{ disposition: "include", scope: "state", relativePath: "knowhub" }],
    configContracts: {
      dangerousFlags: [{ path: "allowInsecureRemote", equals: true }],
      secretInputs: {
        paths: [
          { path: "apiKey", expected: "string", ownerKind: "capability" },
          { path: "embeddings.apiKey", expected: "string", ownerKind: "capability" },
        ],
      },
    },
    uiHints,
    configSchema,
  };
}
