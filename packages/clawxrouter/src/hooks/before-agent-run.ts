import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import type { Engine } from "../engine/engine.ts";
import { MESSAGES } from "../routing/messages.ts";
import { sessionOf } from "./session.ts";

/** The gate: the host fails closed here, so a private turn on a provider that is not local ends with an explanation. */
export function registerBeforeAgentRun(api: OpenClawPluginApi, engine: () => Engine): void {
  api.on(
    "before_agent_run",
    async (event, ctx) => {
      const now = engine();
      const session = sessionOf(ctx);
      now.traces.note(session, ctx.trace);
      const turn = await now.router.decide({
        runId: ctx.runId,
        sessionKey: session,
        agentId: ctx.agentId,
        prompt: event.prompt,
        currentModel: { provider: ctx.modelProviderId, model: ctx.modelId },
      });
      const isProtected = now.models.isProtected(ctx.modelProviderId);
      const gate = now.router.gate(turn, ctx.modelProviderId, isProtected);
      // Without the gateway (`agent --local`) nobody answers at the proxy's port: say so instead of a network error.
      const message =
        gate ??
        (now.models.isStranded(ctx.modelProviderId)
          ? MESSAGES.stranded(ctx.modelProviderId ?? "?")
          : undefined) ??
        (isProtected && !(await now.proxyAnswers()) ? MESSAGES.proxyDown() : undefined);
      if (message === undefined) return { outcome: "pass" as const };
      api.logger.warn(
        `clawxrouter: turn stopped before model ${ctx.modelProviderId}/${ctx.modelId}: ${turn.level}, ${turn.reason}`,
      );
      now.turns.end(turn.runId);
      return {
        outcome: "block" as const,
        reason: `clawxrouter: ${turn.level}`,
        message,
      };
    },
    { priority: 1_000 },
  );
}
