/** The gateway page and the chat command: the status, as the running logger has it. */
import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import { statusText } from "../cli/status.ts";
import { shared } from "../process-state.ts";
import type { LoggerStatus } from "../status.ts";
import { handleStatusPage } from "./status-page.ts";

export const STATUS_PATH = "/plugins/llm-logger/status";

function currentStatus(): LoggerStatus | undefined {
  return shared().active?.status();
}

export function registerStatusPage(api: OpenClawPluginApi): void {
  api.registerHttpRoute({
    path: STATUS_PATH,
    auth: "plugin",
    match: "exact",
    replaceExisting: true,
    handler: (request, response) => handleStatusPage(request, response, currentStatus),
  });
}

export function registerChatCommand(api: OpenClawPluginApi): void {
  api.registerCommand({
    name: "llm-logs",
    description: "Is every model call logged? / 模型调用日志状态",
    acceptsArgs: false,
    requireAuth: true,
    handler: () => {
      const status = currentStatus();
      return {
        text: status
          ? `\`\`\`\n${statusText(status)}\`\`\``
          : "The LLM logger does not run. / 模型调用日志未运行。",
      };
    },
  });
}
