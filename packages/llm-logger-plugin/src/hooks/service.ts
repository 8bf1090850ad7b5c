/** The gateway service: starts the process's logger with the settings of the moment and undoes everything on stop. */
import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import { ConfigError, PLUGIN_ID, parseConfig } from "../config.ts";

export function createService(api: OpenClawPluginApi): Parameters<OpenClawPluginApi["registerService"]>[0] {
  return {
    id: PLUGIN_ID,
    async start(ctx) {
      try {
        const config = parseConfig(api.pluginConfig);
        if (!config.enabled) {
          ctx.logger.info("enabled is false: nothing is captured");
          return;
        }
        const hostVersion = hostVersionOf(api);
        const { startLogger } = await import("../logger.ts");
        await startLogger({
          config,
          stateDir: ctx.stateDir,
          hostConfig: ctx.config,
          conversationAccess: hasConversationAccess(ctx.config, hostVersion),
          hostVersion,
          log: ctx.logger,
        });
      } catch (error) {
        // A logger that cannot start must not keep the gateway from starting.
        const what = error instanceof ConfigError ? error.message : `cannot start: ${String(error)}`;
        ctx.logger.error(`model calls are NOT logged. ${what}`);
      }
    },
    async stop() {
      const { stopLogger } = await import("../logger.ts");
      await stopLogger();
    },
  };
}

function hostVersionOf(api: OpenClawPluginApi): string | undefined {
  const version: unknown = Reflect.get(api.runtime ?? {}, "version");
  return typeof version === "string" ? version : undefined;
}

/** Hosts before 2026.4 have no conversation gate: every plugin gets the hooks. */
function hasConversationAccess(hostConfig: unknown, hostVersion: string | undefined): boolean {
  const gateless = /^(\d{4})\.(\d{1,2})\./.exec(hostVersion ?? "");
  if (gateless && Number(gateless[1]) * 100 + Number(gateless[2]) < 202_604) return true;
  let value: unknown = hostConfig;
  for (const key of ["plugins", "entries", PLUGIN_ID, "hooks", "allowConversationAccess"]) {
    value = typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
  }
  return value === true;
}
