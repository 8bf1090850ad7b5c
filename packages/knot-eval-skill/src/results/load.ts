import { stat } from "node:fs/promises";
import { configError } from "../exit-codes.ts";
import { readJson } from "../files/atomic.ts";
import { type ResultsFile, resultsFileSchema } from "./schema.ts";

/** Checks a result file. @throws StageError (exit 2) with the first faults */
export function parseResults(raw: unknown, file: string): ResultsFile {
  const parsed = resultsFileSchema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues
    .slice(0, 10)
    .map((issue) => `  ${issue.path.join(".")}: ${issue.message}`);
  throw configError(`${file} is not a result file of this version:\n${faults.join("\n")}`);
}

const loaded = new Map<string, { mtimeMs: number; size: number; results: ResultsFile }>();

/** Forgets what was read: after a template of the user's had the data in its hands (it may have changed it). */
export function forgetResults(): void {
  loaded.clear();
}

/** Reads eval_results.json; stages that follow each other in one process share what was read. */
export async function loadResults(file: string): Promise<ResultsFile> {
  const state = await stat(file).catch(() => undefined);
  const known = loaded.get(file);
  if (known && state && known.mtimeMs === state.mtimeMs && known.size === state.size) return known.results;
  const results = parseResults(await readJson(file, "Run --stage eval first."), file);
  if (state) loaded.set(file, { mtimeMs: state.mtimeMs, size: state.size, results });
  return results;
}
