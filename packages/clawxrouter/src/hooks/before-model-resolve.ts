import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import type { Engine } from "../engine/engine.ts";
import { sessionOf } from "./session.ts";

/**
 * Where a turn goes. The host goes on with its default cloud model after a throw, so deciding never throws: a
 * failure is a private turn, and the gate stops it if no local model takes it.
 */
export function registerBeforeModelResolve(api: OpenClawPluginApi, engine: () => Engine): void {
  api.on(
    "before_model_resolve",
    async (event, ctx) => {
      const now = engine();
      now.traces.note(sessionOf(ctx), ctx.trace);
      const turn = await now.router.decide({
        runId: ctx.runId,
        sessionKey: sessionOf(ctx),
        agentId: ctx.agentId,
        prompt: event.prompt,
        attachments: event.attachments,
        currentModel: { provider: ctx.modelProviderId, model: ctx.modelId },
      });
      if (turn.override === undefined) return;
      return { providerOverride: turn.override.provider, modelOverride: turn.override.model };
    },
    { priority: 1_000 },
  );
}
