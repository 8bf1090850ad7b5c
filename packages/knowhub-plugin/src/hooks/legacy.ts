import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import { REMINDERS } from "../reminders/texts.ts";
import type { PluginContext } from "./context.ts";

/** Whether a host still has before_agent_start; it was removed by 2026.8.1. */
export function hasAgentStart(version: string): boolean {
  const [year = 0, month = 0] = version.split(".").map(Number);
  return year > 0 && (year < 2026 || (year === 2026 && month < 8));
}

/** On an older host the notice goes through before_agent_start; a newer one would warn of an unknown hook. */
export function registerLegacyNotice(api: OpenClawPluginApi, context: PluginContext): void {
  if (context.configError || context.config().reminderMode === "off" || !hasAgentStart(api.runtime.version))
    return;
  const { notice } = REMINDERS[context.language];
  const on = api.on as unknown as (name: string, handler: () => { prependContext: string }) => void;
  on("before_agent_start", () => ({ prependContext: notice }));
}
