import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import type { Engine } from "../engine/engine.ts";

/** Tells the proxy which conversation the requests of a trace belong to; this hook needs no conversation access. */
export function registerModelCall(api: OpenClawPluginApi, engine: () => Engine): void {
  api.on("model_call_started", (event, ctx) => {
    engine().turns.touch(event.runId);
    const session = event.sessionKey ?? ctx.sessionKey;
    if (session !== undefined) engine().traces.note(session, ctx.trace);
  });
  api.on("agent_end", (event, ctx) => {
    const now = engine();
    now.turns.end(event.runId ?? ctx.runId);
    // A turn may have written into the memory files: private values move to the full side at once.
    if (ctx.agentId !== undefined) now.memory.sync(ctx.agentId, ctx.workspaceDir);
  });
}
