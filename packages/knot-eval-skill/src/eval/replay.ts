import { readFile } from "node:fs/promises";
import path from "node:path";
import * as z from "zod";
import { readRun } from "../agui/run.ts";
import type { AgentConfig } from "../config/schema.ts";
import { writeFileAtomic, writeJson } from "../files/atomic.ts";
import type { AskResult } from "../knot/client.ts";
import type { Answerer } from "./answerer.ts";

/** What a recording keeps beside the raw bytes, so that a replay gives the same figures. */
const metaSchema = z.object({
  latency_ms: z.number(),
  first_token_ms: z.number().nullable(),
  attempts: z.number(),
  http_status: z.number().nullable(),
  finished_at: z.string(),
  /** Set when there was no stream to record: the failure itself. */
  error: z.string().nullable(),
  cut: z.string().nullable().default(null),
});

/** Keeps one run: the raw bytes and its measurements. */
export async function saveRecording(
  dir: string,
  key: string,
  bytes: Uint8Array,
  result: AskResult,
  finishedAt: string,
  scrub: (text: string) => string,
): Promise<void> {
  const text = Buffer.from(bytes).toString("utf8");
  const clean = scrub(text);
  // A token cut over several events is in no line of the stream, but in what the events say together.
  const again = readRun(Buffer.from(clean, "utf8"), { answerMessages: "all" });
  const withheld = [again.answer, again.thinking, ...again.toolCalls.map((call) => call.args)].some(
    (said) => scrub(said) !== said,
  );
  await writeFileAtomic(
    path.join(dir, `${key}.sse`),
    withheld ? "" : clean === text ? bytes : Buffer.from(clean, "utf8"),
  );
  const meta: z.infer<typeof metaSchema> = {
    latency_ms: result.latencyMs,
    first_token_ms: result.firstTokenMs,
    attempts: result.attempts,
    http_status: result.httpStatus,
    finished_at: finishedAt,
    error: withheld
      ? "not recorded: the stream repeated an access token"
      : bytes.byteLength === 0 && result.error !== undefined
        ? scrub(result.error)
        : null,
    cut: result.truncated && result.error !== undefined ? scrub(result.error) : null,
  };
  await writeJson(path.join(dir, `${key}.json`), meta);
}

/** Answers from recorded streams: a whole run without a network, with the recorded measurements. */
export class ReplayAnswerer implements Answerer {
  readonly #dir: string;
  readonly #agent: AgentConfig;

  constructor(dir: string, agent: AgentConfig) {
    this.#dir = dir;
    this.#agent = agent;
  }

  async ask(_question: string, options: { key: string }): Promise<AskResult & { finishedAt?: string }> {
    const file = path.join(this.#dir, `${options.key}.sse`);
    const bytes = await readFile(file).catch(() => undefined);
    const meta = await this.#meta(options.key);
    const timing = {
      latencyMs: meta?.latency_ms ?? 0,
      firstTokenMs: meta?.first_token_ms ?? null,
      attempts: meta?.attempts ?? 1,
      httpStatus: meta?.http_status ?? 200,
    };
    const stamp = meta ? { finishedAt: meta.finished_at } : {};
    if (!bytes || meta?.error) {
      const error =
        meta?.error ??
        `no recording ${file}: the question, the agent configuration or the prompt version differs from the recorded run`;
      return {
        status: "error",
        answer: "",
        thinking: "",
        toolCalls: [],
        usage: undefined,
        error,
        truncated: false,
        events: 0,
        ...timing,
        ...stamp,
      };
    }
    const outcome = readRun(bytes, { answerMessages: this.#agent.answer_messages });
    // The message of a cut connection came from the network, not from the bytes.
    return {
      ...outcome,
      ...(outcome.truncated && meta?.cut ? { error: meta.cut } : {}),
      ...timing,
      ...stamp,
    };
  }

  async #meta(key: string): Promise<z.infer<typeof metaSchema> | undefined> {
    try {
      return metaSchema.parse(JSON.parse(await readFile(path.join(this.#dir, `${key}.json`), "utf8")));
    } catch {
      return undefined;
    }
  }
}
