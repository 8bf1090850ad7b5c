/** Makes the semantic detector that the settings ask for, and refuses one that would send text away. */
import type { PrivacyConfig } from "../config-file/schema.ts";
import { isLocalUrl } from "../setup/local-host.ts";
import { CustomDetector } from "./custom.ts";
import { LocalModelDetector } from "./local-model.ts";
import { OllamaNative } from "./protocols/ollama-native.ts";
import { OpenAICompatible } from "./protocols/openai-compatible.ts";
import type { SemanticDetector } from "./types.ts";

/**
 * @param prompt live system prompt
 * @returns undefined when no local model is switched on
 * @throws for an endpoint that is not local, or a custom type without a module
 */
export function semanticDetector(
  privacy: PrivacyConfig,
  prompt: () => string,
  configFile: string,
): SemanticDetector | undefined {
  const config = privacy.localModel;
  if (!config.enabled) return undefined;
  if (config.type === "custom") {
    if (config.module === undefined) throw new Error('privacy.localModel: type "custom" needs a module');
    return new CustomDetector(config, config.module, configFile);
  }
  if (!isLocalUrl(config.endpoint, privacy.localHosts)) {
    throw new Error(
      `privacy.localModel.endpoint: ${hostOf(config.endpoint)} is neither on this machine nor in privacy.localHosts; text that may be private is not sent there`,
    );
  }
  const { endpoint, model } = config;
  if (config.type === "ollama-native")
    return new LocalModelDetector(config, new OllamaNative({ endpoint, model }), prompt);
  const apiKey = config.apiKeyEnv === undefined ? undefined : process.env[config.apiKeyEnv];
  return new LocalModelDetector(config, new OpenAICompatible({ endpoint, model, apiKey }), prompt);
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "the given value (no URL)";
}
