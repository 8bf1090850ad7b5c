export { acpPrompt } from "./acp.ts";
export { type Config, mergeConfig } from "./config.ts";
export {
  type Gateway,
  type GatewayOptions,
  modelServer,
  openclawEntry,
  PLUGIN_IDS,
  type PluginFolder,
  prepareGateway,
  root,
  startGateway,
} from "./gateway.ts";
export { openaiCompletions } from "./models/openai-completions.ts";
export type { Protocol, ProtocolRequest, Reply, ToolCall } from "./models/protocol.ts";
export { ModelServer, type RecordedRequest, type Script } from "./models/server.ts";
export { freePort } from "./ports.ts";
export type { Attachment, TurnOptions, TurnResult } from "./turns.ts";
export { GatewayClient, type GatewayEvent } from "./ws-client.ts";
