/** LLM logger for OpenClaw: what is registered with the host, and nothing else. */
import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import packageJson from "../package.json" with { type: "json" };
import { registerCli } from "./cli/register.ts";
import { configSchema, PLUGIN_ID } from "./config.ts";
import { onAfterCompaction, onBeforeCompaction } from "./hooks/compaction.ts";
import { onLlmInput } from "./hooks/llm-input.ts";
import { onLlmOutput } from "./hooks/llm-output.ts";
import { onModelCallEnded, onModelCallStarted } from "./hooks/model-call.ts";
import { createService } from "./hooks/service.ts";
import { registerChatCommand, registerStatusPage } from "./web/register.ts";

export default {
  id: PLUGIN_ID,
  name: "LLM Logger",
  description: packageJson.description,
  version: packageJson.version,
  configSchema: { jsonSchema: configSchema },
  register(api: OpenClawPluginApi): void {
    api.registerService(createService(api));
    api.on("llm_input", onLlmInput);
    api.on("llm_output", onLlmOutput);
    api.on("model_call_started", onModelCallStarted);
    api.on("model_call_ended", onModelCallEnded);
    api.on("before_compaction", onBeforeCompaction);
    api.on("after_compaction", onAfterCompaction);
    registerCli(api);
    registerChatCommand(api);
    registerStatusPage(api);
  },
};
