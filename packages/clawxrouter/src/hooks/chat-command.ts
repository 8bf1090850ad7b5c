import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import { RouterApi } from "../api/index.ts";
import type { Engine } from "../engine/engine.ts";

const HELP = "/clawxrouter status | posture | stats | route <text>";

/** `/clawxrouter` in chat: looks only, changes nothing. */
export function registerChatCommand(api: OpenClawPluginApi, engine: () => Engine): void {
  api.registerCommand({
    name: "clawxrouter",
    description: "ClawXRouter: privacy posture, statistics, where a message would go",
    acceptsArgs: true,
    requireAuth: true,
    handler: async (ctx) => ({
      text: await answer(new RouterApi(engine()), ctx.args?.trim() ?? "", ctx.sessionKey, engine()),
    }),
  });
}

async function answer(
  router: RouterApi,
  args: string,
  sessionKey: string | undefined,
  engine: Engine,
): Promise<string> {
  const [word = "status", ...rest] = args.split(/\s+/).filter((part) => part !== "");
  switch (word) {
    case "posture": {
      const { state, items } = router.posture();
      return [
        `ClawXRouter: ${state}`,
        ...items.map((item) => `${item.ok ? "✓" : "✗"} ${item.text}${item.fix ? ` → ${item.fix}` : ""}`),
      ].join("\n");
    }
    case "stats": {
      const { turns, requests, cost } = router.summary();
      const levels = Object.entries(turns.byLevel).map(([level, n]) => `${level} ${n}`);
      return `30 days: ${turns.total === 0 ? "no decisions" : levels.join(", ")}; ${requests.total} requests, ${cost.spentUsd.toFixed(4)} USD${cost.unpriced > 0 ? ` (+ ${cost.unpriced} of unknown price)` : ""}`;
    }
    case "route": {
      const text = rest.join(" ");
      if (text === "") return HELP;
      const turn = await router.testRoute(text);
      const target =
        turn.override === undefined
          ? "the default model"
          : `${turn.override.provider}/${turn.override.model}`;
      return `${turn.level}${turn.tier ? ` ${turn.tier}` : ""} → ${turn.blocked === undefined ? target : "blocked"} (${turn.reason})`;
    }
    case "status": {
      const last = router.detections({
        limit: 1,
        ...(sessionKey === undefined ? {} : { session: sessionKey }),
      })[0];
      const { port, failure } = engine.egress.state();
      const proxy =
        port === undefined ? `proxy down: ${failure ?? "not started"}` : `proxy on 127.0.0.1:${port}`;
      const latest =
        last === undefined
          ? "no decision yet in this conversation"
          : `last decision here: ${last.level} by ${last.router ?? "-"} → ${last.route} (${last.reason})`;
      return `ClawXRouter ${router.posture().state}; ${proxy}; ${latest}\n${HELP}`;
    }
    default:
      return HELP;
  }
}
