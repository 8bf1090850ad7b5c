/** The host is about to run a turn: its own view of the prompt. */
import { purposeOfCall } from "../correlate/purpose.ts";
import { type LlmInput, writeLlmInput } from "../recorder/hook-lines.ts";
import { guardedHook, noteRun, traceOf } from "./host-types.ts";

export interface LlmInputEvent extends LlmInput {
  runId: string;
  sessionId?: string;
  provider: string;
  model: string;
}

export const onLlmInput = guardedHook<LlmInputEvent>("llm_input", (logger, event, ctx) => {
  const run = noteRun(logger, event.runId, ctx, event.sessionId);
  // A new turn: a compaction that failed before it is over, whether the host said so or not.
  logger.recorder.correlator.calls.setCompacting(run.sessionKey, false);
  logger.recorder.correlator.calls.setCompacting(run.sessionId, false);
  if (!logger.options.config.includeHooks) return;
  const { provider, model } = event;
  const purpose = purposeOfCall(run.trigger, false, run.runId);
  writeLlmInput(logger.recorder, { run, provider, model, purpose, ...traceOf(ctx) }, event);
});
