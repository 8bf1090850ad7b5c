import type { AnyAgentTool, OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import { runTool, TOOLS } from "../tools/tools.ts";
import type { PluginContext } from "./context.ts";

/** kb_search, kb_save and kb_update for every agent, each call with the agent and session it comes from. */
export function registerTools(api: OpenClawPluginApi, context: PluginContext): void {
  for (const tool of TOOLS) {
    api.registerTool(
      (ctx): AnyAgentTool => ({
        name: tool.name,
        label: tool.label,
        // With many tools the host hides most behind a search tool; a model that must look for its memory never does.
        catalogMode: "direct-only",
        description: tool.description,
        parameters: tool.parameters,
        execute: async (_toolCallId: string, params: unknown, signal?: AbortSignal) => {
          const runtime = {
            language: context.language,
            backend: async () => context.hub().backend(context.config()),
            healing: <T>(work: () => Promise<T>) => context.hub().healing(work),
            actor: {
              kind: "agent" as const,
              agentId: ctx.agentId ?? "main",
              session: ctx.sessionKey ?? ctx.sessionId ?? "unknown",
            },
            log: (message: string) => api.logger.warn(`knowhub: ${message}`),
          };
          return runTool(tool, runtime, params, signal);
        },
      }),
      { name: tool.name },
    );
  }
}
