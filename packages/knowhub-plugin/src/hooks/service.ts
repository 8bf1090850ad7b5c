import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import type { PluginContext } from "./context.ts";

/** Opens the knowledge base when the gateway starts, so that a fault is said at once, and closes it when it stops. */
export function registerService(api: OpenClawPluginApi, context: PluginContext): void {
  api.registerService({
    id: "knowhub",
    start() {
      if (context.configError) return;
      try {
        context.hub().store();
      } catch (error) {
        // The gateway must start without a knowledge base; each tool call tries again and says what is wrong.
        api.logger.error(`knowhub: ${error instanceof Error ? error.message : String(error)}`);
      }
    },
    stop() {
      context.hub().close();
    },
  });
}
