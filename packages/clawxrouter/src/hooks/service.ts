import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import type { Engine } from "../engine/engine.ts";
import { dropSharedEngine, replaceSharedEngine } from "../engine/shared.ts";
import { engineOptions } from "./engine-of.ts";

/** Ports and databases open when the gateway starts the service, and close with it. */
export function registerService(api: OpenClawPluginApi): void {
  let engine: Engine | undefined;
  api.registerService({
    id: "clawxrouter",
    async start(ctx) {
      engine = await replaceSharedEngine({ ...engineOptions(api, ctx.stateDir), log: ctx.logger });
      await engine.start();
    },
    async stop() {
      const stopping = engine;
      engine = undefined;
      if (stopping !== undefined) await dropSharedEngine(stopping);
    },
  });
}
