/** Why a model was called, from what the host says about the run and from the URL. */
import type { Purpose } from "../events.ts";

/** The host's run triggers (`ctx.trigger`) by purpose; anything a person or a schedule started is a turn. */
const TRIGGERS: Record<string, Purpose> = {
  user: "turn",
  cron: "turn",
  manual: "turn",
  subagent: "turn",
  heartbeat: "heartbeat",
  memory: "memory",
  compaction: "compaction",
  overflow: "compaction",
  budget: "compaction",
};

/** Purpose of a call of an announced run. @param compacting a compaction of its session is under way. */
export function purposeOfCall(trigger: string | undefined, compacting: boolean, runId: string): Purpose {
  if (compacting) return "compaction";
  if (trigger !== undefined) return TRIGGERS[trigger] ?? "turn";
  if (/compact/i.test(runId)) return "compaction";
  return "unknown";
}

/** Purpose of a model request that belongs to no announced call: embeddings by path, else the host's utility work. */
export function purposeOfPath(path: string): Purpose {
  const bare = path.split("?", 1)[0] ?? path;
  return /\/(embeddings|embed)$|:(embedContent|batchEmbedContents)$/.test(bare) ? "embedding" : "utility";
}
