import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import type { Engine } from "../engine/engine.ts";
import { isOurProxy } from "../engine/probe.ts";
import { startCallerCheck } from "../guard/caller-check.ts";

/** From the moment the plugin is loaded, in whatever process: no request for the proxy goes to anybody else. */
export function registerCallerCheck(api: OpenClawPluginApi, engine: () => Engine): void {
  startCallerCheck({
    isOurProxy: async (port) => isOurProxy(port, engine().installKey()),
    refused: (origin) =>
      api.logger.error(
        `clawxrouter: 已拦下发往 ${origin} 的请求：在那里监听的不是 ClawXRouter 的代理。请先启动网关。\n` +
          `clawxrouter: stopped a request to ${origin}: whoever listens there is not ClawXRouter's proxy. Start the gateway first.`,
      ),
  });
}
