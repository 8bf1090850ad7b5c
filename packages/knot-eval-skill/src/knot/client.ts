import { describeErrorBody } from "../agui/errors.ts";
import { type RunOutcome, RunReader } from "../agui/run.ts";
import type { AgentConfig } from "../config/schema.ts";
import {
  bodyChunks,
  bodyText,
  describeRedirect,
  discardBody,
  type HttpReply,
  isRedirect,
  NetError,
  sendRequest,
} from "../net/http.ts";
import { parseRetryAfter, pause, RETRY_STATUSES, retryDelay } from "../net/retry.ts";

/** One question put to the agent, with its measurements. */
export interface AskResult extends RunOutcome {
  /** Milliseconds from sending the (last) request to the end of the stream. */
  latencyMs: number;
  /** Milliseconds to the first event of the stream, null when none came. */
  firstTokenMs: number | null;
  /** Requests made, retries included. */
  attempts: number;
  /** HTTP status of the last reply, null when there was none. */
  httpStatus: number | null;
}

export interface AskOptions {
  token: string;
  signal?: AbortSignal;
  /** Gets every body chunk of the last attempt, for recording. */
  onBytes?: (chunk: Uint8Array) => void;
  /** Called when an attempt is thrown away before its first event. */
  onRestart?: () => void;
}

/** The request as it is sent, without the token: what `--dry-run` prints. */
export interface KnotRequest {
  url: string;
  headers: Record<string, string>;
  body: Record<string, unknown>;
}

/** Builds the request for one question (Knot's AG-UI endpoint). */
export function knotRequest(agent: AgentConfig, question: string): KnotRequest {
  return {
    url: `${agent.knot_url.replace(/\/+$/, "")}/apigw/api/v1/agents/agui/${encodeURIComponent(agent.agent_id)}`,
    headers: {
      "content-type": "application/json",
      accept: "text/event-stream",
      "x-knot-api-user": encodeHeader(agent.username),
    },
    body: {
      input: {
        message: question,
        conversation_id: "",
        model: agent.model,
        stream: true,
        enable_web_search: agent.enable_web_search,
        temperature: agent.temperature,
        chat_extra: agent.chat_extra,
      },
    },
  };
}

/** Header values are Latin-1 in HTTP/1.1: other characters are percent-encoded. */
function encodeHeader(value: string): string {
  return /^[\x20-\x7e]*$/.test(value) ? value : encodeURIComponent(value);
}

/** A whole run, thinking and retrieved text included; more comes from a server that does not stop. */
const MAX_RUN_BYTES = 128 * 1024 * 1024;

/** How long a stream may stay open after its terminal event. */
const AFTER_TERMINAL_MS = 1_000;

type Attempt =
  | { outcome: AskResult }
  | { retryable: true; error: string; status: number | null; retryAfterMs: number | undefined };

function failed(error: string, started: number, attempts: number, status: number | null): AskResult {
  return {
    status: "error",
    answer: "",
    thinking: "",
    toolCalls: [],
    usage: undefined,
    error,
    truncated: false,
    events: 0,
    latencyMs: Math.round(performance.now() - started),
    firstTokenMs: null,
    attempts,
    httpStatus: status,
  };
}

/** Three clocks for one attempt; each aborts with a message that says which limit was reached. */
class Deadlines {
  #controller = new AbortController();
  #timers = new Map<string, NodeJS.Timeout>();

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  arm(name: string, ms: number, what: string): void {
    this.disarm(name);
    const timer = setTimeout(
      () => this.#controller.abort(new NetError("timeout", `timeout: ${what} (${ms} ms)`)),
      ms,
    );
    this.#timers.set(name, timer);
  }

