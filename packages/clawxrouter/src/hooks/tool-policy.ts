import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import type { Engine } from "../engine/engine.ts";
import { sessionOf } from "./session.ts";

/** Id declared in the manifest's `contracts.trustedToolPolicies`. */
export const TOOL_POLICY_ID = "clawxrouter-private-files";

/** Private files and tools are for local turns only. */
export function registerToolPolicy(api: OpenClawPluginApi, engine: () => Engine): void {
  api.registerTrustedToolPolicy({
    id: TOOL_POLICY_ID,
    description: "Keeps private files and tools away from cloud models",
    evaluate: async (event, ctx) => {
      const now = engine();
      if (!now.config().privacy.enabled) return;
      const session = sessionOf(ctx);
      const turn = now.turns.get(event.runId ?? ctx.runId) ?? now.turns.inSession(session);
      const call = { session, agentId: ctx.agentId, toolName: event.toolName, params: event.params };
      if (turn?.localOnly === true) {
        now.tools.note(call, turn.level);
        return;
      }
      const reason = await now.tools.stop(call, event.derivedPaths ?? []);
      return reason === undefined ? undefined : { block: true, blockReason: reason };
    },
  });
}
