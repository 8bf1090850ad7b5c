import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import { ConfigError, type KnowHubConfig, parseConfig } from "../config.ts";
import { knowHubFor } from "../service/instances.ts";
import type { KnowHub } from "../service/knowhub.ts";
import type { Language } from "../tools/messages.ts";

/** What every registration of the plugin needs: its settings, checked once, and the process's one knowledge base. */
export interface PluginContext {
  /** @throws ConfigError naming every wrong setting */
  config(): KnowHubConfig;
  configError: ConfigError | undefined;
  language: Language;
  hub(): KnowHub;
}

/** Reads the settings. Wrong ones are logged and kept: the host goes on, every use of the plugin says what is wrong. */
export function pluginContext(api: OpenClawPluginApi): PluginContext {
  let parsed: KnowHubConfig | undefined;
  let configError: ConfigError | undefined;
  try {
    parsed = parseConfig(api.pluginConfig);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    configError = error;
    if (api.registrationMode === "full") api.logger.error(error.message);
  }
  const language: Language = parsed?.language ?? (api.pluginConfig?.language === "en" ? "en" : "zh");
  return {
    configError,
    language,
    config() {
      if (parsed) return parsed;
      throw configError ?? new Error("knowhub: no settings");
    },
    hub: () => knowHubFor(api.runtime.state.resolveStateDir(), api.logger),
  };
}
