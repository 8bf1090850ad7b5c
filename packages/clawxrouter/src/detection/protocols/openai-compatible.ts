/**
 * `/v1/chat/completions` as Ollama, vLLM, LM Studio, SGLang and LocalAI serve it.
 * @see https://platform.openai.com/docs/api-reference/chat/create
 */
import { request } from "undici";
import type { LocalModelProtocol, Question } from "./types.ts";

export interface OpenAICompatibleOptions {
  /** With or without `/v1` at the end. */
  endpoint: string;
  model: string;
  apiKey: string | undefined;
}

/** A local model's answer is small; more than this is not one. */
const MAX_ANSWER_BYTES = 1_000_000;

export class OpenAICompatible implements LocalModelProtocol {
  private readonly url: string;
  private readonly options: OpenAICompatibleOptions;
  /** Turned off for good at the first server that refuses `response_format`. */
  private structured = true;

  constructor(options: OpenAICompatibleOptions) {
    this.options = options;
    const base = options.endpoint.replace(/\/+$/, "");
    this.url = `${/\/v\d+$/.test(base) ? base : `${base}/v1`}/chat/completions`;
  }

  async ask(question: Question): Promise<string> {
    const first = await this.post(question, this.structured);
    if (first.status === 400 && this.structured) {
      this.structured = false;
      return contentOf(await this.post(question, false));
    }
    return contentOf(first);
  }

  private async post(question: Question, structured: boolean): Promise<{ status: number; body: string }> {
    const { model, apiKey } = this.options;
    const response = await request(this.url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify({
        model,
        stream: false,
        temperature: 0,
        messages: [
          { role: "system", content: question.system },
          { role: "user", content: question.user },
        ],
        ...(structured && {
          response_format: {
            type: "json_schema",
            json_schema: { name: "answer", strict: true, schema: question.schema },
          },
        }),
      }),
      signal: question.signal,
    });
    let body = "";
    for await (const chunk of response.body) {
      body += (chunk as Buffer).toString("utf8");
      if (body.length > MAX_ANSWER_BYTES) throw new Error("the answer is too long");
    }
    return { status: response.statusCode, body };
  }
}

function contentOf({ status, body }: { status: number; body: string }): string {
  if (status !== 200) throw new Error(`HTTP ${status}`);
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    throw new Error("the answer is not JSON");
  }
  const message = (parsed as { choices?: { message?: { content?: unknown } }[] }).choices?.[0]?.message;
  if (typeof message?.content !== "string") throw new Error("the answer has no message");
  return message.content;
}
