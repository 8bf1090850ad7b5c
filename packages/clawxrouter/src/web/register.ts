/** Hangs the dashboard on the gateway. The engine may be replaced by a reload; its dashboard goes with it. */
import { readFileSync } from "node:fs";
import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import type { Engine } from "../engine/engine.ts";
import { mutateHost } from "../hooks/mutate-host.ts";
import { sendError } from "./http/answer.ts";
import { Assets } from "./http/assets.ts";
import { ApiError } from "./http/errors.ts";
import { gatewayOrigin } from "./origin.ts";
import { BASE_PATH } from "./routes.ts";
import { DashboardServer } from "./server.ts";

/** A gateway holds several instances of this module, and one engine. */
const KEY = Symbol.for("clawxrouter.dashboard");
type Holder = { [KEY]?: { engine: Engine; server: DashboardServer } };

export function registerDashboard(api: OpenClawPluginApi, engine: () => Engine): void {
  api.registerHttpRoute({
    path: BASE_PATH,
    auth: "plugin",
    match: "prefix",
    replaceExisting: true,
    handler: async (request, response) => {
      const now = engine();
      if (!now.isRunning()) {
        sendError(
          response,
          new ApiError("unavailable", "ClawXRouter is starting", { retryAfterMs: 1_000 }),
          () => {},
        );
        return true;
      }
      try {
        await serverOf(now, api).handle(request, response);
      } catch (error) {
        // A ledger that cannot be opened: said in the log, and the gateway goes on.
        sendError(response, error, (message) => api.logger.error(message));
      }
      return true;
    },
  });
  api.on("gateway_start", (event) => {
    const origin = gatewayOrigin(engine().hostConfig(), event.port);
    api.logger.info(`ClawXRouter Ready! Dashboard → ${origin}${BASE_PATH}`);
  });
}

function serverOf(engine: Engine, api: OpenClawPluginApi): DashboardServer {
  const holder = globalThis as Holder;
  const held = holder[KEY];
  if (held?.engine === engine) return held.server;
  void held?.server.stop();
  const server = new DashboardServer({
    engine,
    assets: new Assets(),
    mutateHost: mutateHost(api),
    version: versionOf(),
  });
  holder[KEY] = { engine, server };
  engine.onStop(() => {
    if (holder[KEY]?.server === server) delete holder[KEY];
    void server.stop();
  });
  return server;
}

function versionOf(): string {
  try {
    // `dist/index.js` and `src/web/register.ts` have the package's file at different places above them.
    const here = import.meta.url;
    const file = new URL(here.endsWith(".ts") ? "../../package.json" : "../package.json", here);
    const { version } = JSON.parse(readFileSync(file, "utf8")) as { version?: unknown };
    return typeof version === "string" ? version : "";
  } catch {
    return "";
  }
}
