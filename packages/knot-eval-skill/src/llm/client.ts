import * as z from "zod";
import { describeErrorBody } from "../agui/errors.ts";
import type { LlmConfig } from "../config/schema.ts";
import { bodyText, describeRedirect, discardBody, isRedirect, NetError, sendRequest } from "../net/http.ts";
import { parseRetryAfter, pause, RETRY_STATUSES, type RetryPolicy, retryDelay } from "../net/retry.ts";

export interface ChatMessage {
  role: "system" | "user" | "assistant";
  content: string;
}

/** The model answered with an error, or in a form that is none of the two backends'. */
export class LlmError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "LlmError";
  }
}

const openAiReply = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string().nullable() }) })).min(1),
});
const ollamaReply = z.object({ message: z.object({ content: z.string() }) });

/** The request as sent, without the key. */
export function chatRequest(
  config: LlmConfig,
  messages: readonly ChatMessage[],
): { url: string; body: Record<string, unknown> } {
  const base = config.base_url.replace(/\/+$/, "");
  if (config.backend === "ollama") {
    const options = {
      temperature: config.temperature,
      ...(config.max_tokens ? { num_predict: config.max_tokens } : {}),
    };
    return { url: `${base}/api/chat`, body: { model: config.model, messages, stream: false, options } };
  }
  const limit = config.max_tokens ? { max_tokens: config.max_tokens } : {};
  return {
    url: `${base}/chat/completions`,
    body: { model: config.model, messages, temperature: config.temperature, stream: false, ...limit },
  };
}

/** Chat with the question-writing model: any OpenAI-compatible endpoint, or Ollama. */
export class LlmClient {
  readonly #config: LlmConfig;
  readonly #key: string | undefined;
  readonly #retries: RetryPolicy;

  constructor(config: LlmConfig, key: string | undefined, retries: RetryPolicy) {
    this.#config = config;
    this.#key = key;
    this.#retries = retries;
  }

  /** One answer as text. @throws LlmError | NetError */
  async chat(messages: readonly ChatMessage[], outer?: AbortSignal): Promise<string> {
    const { url, body } = chatRequest(this.#config, messages);
    for (let attempt = 0; ; attempt++) {
      const limit = AbortSignal.timeout(this.#config.timeout_ms);
      const signal = outer ? AbortSignal.any([outer, limit]) : limit;
      let retryAfter: number | undefined;
      try {
        const reply = await sendRequest(url, {
          method: "POST",
          headers: {
            "content-type": "application/json",
            accept: "application/json",
            ...(this.#key ? { authorization: `Bearer ${this.#key}` } : {}),
          },
          body: JSON.stringify(body),
          signal,
        });
        if (isRedirect(reply)) {
          discardBody(reply);
          throw new LlmError(describeRedirect(reply, url));
        }
        const text = await bodyText(reply, signal);
        if (reply.status === 200) return this.#content(text);
        const error = new LlmError(`HTTP ${reply.status}: ${describeErrorBody(text)}`);
        if (!RETRY_STATUSES.has(reply.status) || attempt >= this.#retries.max) throw error;
        retryAfter = parseRetryAfter(reply.headers["retry-after"]);
      } catch (error) {
        if (limit.aborted && !outer?.aborted)
          throw new LlmError(`no answer within ${this.#config.timeout_ms} ms`);
        if (!(error instanceof NetError && error.kind === "connect") || attempt >= this.#retries.max)
          throw error;
      }
      await pause(retryDelay(this.#retries, attempt, retryAfter), outer);
    }
  }

  #content(text: string): string {
    let payload: unknown;
    try {
      payload = JSON.parse(text);
    } catch {
      throw new LlmError(`the reply is not JSON: ${text.trim().slice(0, 200)}`);
    }
    if (this.#config.backend === "ollama") {
      const parsed = ollamaReply.safeParse(payload);
      if (parsed.success) return parsed.data.message.content;
    } else {
      const parsed = openAiReply.safeParse(payload);
      if (parsed.success) return parsed.data.choices[0]?.message.content ?? "";
    }
    throw new LlmError(`the reply has another form than ${this.#config.backend}: ${describeErrorBody(text)}`);
  }
}
