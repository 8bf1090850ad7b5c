/** Writes down what was decided: one line in the log a turn, one row in the ledger a decision. Never message text. */
import type { Ledger } from "../ledger/ledger.ts";
import type { Turn } from "../routing/turns.ts";
import type { PipelineResult, RouterContext, Tier } from "../routing/types.ts";

export interface RecordsDeps {
  ledger: () => Ledger;
  tierOf: (session: string, tier: Tier | undefined) => void;
  info: (message: string) => void;
}

export class Records {
  private readonly deps: RecordsDeps;
  constructor(deps: RecordsDeps) {
    this.deps = deps;
  }

  turn(turn: Turn, ms: number): void {
    const target =
      turn.override === undefined ? "as configured" : `-> ${turn.override.provider}/${turn.override.model}`;
    this.deps.info(
      `clawxrouter: ${turn.level}${turn.tier ? ` ${turn.tier}` : ""} ${turn.blocked === undefined ? target : "blocked"} (${turn.reason}; ${ms.toFixed(0)} ms)`,
    );
    if (turn.sessionKey !== undefined && !turn.localOnly) this.deps.tierOf(turn.sessionKey, turn.tier);
    const route =
      turn.blocked !== undefined
        ? "blocked"
        : turn.localOnly
          ? "local"
          : turn.level === "S2"
            ? "redacted"
            : "cloud";
    const context = {
      checkpoint: "onUserMessage",
      message: "",
      sessionKey: turn.sessionKey,
      agentId: turn.agentId,
      signal: new AbortController().signal,
    } as const;
    if (turn.result !== undefined) this.decision(context, turn.result, route, ms, turn);
  }

  /** Never throws: a full disk costs statistics, not a turn. */
  decision(context: RouterContext, result: PipelineResult, route: string, ms: number, turn?: Turn): void {
    try {
      this.write(context, result, route, ms, turn);
    } catch (error) {
      this.deps.info(
        `clawxrouter: a decision was not recorded: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }

  private write(
    context: RouterContext,
    result: PipelineResult,
    route: string,
    ms: number,
    turn?: Turn,
  ): void {
    this.deps.ledger().decision({
      at: Date.now(),
      session: context.sessionKey,
      agent: context.agentId,
      run: turn?.runId,
      checkpoint: context.checkpoint,
      level: result.level,
      action: result.action,
      router: result.router,
      route,
      provider: turn?.override?.provider,
      model: turn?.override?.model,
      tier: turn?.tier ?? result.tier,
      tool: context.toolName,
      reason: result.reason,
      degraded: result.degraded,
      ms,
      routers: result.decisions.map(({ router, level, action, reason, durationMs }) => ({
        router,
        level,
        action,
        reason,
        durationMs,
      })),
    });
  }
}
