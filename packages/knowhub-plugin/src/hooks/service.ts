import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import { retire } from "../service/instances.ts";
import type { PluginContext } from "./context.ts";

/** Opens the knowledge base when the gateway starts, so that a fault is said at once, and closes it when it stops. */
export function registerService(api: OpenClawPluginApi, context: PluginContext): void {
  api.registerService({
    id: "knowhub",
    async start() {
      if (context.configError) return;
      try {
        const hub = context.hub();
        hub.complete = async ({ system, user }, signal) => {
          const { text } = await api.runtime.llm.complete({
            systemPrompt: system,
            messages: [{ role: "user", content: user }],
            purpose: "knowhub",
            signal,
          });
          return text;
        };
        await hub.start(context.config());
      } catch (error) {
        // The gateway must start without a knowledge base; each tool call tries again and says what is wrong.
        api.logger.error(`knowhub: ${error instanceof Error ? error.message : String(error)}`);
      }
    },
    async stop() {
      await retire(context.hub());
    },
  });
}
