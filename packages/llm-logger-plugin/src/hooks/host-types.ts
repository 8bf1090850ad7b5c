/** The part of the host's hook contexts that is read; all optional, because hosts differ. */

import { agentOfKey } from "../correlate/binding.ts";
import type { RunInfo } from "../correlate/calls.ts";
import { type TraceIds, traceIds } from "../correlate/trace.ts";
import type { Logger } from "../logger.ts";
import { shared } from "../process-state.ts";

export interface HookContext {
  runId?: string;
  trace?: unknown;
  agentId?: string;
  sessionKey?: string;
  sessionId?: string;
  trigger?: string;
}

/** The logger that takes this hook's event: the running one, or the last one for events after its stop. */
export function currentLogger(): Logger | undefined {
  const state = shared();
  return state.active ?? state.last;
}

/**
 * Runs a hook so that nothing it throws reaches the host, which would count it against the turn. The host registers a
 * plugin several times; an event that comes through two registrations is taken once.
 */
export function guardedHook<E>(
  name: string,
  run: (logger: Logger, event: E, ctx: HookContext) => void,
): (event: E, ctx: HookContext) => void {
  return (event, ctx) => {
    const logger = currentLogger();
    if (!logger || isRepeated(name, event)) return;
    try {
      run(logger, event, ctx);
    } catch (error) {
      logger.recorder.fault(`hook ${name}`, error);
    }
  };
}

function isRepeated(name: string, event: unknown): boolean {
  if (typeof event !== "object" || event === null) return false;
  const state = shared();
  state.seen ??= new Map();
  const seen = state.seen.get(name) ?? new WeakSet();
  state.seen.set(name, seen);
  if (seen.has(event)) return true;
  seen.add(event);
  return false;
}

/** What the context tells about the run, remembered for its later events. */
export function noteRun(logger: Logger, runId: string, ctx: HookContext, sessionId?: string): RunInfo {
  const session = ctx.sessionId ?? sessionId;
  const agentId = ctx.agentId ?? agentOfKey(ctx.sessionKey) ?? undefined;
  return logger.recorder.correlator.calls.noteRun({
    runId,
    ...(session !== undefined && { sessionId: session }),
    ...(ctx.sessionKey !== undefined && { sessionKey: ctx.sessionKey }),
    ...(agentId !== undefined && { agentId }),
    ...(ctx.trigger !== undefined && { trigger: ctx.trigger }),
  });
}

export function traceOf(ctx: HookContext): { trace?: TraceIds } {
  const trace = traceIds(ctx.trace);
  return trace ? { trace } : {};
}
