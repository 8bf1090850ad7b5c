import { definePluginEntry } from "openclaw/plugin-sdk/plugin-entry";
import { registerCli } from "./cli/register.ts";
import { pluginContext } from "./hooks/context.ts";
import { registerService } from "./hooks/service.ts";
import { registerTools } from "./hooks/tools.ts";

export default definePluginEntry({
  id: "knowhub",
  name: "KnowHub",
  description:
    "A knowledge base for agents: offline, in Chinese and English, safe against poisoned knowledge",
  register(api) {
    const context = pluginContext(api);
    registerTools(api, context);
    registerService(api, context);
    registerCli(api, context);
  },
});
