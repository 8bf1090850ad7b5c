import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import type { Engine } from "../engine/engine.ts";
import { sessionOf } from "./session.ts";

/** Longest look at a tool result, in milliseconds. */
const TOOL_RESULT_TIMEOUT_MS = 60_000;

/**
 * Tool results reach a cloud model redacted in the same turn. The host withholds the result when this throws.
 */
export function registerToolResult(api: OpenClawPluginApi, engine: () => Engine): void {
  api.registerAgentToolResultMiddleware(
    async (event, ctx) => {
      const now = engine();
      if (!now.config().privacy.enabled) return;
      const session = sessionOf(ctx);
      const turn = now.turns.get(ctx.runId) ?? now.turns.inSession(session);
      if (turn?.localOnly === true) return;
      const signal = AbortSignal.timeout(TOOL_RESULT_TIMEOUT_MS);
      const content = await Promise.all(
        event.result.content.map(async (part) => {
          if (part.type !== "text") return part;
          const call = { session, agentId: ctx.agentId, toolName: event.toolName, params: event.args };
          const text = await now.tools.result(call, part.text, signal);
          return text === part.text ? part : { ...part, text };
        }),
      );
      if (content.every((part, i) => part === event.result.content[i])) return;
      return { result: { ...event.result, content } };
    },
    { runtimes: ["openclaw"] },
  );
}
