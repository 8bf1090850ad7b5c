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

/** Reads eval_results.json. */
export async function loadResults(file: string): Promise<ResultsFile> {
  return parseResults(await readJson(file, "Run --stage eval first."), file);
}
