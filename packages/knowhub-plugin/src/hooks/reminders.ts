import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import { type Due, GOES_ON, ReminderSchedule, startedByPerson } from "../reminders/schedule.ts";
import { REMINDERS } from "../reminders/texts.ts";
import type { PluginContext } from "./context.ts";
import { quietly } from "./quietly.ts";

/**
 * The notice once a session and a reminder every N model calls.
 *
 * A call that starts a turn gets its reminder with the prompt; a call that follows a tool gets it at the end of the tool's
 * result, as the host builds the prompt only once a turn. Both are the same constant bytes.
 */
export function registerReminders(api: OpenClawPluginApi, context: PluginContext): void {
  if (context.configError || context.config().reminderMode === "off") return;
  const { notice, periodic } = REMINDERS[context.language];
  const schedule = new ReminderSchedule({
    mode: context.config().reminderMode,
    db: () => context.hub().store().db,
    runs: () => context.hub().runs,
  });
  const guard = quietly(api);

  api.on("before_prompt_build", (_event, ctx) =>
    guard("reminder", () => {
      const { runId } = ctx;
      const session = ctx.sessionKey ?? ctx.sessionId;
      if (!runId || !session || !startedByPerson(ctx)) return undefined;
      const text = textOf(schedule.beginRun(runId, session, Date.now()));
      return text === undefined ? undefined : { prependContext: text };
    }),
  );
  api.on("model_call_started", (event) =>
    guard("counting calls", () => schedule.callStarted(event.runId, Date.now())),
  );
  api.on("agent_end", (event, ctx) =>
    guard("end of run", () => schedule.endRun(event.runId ?? ctx.runId ?? "")),
  );
  api.on("session_end", (event, ctx) =>
    guard("end of session", () => {
      if (GOES_ON.has(event.reason ?? "")) return;
      const session = event.sessionKey ?? ctx.sessionKey ?? event.sessionId;
      schedule.endSession(session);
    }),
  );
  api.registerAgentToolResultMiddleware(
    ({ result }, ctx) =>
      guard("reminder", () => {
        if (!ctx.runId || !schedule.dueAfterTool(ctx.runId)) return undefined;
        return {
          result: { ...result, content: [...result.content, { type: "text" as const, text: periodic }] },
        };
      }),
    { runtimes: ["openclaw"] },
  );

  function textOf(due: Due): string | undefined {
    if (due === "both") return `${notice}\n${periodic}`;
    return due === "notice" ? notice : due === "periodic" ? periodic : undefined;
  }
}
