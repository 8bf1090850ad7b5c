/** model_call_started and model_call_ended: the host announces each attempt with its span, without content. */
import { purposeOfCall } from "../correlate/purpose.ts";
import { traceIds } from "../correlate/trace.ts";
import { guardedHook, noteRun } from "./host-types.ts";

export interface ModelCallEvent {
  runId: string;
  callId: string;
  sessionKey?: string;
  sessionId?: string;
  provider: string;
  model: string;
  api?: string;
  transport?: string;
}

export interface ModelCallEndedEvent extends ModelCallEvent {
  outcome: string;
  failureKind?: string;
  errorCategory?: string;
}

export const onModelCallStarted = guardedHook<ModelCallEvent>("model_call_started", (logger, event, ctx) => {
  const trace = traceIds(ctx.trace);
  const sessionKey = event.sessionKey ?? ctx.sessionKey;
  const sessionId = event.sessionId ?? ctx.sessionId;
  const run = noteRun(logger, event.runId, { ...ctx, ...(sessionKey && { sessionKey }) }, sessionId);
  const { calls } = logger.recorder.correlator;
  const { callId, runId, provider, model, api, transport } = event;
  logger.recorder.callStarted({
    // A host without trace ids still has its calls told apart.
    spanId: trace?.spanId ?? callId,
    ...(trace && { traceId: trace.traceId }),
    callId,
    runId,
    ...(run.sessionId !== undefined && { sessionId: run.sessionId }),
    ...(run.sessionKey !== undefined && { sessionKey: run.sessionKey }),
    ...(run.agentId !== undefined && { agentId: run.agentId }),
    provider,
    model,
    ...(api !== undefined && { api }),
    ...(transport !== undefined && { transport }),
    purpose: purposeOfCall(run.trigger, calls.isCompacting(run.sessionKey, run.sessionId), runId),
    startedAt: Date.now(),
    exchanges: 0,
  });
});

export const onModelCallEnded = guardedHook<ModelCallEndedEvent>("model_call_ended", (logger, event, ctx) => {
  const { outcome, failureKind, errorCategory } = event;
  logger.recorder.callEnded(traceIds(ctx.trace)?.spanId ?? event.callId, {
    at: Date.now(),
    outcome,
    ...(failureKind !== undefined && { failureKind }),
    ...(errorCategory !== undefined && { errorCategory }),
  });
});
