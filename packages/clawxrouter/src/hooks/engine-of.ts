import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import { parsePluginConfig } from "../config.ts";
import type { Engine, EngineOptions } from "../engine/engine.ts";
import { sharedEngine } from "../engine/shared.ts";

/** How an engine is made from the host's registration: nothing is opened here. */
export function engineOptions(api: OpenClawPluginApi, stateDir?: string): EngineOptions {
  const { configFile } = parsePluginConfig(api.pluginConfig);
  return {
    stateDir: stateDir ?? api.runtime.state.resolveStateDir(),
    configFile: configFile === undefined ? undefined : api.resolvePath(configFile),
    hostConfig: () => api.runtime.config.current(),
    log: api.logger,
  };
}

/** The engine of this process, made when a hook first needs it. */
export function engineOf(api: OpenClawPluginApi): () => Engine {
  return () => sharedEngine(() => engineOptions(api));
}
