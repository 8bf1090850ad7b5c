/** before_compaction and after_compaction: model calls between them are the compaction's, not the user's turn. */
import { guardedHook } from "./host-types.ts";

export const onBeforeCompaction = guardedHook<unknown>("before_compaction", (logger, _event, ctx) => {
  logger.recorder.correlator.calls.setCompacting(ctx.sessionKey, true);
  logger.recorder.correlator.calls.setCompacting(ctx.sessionId, true);
});

export const onAfterCompaction = guardedHook<unknown>("after_compaction", (logger, _event, ctx) => {
  logger.recorder.correlator.calls.setCompacting(ctx.sessionKey, false);
  logger.recorder.correlator.calls.setCompacting(ctx.sessionId, false);
});
