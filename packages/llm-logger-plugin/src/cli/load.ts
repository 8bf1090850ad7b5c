/** What several commands need: the files, one attempt, progress. */
import { type Attempt, AttemptNotFound, findAttempt } from "../read/attempt.ts";
import { type LogFile, listLogFiles } from "../store/retention.ts";
import { progress } from "./format.ts";
import { type CommandContext, UsageError } from "./spec.ts";

export function loadFiles(context: CommandContext): Promise<LogFile[]> {
  return listLogFiles(context.location);
}

/** The attempt named by a positional argument. @throws UsageError when it names none or several. */
export async function loadAttempt(
  context: CommandContext,
  files: LogFile[],
  id: string | undefined,
): Promise<Attempt> {
  if (!id)
    throw new UsageError("name a call by its attempt id or call id (see `llm-logs list`) / 请给出调用的 id");
  const bar = progress(context, "searching");
  try {
    return await findAttempt(files, id, bar.update);
  } catch (error) {
    if (error instanceof AttemptNotFound) throw new UsageError(error.message);
    throw error;
  } finally {
    bar.end();
  }
}
