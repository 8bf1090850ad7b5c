import { existsSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { readJson, writeJson } from "../files/atomic.ts";
import type { RunPaths } from "../results/paths.ts";
import { reviewList } from "./verdict.ts";

/**
 * Verdicts speak about one answer. When questions are asked again the answers change, and a verdict left over from
 * before must not be merged into them.
 */

const item = z.looseObject({ q_id: z.string(), agent_answer: z.string() });
const pendingFile = z.object({ items: z.array(item) });
const verdictId = z.looseObject({ q_id: z.string() });

export type ShownItem = z.infer<typeof item>;

/** What the reviewer was shown by the last ai_review, by q_id; undefined when there is no readable file. */
export async function readPending(file: string): Promise<Map<string, ShownItem> | undefined> {
  if (!existsSync(file)) return undefined;
  const parsed = pendingFile.safeParse(await readJson(file, "").catch(() => undefined));
  return parsed.success ? new Map(parsed.data.items.map((i) => [i.q_id, i])) : undefined;
}

/**
 * Takes verdicts out of ai_review_results.json whose material is no longer what the reviewer saw; the whole file is
 * kept as `.bak` first. Judges nothing.
 *
 * @param before what the last ai_review showed
 * @param now what is shown now
 * @returns q_ids that have a verdict that still fits, and those taken out
 */
export async function dropStaleVerdicts(
  paths: RunPaths,
  before: ReadonlyMap<string, ShownItem> | undefined,
  now: ReadonlyMap<string, unknown>,
): Promise<{ judged: Set<string>; stale: string[] }> {
  const none = { judged: new Set<string>(), stale: [] };
  if (!existsSync(paths.reviewResults)) return none;
  const list = reviewList.safeParse(await readJson(paths.reviewResults, "").catch(() => undefined));
  // A broken file is merge_review's to refuse, with its reasons.
  if (!list.success) return none;
  const idOf = (verdict: unknown) => verdictId.safeParse(verdict).data?.q_id;
  const same = (id: string) =>
    now.has(id) &&
    (before === undefined || isDeepStrictEqual(before.get(id), JSON.parse(JSON.stringify(now.get(id)))));
  const stale = list.data.flatMap((verdict) => {
    const id = idOf(verdict);
    return id !== undefined && before?.has(id) && !same(id) ? [id] : [];
  });
  if (stale.length > 0) {
    const gone = new Set(stale);
    await copyFile(paths.reviewResults, `${paths.reviewResults}.bak`);
    await writeJson(
      paths.reviewResults,
      list.data.filter((verdict) => !gone.has(idOf(verdict) ?? "")),
    );
  }
  const judged = list.data.flatMap((verdict) => {
    const id = idOf(verdict);
    return id !== undefined && same(id) ? [id] : [];
  });
  return { judged: new Set(judged), stale };
}
