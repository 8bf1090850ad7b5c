import { definePluginEntry } from "openclaw/plugin-sdk/plugin-entry";
import { registerCli } from "./cli/register.ts";
import { registerChatCommand } from "./hooks/chat-command.ts";
import { pluginContext } from "./hooks/context.ts";
import { registerExtraction } from "./hooks/extraction.ts";
import { registerLegacyNotice } from "./hooks/legacy.ts";
import { registerRecall } from "./hooks/recall.ts";
import { registerReminders } from "./hooks/reminders.ts";
import { registerService } from "./hooks/service.ts";
import { registerTools } from "./hooks/tools.ts";

export default definePluginEntry({
  id: "knowhub",
  name: "KnowHub",
  description:
    "A knowledge base for agents: offline, in Chinese and English, safe against poisoned knowledge",
  register(api) {
    const context = pluginContext(api);
    registerCli(api, context);
    // The host only asks for the commands then, and has no runtime to give.
    if (api.registrationMode === "cli-metadata") return;
    registerTools(api, context);
    registerReminders(api, context);
    registerLegacyNotice(api, context);
    registerRecall(api, context);
    registerExtraction(api, context);
    registerService(api, context);
    registerChatCommand(api, context);
  },
});
