import { definePluginEntry, type OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import { registerCli } from "./cli/index.ts";
import { registerBeforeAgentRun } from "./hooks/before-agent-run.ts";
import { registerBeforeMessageWrite } from "./hooks/before-message-write.ts";
import { registerBeforeModelResolve } from "./hooks/before-model-resolve.ts";
import { registerCallerCheck } from "./hooks/caller-check.ts";
import { registerChatCommand } from "./hooks/chat-command.ts";
import { engineOf } from "./hooks/engine-of.ts";
import { registerMessageSending } from "./hooks/message-sending.ts";
import { registerModelCall } from "./hooks/model-call.ts";
import { registerPrompt } from "./hooks/prompt.ts";
import { registerService } from "./hooks/service.ts";
import { registerToolPolicy } from "./hooks/tool-policy.ts";
import { registerToolResult } from "./hooks/tool-result.ts";
import { registerDashboard } from "./web/register.ts";

/** ClawXRouter: private text never reaches a cloud model; simple work goes to cheap ones. */
export default definePluginEntry({
  id: "clawxrouter",
  name: "ClawXRouter",
  description: "Privacy and cost router: private text stays home, simple work goes to cheap models",
  register(api: OpenClawPluginApi) {
    const engine = engineOf(api);
    registerCallerCheck(api, engine);
    registerService(api);
    registerBeforeMessageWrite(api, engine);
    registerBeforeModelResolve(api, engine);
    registerBeforeAgentRun(api, engine);
    registerModelCall(api, engine);
    registerToolResult(api, engine);
    registerToolPolicy(api, engine);
    registerMessageSending(api, engine);
    registerPrompt(api, engine);
    registerChatCommand(api, engine);
    registerDashboard(api, engine);
    registerCli(api, engine);
  },
});
