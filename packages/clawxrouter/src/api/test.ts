/** Trying a text: what each router says, and where a message would go. Nothing is sent and nothing remembered. */
import type { Checkpoint } from "../config-file/schema.ts";
import type { Engine } from "../engine/engine.ts";
import { mergeDecisions } from "../routing/merge.ts";
import type { Turn } from "../routing/turns.ts";
import type { PipelineResult } from "../routing/types.ts";

const TIMEOUT_MS = 60_000;

/**
 * @param router ask only this one
 * @throws when there is no such router
 */
export async function classify(
  engine: Engine,
  text: string,
  checkpoint: Checkpoint,
  router?: string,
  tool?: string,
): Promise<PipelineResult> {
  await engine.settings.ready();
  const context = {
    checkpoint,
    message: text,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(tool === undefined ? {} : { toolName: tool }),
  };
  if (router === undefined) return engine.pipeline.run(context);
  return mergeDecisions([await engine.pipeline.runOne(router, context)], []);
}

export async function preview(engine: Engine, text: string): Promise<Turn> {
  await engine.settings.ready();
  return engine.router.preview({
    runId: undefined,
    sessionKey: undefined,
    agentId: undefined,
    prompt: text,
    currentModel: {},
  });
}