  disarm(name: string): void {
    clearTimeout(this.#timers.get(name));
    this.#timers.delete(name);
  }

  stop(): void {
    for (const name of [...this.#timers.keys()]) this.disarm(name);
  }
}

/** Asks one Knot agent over AG-UI. Stateless: every question is a new conversation. */
export class KnotClient {
  readonly #agent: AgentConfig;

  constructor(agent: AgentConfig) {
    this.#agent = agent;
  }

  /**
   * Asks one question. Never throws for what the network or the agent does: that becomes an outcome with
   * status `error`. Retries happen only before the first event of a stream, so no answer is produced twice.
   *
   * @throws only when `options.signal` is aborted by the caller
   */
  async ask(question: string, options: AskOptions): Promise<AskResult> {
    const { retries } = this.#agent;
    for (let attempt = 0; ; attempt++) {
      const started = performance.now();
      const result = await this.#attempt(question, options, started, attempt + 1);
      options.signal?.throwIfAborted();
      if ("outcome" in result) return result.outcome;
      if (attempt >= retries.max) {
        const tries = attempt > 0 ? ` (after ${attempt + 1} attempts)` : "";
        return failed(`${result.error}${tries}`, started, attempt + 1, result.status);
      }
      options.onRestart?.();
      await pause(retryDelay(retries, attempt, result.retryAfterMs), options.signal);
    }
  }

  async #attempt(question: string, options: AskOptions, started: number, attempts: number): Promise<Attempt> {
    const { timeouts } = this.#agent;
    const deadlines = new Deadlines();
    const signal = options.signal ? AbortSignal.any([deadlines.signal, options.signal]) : deadlines.signal;
    const request = knotRequest(this.#agent, question);
    deadlines.arm("total", timeouts.total_ms, "no complete answer in time");
    deadlines.arm("first", timeouts.first_token_ms, "no first event in time");
    try {
      const reply = await sendRequest(request.url, {
        method: "POST",
        headers: { ...request.headers, "x-knot-api-token": options.token },
        body: JSON.stringify(request.body),
        signal,
      });
      if (reply.status !== 200) return await this.#refused(reply, request.url, started, attempts, signal);
      return { outcome: await this.#read(reply, options, started, attempts, deadlines, signal) };
    } catch (error) {
      const net =
        error instanceof NetError
          ? error
          : new NetError("protocol", error instanceof Error ? error.message : String(error));
      if (net.kind === "connect")
        return { retryable: true, error: net.message, status: null, retryAfterMs: undefined };
      return { outcome: failed(net.message, started, attempts, null) };
    } finally {
      deadlines.stop();
    }
  }

  async #refused(
    reply: HttpReply,
    url: string,
    started: number,
    attempts: number,
    signal: AbortSignal,
  ): Promise<Attempt> {
    if (isRedirect(reply)) {
      discardBody(reply);
      return { outcome: failed(describeRedirect(reply, url), started, attempts, reply.status) };
    }
    const body = await bodyText(reply, signal, 256 * 1024).catch(() => "");
    const detail = describeErrorBody(body);
    const error = `HTTP ${reply.status}${detail ? `: ${detail}` : ""}`;
    if (RETRY_STATUSES.has(reply.status)) {
      return {
        retryable: true,
        error,
        status: reply.status,
        retryAfterMs: parseRetryAfter(reply.headers["retry-after"]),
      };
    }
    return { outcome: failed(error, started, attempts, reply.status) };
  }

  async #read(
    reply: HttpReply,
    options: AskOptions,
    started: number,
    attempts: number,
    deadlines: Deadlines,
    signal: AbortSignal,
  ): Promise<AskResult> {
    const { timeouts } = this.#agent;
    const reader = new RunReader({ answerMessages: this.#agent.answer_messages });
    let firstTokenMs: number | null = null;
    let cut: string | undefined;
    let lingering = false;
    let size = 0;
    try {
      for await (const chunk of bodyChunks(reply, signal)) {
        size += chunk.byteLength;
        if (size > MAX_RUN_BYTES)
          throw new NetError("too_large", `the stream is larger than ${MAX_RUN_BYTES} bytes`);
        options.onBytes?.(chunk);
        const complete = reader.push(chunk);
        if (complete && firstTokenMs === null) {
          firstTokenMs = Math.round(performance.now() - started);
          deadlines.disarm("first");
        }
        // After a terminal event a server may keep the connection open, and alive: the answer is complete, wait only briefly.
        if (reader.terminal) {
          deadlines.disarm("idle");
          if (!lingering)
            deadlines.arm("after", Math.min(timeouts.idle_ms, AFTER_TERMINAL_MS), "the stream stayed open");
          lingering = true;
        } else if (firstTokenMs !== null) deadlines.arm("idle", timeouts.idle_ms, "the stream stood still");
      }
    } catch (error) {
      cut = error instanceof Error ? error.message : String(error);
      reply.body.destroy();
    }
    const outcome = reader.finish(cut);
    return {
      ...outcome,
      latencyMs: Math.round(performance.now() - started),
      firstTokenMs,
      attempts,
      httpStatus: reply.status,
    };
  }
}
