export {
  type Config,
  type Gateway,
  type GatewayOptions,
  mergeConfig,
  modelServer,
  PLUGIN_IDS,
  type PluginFolder,
  prepareGateway,
  root,
  startGateway,
  type TurnOptions,
  type TurnResult,
} from "./gateway.ts";
export { openaiCompletions } from "./models/openai-completions.ts";
export type { Protocol, ProtocolRequest, Reply, ToolCall } from "./models/protocol.ts";
export { ModelServer, type RecordedRequest, type Script } from "./models/server.ts";
export { freePort } from "./ports.ts";
export { GatewayClient, type GatewayEvent } from "./ws-client.ts";
