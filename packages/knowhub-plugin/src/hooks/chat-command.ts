import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import { printable } from "../cli/output.ts";
import { statusLines } from "../cli/status.ts";
import { formatSearch } from "../tools/format.ts";
import type { PluginContext } from "./context.ts";

const USAGE = "/knowhub status\n/knowhub search <query>";

/** `/knowhub` in a chat: status, and a search whose result only the person reads. */
export function registerChatCommand(api: OpenClawPluginApi, context: PluginContext): void {
  api.registerCommand({
    name: "knowhub",
    description: "KnowHub: status, search (知识库状态与搜索)",
    acceptsArgs: true,
    handler: async (ctx) => {
      const [verb = "status", ...rest] = (ctx.args ?? "").trim().split(/\s+/).filter(Boolean);
      try {
        const hub = context.hub();
        if (verb === "status")
          return { text: statusLines(hub, context.config(), ctx.config, context.language).join("\n") };
        if (verb !== "search" || rest.length === 0) return { text: USAGE };
        const outcome = await hub
          .backend(context.config())
          .search({ query: rest.join(" "), topK: 5, minScore: 1 });
        return { text: printable(formatSearch(outcome, context.language)) };
      } catch (error) {
        return { text: `knowhub: ${error instanceof Error ? error.message : String(error)}` };
      }
    },
  });
}
