/** The host has the turn's answer: its own view of it. */
import { purposeOfCall } from "../correlate/purpose.ts";
import { type LlmOutput, writeLlmOutput } from "../recorder/hook-lines.ts";
import { guardedHook, noteRun, traceOf } from "./host-types.ts";

export interface LlmOutputEvent extends LlmOutput {
  runId: string;
  sessionId?: string;
  provider: string;
  model: string;
}

export const onLlmOutput = guardedHook<LlmOutputEvent>("llm_output", (logger, event, ctx) => {
  const run = noteRun(logger, event.runId, ctx, event.sessionId);
  if (!logger.options.config.includeHooks) return;
  const { provider, model } = event;
  const purpose = purposeOfCall(run.trigger, false, run.runId);
  writeLlmOutput(logger.recorder, { run, provider, model, purpose, ...traceOf(ctx) }, event);
});
