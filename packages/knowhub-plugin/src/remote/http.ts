import type { Notice } from "../service/backend.ts";

/** Why a request to the knowledge server did not give an answer that can be used. */
export type FailureKind =
  /** No connection, a broken one, or a 5xx: the server is down. */
  | "down"
  /** No complete answer within the deadline. */
  | "timeout"
  /** 401 or 403. */
  | "unauthorized"
  /** 429: come back later. */
  | "busy"
  /** 404. */
  | "missing"
  /** Any other 4xx: the same request will fail again. */
  | "refused"
  /** A 3xx: not followed, as the key and the text must not go to another host unasked. */
  | "redirect"
  /** An answer that is not the JSON of a knowledge server, or far too long. */
  | "garbage"
  /** The caller gave up. */
  | "aborted";

export interface Failure {
  ok: false;
  kind: FailureKind;
  status?: number;
  /** From Retry-After, ms. */
  retryAfterMs?: number;
  notice: Notice;
}

export type Reply = { ok: true; status: number; body: unknown } | Failure;

export interface RequestOptions {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  query?: Record<string, string | number | undefined>;
  body?: string;
  idempotencyKey?: string;
  /** For the whole exchange, connecting and reading the body included. */
  deadlineMs: number;
  signal?: AbortSignal;
}

/** Longest answer read, bytes: 20 items of the longest content fit. */
const MAX_ANSWER = 16 * 1024 * 1024;

/** Talks to one knowledge server. Never throws: every outcome is a {@link Reply}. */
export class HttpClient {
  readonly baseUrl: string;
  readonly #apiKey: string | undefined;
  readonly #fetch: typeof fetch;

  constructor(options: { baseUrl: string; apiKey?: string; fetch?: typeof fetch }) {
    this.baseUrl = options.baseUrl.replace(/\/+$/, "");
    this.#apiKey = options.apiKey;
    this.#fetch = options.fetch ?? fetch;
  }

  async request(options: RequestOptions): Promise<Reply> {
    const url = new URL(this.baseUrl + options.path);
    for (const [name, value] of Object.entries(options.query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const deadline = AbortSignal.timeout(options.deadlineMs);
    const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
    try {
      const response = await this.#fetch(url, {
        method: options.method,
        redirect: "manual",
        signal,
        body: options.body,
        headers: {
          accept: "application/json",
          ...(options.body !== undefined && { "content-type": "application/json" }),
          ...(options.idempotencyKey && { "idempotency-key": options.idempotencyKey }),
          ...(this.#apiKey && { authorization: `Bearer ${this.#apiKey}` }),
        },
      });
      return await this.#read(response);
    } catch (error) {
      if (options.signal?.aborted) return failure("aborted", { zh: "已取消", en: "cancelled" });
      if (deadline.aborted) {
        const ms = options.deadlineMs;
        return failure("timeout", {
          zh: `知识库服务器 ${this.baseUrl} 在 ${ms} 毫秒内没有应答`,
          en: `the knowledge server ${this.baseUrl} did not answer within ${ms} ms`,
        });
      }
      const reason = networkReason(error);
      return failure("down", {
        zh: `无法连接知识库服务器 ${this.baseUrl} (${reason})`,
        en: `the knowledge server ${this.baseUrl} cannot be reached (${reason})`,
      });
    }
  }

  async #read(response: Response): Promise<Reply> {
    const { status } = response;
    if (status >= 300 && status < 400) {
      await response.body?.cancel();
      const target = redirectHost(response.headers.get("location"), this.baseUrl);
      return failure(
        "redirect",
        {
          zh: `知识库服务器要求跳转到 ${target}，未跟随（密钥不会发给别的主机）。如果信任它，请把 apiUrl 改为该地址`,
          en: `the knowledge server redirects to ${target}; not followed, as the key must not go to another host. If you trust it, set apiUrl to it`,
        },
        status,
      );
    }
    const text = await readCapped(response);
    if (status >= 400) return this.#refusal(response, status);
    if (text === undefined) {
      return failure(
        "garbage",
        { zh: "知识库服务器的应答过长", en: "the knowledge server's answer is too long" },
        status,
      );
    }
    if (status === 204 || text === "") return { ok: true, status, body: {} };
    try {
      return { ok: true, status, body: JSON.parse(text) as unknown };
    } catch {
      return failure(
        "garbage",
        {
          zh: `${this.baseUrl} 返回的不是 JSON，可能不是 KnowHub 服务器，请检查 apiUrl`,
          en: `${this.baseUrl} did not answer with JSON; it may not be a KnowHub server, check apiUrl`,
        },
        status,
      );
    }
  }

  #refusal(response: Response, status: number): Failure {
    const server = this.baseUrl;
    if (status === 401 || status === 403) {
      return failure(
        "unauthorized",
        {
          zh: `知识库服务器拒绝了密钥 (${status})，请检查 plugins.entries.knowhub.config.apiKey`,
          en: `the knowledge server refused the key (${status}); check plugins.entries.knowhub.config.apiKey`,
        },
        status,
      );
    }
    if (status === 429) {
      return {
        ...failure(
          "busy",
          {
            zh: "知识库服务器请求过多 (429)，稍后重试",
            en: "the knowledge server is overloaded (429); trying again later",
          },
          status,
        ),
        retryAfterMs: retryAfter(response),
      };
    }
    if (status === 404)
      return failure(
        "missing",
        { zh: `${server} 上没有该条目 (404)`, en: `no such item at ${server} (404)` },
        status,
      );
    if (status === 413) {
      return failure(
        "refused",
        {
          zh: "内容过长，知识库服务器拒绝 (413)，请缩短后再保存",
          en: "too long for the knowledge server (413); shorten it",
        },
        status,
      );
    }
    if (status >= 500) {
      return {
        ...failure(
          "down",
          { zh: `知识库服务器出错 (${status})`, en: `the knowledge server failed (${status})` },
          status,
        ),
        retryAfterMs: retryAfter(response),
      };
    }
    return failure(
      "refused",
      {
        zh: `知识库服务器拒绝了请求 (${status})`,
        en: `the knowledge server refused the request (${status})`,
      },
      status,
    );
  }
}

function failure(kind: FailureKind, notice: Notice, status?: number): Failure {
  return { ok: false, kind, notice, ...(status !== undefined && { status }) };
}

function networkReason(error: unknown): string {
  const cause = error instanceof Error ? (error.cause as { code?: string } | undefined) : undefined;
  return cause?.code ?? (error instanceof Error ? error.message : String(error));
}

function redirectHost(location: string | null, base: string): string {
  try {
    return new URL(location ?? "", base).origin;
  } catch {
    return "?";
  }
}

/** @see RFC 9110, 10.2.3: seconds or a date */
function retryAfter(response: Response): number | undefined {
  const value = response.headers.get("retry-after");
  if (!value) return undefined;
  const seconds = Number(value);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) && ms > 0 ? Math.min(ms, 3_600_000) : undefined;
}

/** The body as text, or undefined when it is longer than is sensible. */
async function readCapped(response: Response): Promise<string | undefined> {
  if (!response.body) return "";
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    if (bytes > MAX_ANSWER) return undefined; // Leaving the loop cancels the stream.
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
