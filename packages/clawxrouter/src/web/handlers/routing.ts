/** Trying texts and rules, the user's models, and the replay. Nothing is sent to a cloud model. */
import { ReplayError, replay } from "../../api/replay.ts";
import { priceOf } from "../../cost/prices.ts";
import type { PipelineResult, RoutedDecision, RouterDecision } from "../../routing/types.ts";
import type { Dashboard, Handlers } from "../context.ts";
import type { Answer, Route } from "../contract.ts";
import { ApiError } from "../http/errors.ts";

export const routingHandlers: Handlers<"rulesValidate" | "testClassify" | "testRoute" | "models" | "replay"> =
  {
    async rulesValidate({ dashboard, body }) {
      const { patterns, keywords } = await dashboard.worker.ask("rules", {
        patterns: body.patterns,
        keywords: body.keywords,
        sample: body.sample,
      });
      return { patterns, keywords };
    },

    async testClassify({ dashboard: { api, engine }, body }) {
      const checkpoint = body.checkpoint ?? "onUserMessage";
      if (body.router !== undefined && !Object.hasOwn(engine.config().privacy.routers, body.router))
        throw new ApiError("invalid", "there is no such router", { path: "/router" });
      const started = performance.now();
      const result = await api.testClassify(body.message, checkpoint, body.router, body.tool);
      return {
        merged: { ...verdictOf(result), router: result.router ?? null },
        routers: result.decisions.map((decision: RoutedDecision) => ({
          ...verdictOf(decision),
          router: decision.router,
          weight: decision.weight,
          confidence: decision.confidence ?? null,
          ms: decision.durationMs,
          error: decision.error ?? null,
        })),
        skipped: [...result.skipped],
        plan: engine.pipeline.plan(checkpoint),
        ms: performance.now() - started,
      };
    },

    async testRoute({ dashboard: { api }, body }) {
      const turn = await api.testRoute(body.message);
      const route: Route =
        turn.blocked !== undefined
          ? "blocked"
          : turn.localOnly
            ? "local"
            : turn.level === "S2"
              ? "redacted"
              : "cloud";
      return {
        level: turn.level,
        route,
        target: turn.override ?? null,
        tier: turn.tier ?? null,
        reason: turn.reason,
        blocked: turn.blocked ?? null,
        cloud:
          route === "cloud" || route === "redacted"
            ? withNames(body.message, turn.result?.findings ?? [])
            : null,
      };
    },

    models: ({ dashboard }) => modelsOf(dashboard),

    async replay({ dashboard: { engine, worker }, body }) {
      engine.ledger().settle();
      const turns = await worker.ask("replayable", { limit: body.limit });
      try {
        return await replay(engine, turns, body.settings);
      } catch (error) {
        if (error instanceof ReplayError) throw new ApiError("invalid", error.message, { path: error.path });
        throw error;
      }
    },
  };

function verdictOf(decision: RouterDecision | PipelineResult) {
  return {
    level: decision.level,
    action: decision.action,
    target: decision.target ?? null,
    tier: decision.tier ?? null,
    reason: decision.reason ?? null,
    degraded: decision.degraded ?? null,
    findings: (decision.findings ?? []).map(({ start, end, type, level, rule, confidence }) => ({
      start,
      end,
      type,
      level,
      rule,
      confidence,
    })),
  };
}

/** As it would leave, without taking anything into the vault: a try is no conversation. */
function withNames(
  text: string,
  findings: readonly { start: number; end: number; type: string; level: string }[],
): string {
  let out = "";
  let at = 0;
  const names = new Map<string, string>();
  for (const { start, end, type, level } of findings.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (end <= at) continue;
    const kind = `${level === "S3" ? "PRIVATE" : "REDACTED"}:${type}`;
    // The same value is the same placeholder, as in a conversation.
    const value = `${kind} ${text.slice(start, end)}`;
    const n = [...names.keys()].filter((key) => key.startsWith(`${kind} `)).length + 1;
    const name = names.get(value) ?? `[${kind}_${n}]`;
    names.set(value, name);
    out += `${text.slice(at, Math.max(at, start))}${name}`;
    at = end;
  }
  return out + text.slice(at);
}

function modelsOf({ engine }: Dashboard): Answer<"models"> {
  const prices = engine.cost.prices();
  return {
    providers: [...engine.host().providers.values()]
      .filter((provider) => provider.configured || provider.models.length > 0)
      .map((provider) => ({
        id: provider.id,
        api: provider.api ?? null,
        local: engine.models.isLocal(provider.id),
        protected: engine.models.isProtected(provider.id),
        models: provider.models.map((model) => {
          const price = priceOf({ provider: provider.id, model: model.id }, prices);
          return {
            id: model.id,
            contextWindow: model.contextWindow ?? null,
            input: [...model.input],
            price:
              price === undefined
                ? null
                : {
                    input: price.input,
                    output: price.output,
                    cacheRead: price.cacheRead ?? null,
                    cacheWrite: price.cacheWrite ?? null,
                  },
            priceFrom:
              price === undefined
                ? null
                : prices.configured[`${provider.id}/${model.id}`] !== undefined
                  ? ("settings" as const)
                  : engine.models.isLocal(provider.id)
                    ? ("local" as const)
                    : ("host" as const),
          };
        }),
      })),
    default: engine.models.defaultModel() ?? null,
    local: engine.models.localModel() ?? null,
  };
}
