import { existsSync } from "node:fs";
import type { Console } from "../cli/console.ts";
import type { LoadedConfig } from "../config/load.ts";
import type { Secrets } from "../config/secrets.ts";
import { makeScrubber } from "../config/secrets.ts";
import { configError } from "../exit-codes.ts";
import { writeJson } from "../files/atomic.ts";
import { type AskResult, KnotClient } from "../knot/client.ts";
import { parseChunks } from "../mcp/chunks.ts";
import type { Question } from "../questions/schema.ts";
import { buildItem, buildResults, makeMatcher } from "../results/build.ts";
import { Journal } from "../results/journal.ts";
import { loadResults } from "../results/load.ts";
import type { RunPaths } from "../results/paths.ts";
import type { AnswerRecord, ResultsFile } from "../results/schema.ts";
import { EmptyKeywordError, type KeywordMatcher } from "../scoring/matcher.ts";
import type { Answerer } from "./answerer.ts";
import { planTasks, type Task } from "./key.ts";
import { runPool } from "./pool.ts";
import { Progress } from "./progress.ts";
import { saveRecording } from "./replay.ts";

export interface EvalStageInput {
  loaded: LoadedConfig;
  paths: RunPaths;
  secrets: Secrets;
  questions: Question[];
  console: Console;
  answerer?: Answerer;
  signal?: AbortSignal;
}

/** Chunk text kept per answer; the report shows it and the attribution looks into it. */
const MAX_CHUNK_CHARS = 4_000;
const MAX_CHUNKS = 40;

function toRecord(
  task: Task,
  result: AskResult,
  finishedAt: string,
  scrub: (text: string) => string,
): AnswerRecord {
  return {
    key: task.key,
    q_id: task.question.q_id,
    repeat: task.repeat,
    status: result.status,
    answer: scrub(result.answer),
    thinking_chars: result.thinking.length,
    error: result.error === undefined ? null : scrub(result.error),
    truncated: result.truncated,
    latency_ms: result.latencyMs,
    first_token_ms: result.firstTokenMs,
    attempts: result.attempts,
    http_status: result.httpStatus,
    usage: result.usage ?? null,
    tools: result.toolCalls.map((call) => ({
      name: scrub(call.name),
      args: scrub(call.args).slice(0, 2_000),
    })),
    chunks: result.toolCalls
      .flatMap((call) => parseChunks(call.result))
      .slice(0, MAX_CHUNKS)
      .map((chunk) => ({
        ...chunk,
        title: scrub(chunk.title),
        content: scrub(chunk.content).slice(0, MAX_CHUNK_CHARS),
        docId: chunk.docId && scrub(chunk.docId),
        url: chunk.url && scrub(chunk.url),
      })),
    finished_at: finishedAt,
  };
}

function checkKeywords(questions: readonly Question[], matcher: KeywordMatcher): void {
  const faults: string[] = [];
  for (const question of questions) {
    for (const keyword of question.keywords) {
      try {
        matcher.checkKeyword(keyword);
      } catch (error) {
        if (!(error instanceof EmptyKeywordError)) throw error;
        faults.push(`  ${question.q_id}: ${error.message}`);
      }
    }
  }
  if (faults.length > 0)
    throw configError(
      `${faults.length} keyword(s) cannot be scored; change them in the question file:\n${faults.join("\n")}`,
    );
}

/** Whether the result file about to be replaced holds merged verdicts. */
async function hadReviews(file: string): Promise<boolean> {
  if (!existsSync(file)) return false;
  return await loadResults(file).then(
    (old) => old.items.some((item) => item.ai_review !== null),
    () => false,
  );
}

/** Where answers are kept: the journal on disk, or memory only for a replay. */
interface AnswerLog {
  readonly records: readonly AnswerRecord[];
  append(record: AnswerRecord): void;
  close(): void;
}

function memoryLog(): AnswerLog {
  const records: AnswerRecord[] = [];
  return { records, append: (record) => void records.push(record), close: () => undefined };
}

/**
 * Asks every question that has no good answer in the journal yet, scores all of them and writes the results.
 *
 * Each answer is on disk before the next one counts; ERROR answers of earlier runs are asked again.
 */
export async function runEval(input: EvalStageInput): Promise<ResultsFile> {
  const { loaded, paths, secrets, questions, console } = input;
  const { config } = loaded;
  const matcher = await makeMatcher(loaded);
  checkKeywords(questions, matcher);
  const tasks = planTasks(questions, config);
  const scrub = makeScrubber(secrets);
  const knot = new KnotClient(config.agent);
  const answerer: Answerer = input.answerer ?? { ask: (question, options) => knot.ask(question, options) };
  const journal: AnswerLog = input.answerer ? memoryLog() : Journal.open(paths.journal);
  try {
    const answered = new Map(journal.records.filter((r) => r.status === "ok").map((r) => [r.key, r]));
    const latest = new Map(journal.records.map((r) => [r.key, r]));
    const open = tasks.filter((task) => !answered.has(task.key));
    const kept = tasks.length - open.length;
    if (kept > 0)
      console.note(`eval: ${kept} of ${tasks.length} answers are on disk already, ${open.length} to ask`);
    const progress = new Progress("eval", open.length, console, paths.progress, kept);
    await runPool(open, config.eval.concurrency, async (task) => {
      const recorded: Uint8Array[] = [];
      const record = config.eval.record_streams && !input.answerer;
      const recorder = {
        onBytes: (chunk: Uint8Array) => {
          recorded.push(chunk.slice());
        },
        onRestart: () => {
          recorded.length = 0;
        },
      };
      const result = await answerer.ask(task.question.question, {
        token: secrets.agentToken ?? "",
        key: task.key,
        ...(input.signal ? { signal: input.signal } : {}),
        ...(record ? recorder : {}),
      });
      const finishedAt = result.finishedAt ?? new Date().toISOString();
      if (record)
        await saveRecording(paths.streams, task.key, Buffer.concat(recorded), result, finishedAt, scrub);
      const entry = toRecord(task, result, finishedAt, scrub);
      journal.append(entry);
      latest.set(task.key, entry);
      if (entry.status === "ok") answered.set(task.key, entry);
      progress.step(buildItem(task, entry, matcher, config).final_grade);
    });
    await progress.finish();
    if (await hadReviews(paths.results))
      console.note(
        "eval: the results are scored anew; run ai_review and merge_review to bring the review back in",
      );
    const results = buildResults(tasks, (key) => answered.get(key) ?? latest.get(key), matcher, config);
    await writeJson(paths.results, results);
    return results;
  } finally {
    journal.close();
  }
}
