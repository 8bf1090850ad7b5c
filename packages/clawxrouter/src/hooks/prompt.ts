import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import type { Engine } from "../engine/engine.ts";
import { CLEAN_NAME } from "../memory/sync.ts";
import { sessionOf } from "./session.ts";

interface BootstrapFile {
  name: string;
  content?: string;
  missing?: boolean;
}

/**
 * Memory by the turn's verdict: a local turn reads the full text, any other the clean one. And the guard prompt for
 * private turns. What is put in is the same bytes turn after turn, so that prompt caches keep working.
 */
export function registerPrompt(api: OpenClawPluginApi, engine: () => Engine): void {
  const injected = new WeakSet<object>();
  api.registerHook(
    "agent:bootstrap",
    (event) => {
      const now = engine();
      const {
        bootstrapFiles,
        workspaceDir,
        agentId = "main",
        sessionKey = event.sessionKey,
      } = event.context as {
        bootstrapFiles?: BootstrapFile[];
        workspaceDir?: string;
        agentId?: string;
        sessionKey?: string;
      };
      if (!Array.isArray(bootstrapFiles) || workspaceDir === undefined || !now.config().privacy.enabled)
        return;
      now.memory.note(agentId, workspaceDir);
      const turn = now.turns.inSession(sessionKey);
      const file = bootstrapFiles.find((candidate) => candidate.name === CLEAN_NAME);
      if (file === undefined) return;
      const text = now.memory.text(agentId, workspaceDir, sessionKey, turn?.localOnly === true);
      if (text === undefined) return;
      file.content = text;
      if (turn !== undefined) injected.add(turn);
    },
    {
      name: "clawxrouter-memory",
      description: "Gives cloud turns the clean memory and local turns the full one",
    },
  );
  api.on("before_prompt_build", (_event, ctx) => {
    const now = engine();
    const session = sessionOf(ctx);
    now.traces.note(session, ctx.trace);
    now.memory.note(ctx.agentId, ctx.workspaceDir);
    const turn = now.turns.get(ctx.runId) ?? now.turns.inSession(session);
    if (turn?.localOnly !== true) return;
    const { toolsAllow } = now.config().privacy.guardAgent;
    const agentId = ctx.agentId ?? "main";
    const memory =
      injected.has(turn) || ctx.workspaceDir === undefined
        ? undefined
        : now.memory.text(agentId, ctx.workspaceDir, session, true);
    return {
      prependSystemContext: now.prompts.read("guard-agent-system").text,
      ...(memory === undefined || memory.trim() === ""
        ? {}
        : { prependContext: `Full memory of the user (this machine only):\n${memory}` }),
      ...(toolsAllow === undefined ? {} : { toolsAllow: [...toolsAllow] }),
    };
  });
  api.on("session_end", (event, ctx) => {
    const agentId = ctx.agentId ?? /^agent:([^:]+):/.exec(event.sessionKey ?? "")?.[1] ?? "main";
    engine().memory.sync(agentId);
  });
}
