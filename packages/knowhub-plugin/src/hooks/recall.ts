import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import { startedByPerson } from "../reminders/schedule.ts";
import { volunteer } from "../service/volunteer.ts";
import type { PluginContext } from "./context.ts";
import { quietly } from "./quietly.ts";

/** `autoRecall`: trusted items that fit the first message of a session, put before it. Off by default. */
export function registerRecall(api: OpenClawPluginApi, context: PluginContext): void {
  if (context.configError || !context.config().autoRecall) return;
  const guard = quietly(api);
  api.on("before_prompt_build", (event, ctx) =>
    guard("recall", () => {
      // Only the first message: text that differs from turn to turn spoils the provider's prompt cache.
      if (event.messages.length > 0 || !startedByPerson(ctx)) return undefined;
      const hub = context.hub();
      const text = volunteer(event.currentUserMessage ?? event.prompt, {
        store: hub.store(),
        screener: hub.screener,
        language: context.language,
        now: Date.now(),
      });
      return text === undefined ? undefined : { prependContext: text };
    }),
  );
}
