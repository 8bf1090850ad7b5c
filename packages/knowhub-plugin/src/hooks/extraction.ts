import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import { forgetSession } from "../extraction/extractor.ts";
import { GOES_ON, startedByPerson } from "../reminders/schedule.ts";
import type { PluginContext } from "./context.ts";
import { quietly } from "./quietly.ts";

interface Origin {
  trigger?: string;
  sessionKey?: string;
  sessionId?: string;
  agentId?: string;
}

/** Message-history extraction, off by default: takes over what is new after the hook has returned, never within it. */
export function registerExtraction(api: OpenClawPluginApi, context: PluginContext): void {
  if (context.configError || !context.config().enableServerExtraction) return;
  const config = context.config();
  const guard = quietly(api);

  const take = (messages: readonly unknown[] | undefined, ctx: Origin) => {
    const sessionKey = ctx.sessionKey ?? ctx.sessionId;
    if (!sessionKey || !Array.isArray(messages) || !startedByPerson(ctx)) return;
    // The host may go on changing the array.
    const snapshot = [...messages];
    setImmediate(() =>
      guard("extraction", () =>
        context.hub().extract(config, snapshot, { agentId: ctx.agentId ?? "main", sessionKey }),
      ),
    );
  };

  if (config.extractionTrigger === "before_compaction") {
    api.on("before_compaction", (event, ctx) => take(event.messages, ctx));
  } else {
    api.on("agent_end", (event, ctx) => {
      if (event.success) take(event.messages, ctx);
    });
  }

  api.on("session_end", (event, ctx) =>
    guard("end of session", () => {
      if (GOES_ON.has(event.reason ?? "")) return;
      const session = event.sessionKey ?? ctx.sessionKey ?? event.sessionId;
      // After what the last turn has still to hand over.
      setImmediate(() => guard("end of session", () => forgetSession(context.hub().store(), session)));
    }),
  );
}
