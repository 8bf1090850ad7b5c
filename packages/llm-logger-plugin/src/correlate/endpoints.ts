/** Which URLs are model endpoints: the configured providers' base URLs, plus those that traced calls went to. */

import { egressUpstreamAt } from "@clawx/shared-security";

/** Price of a model in USD per million tokens, as the host's config states it. */
export interface ModelPrice {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
}

export interface EndpointInfo {
  provider: string;
  api?: string;
}

interface Endpoint extends EndpointInfo {
  /** The provider's key where the config states it in clear: tells providers of one base URL apart. Never written. */
  key?: string | undefined;
  origin: string;
  /** Path prefix without a trailing slash; "" for a whole origin. */
  prefix: string;
}

/** Paths on which model services answer; used for learned origins, where no base URL is configured. */
const MODEL_PATH =
  /(\/(chat\/completions|completions|responses|messages|embeddings|rerank)|:(generateContent|streamGenerateContent|embedContent|batchEmbedContents|countTokens|rawPredict|streamRawPredict)|\/api\/(chat|generate|embed|embeddings)|\/model\/[^/]+\/(converse|converse-stream|invoke|invoke-with-response-stream))$/;

/** Whether a path is one on which model services answer, whoever the service is. */
export function isModelPath(path: string): boolean {
  return MODEL_PATH.test(path.split("?", 1)[0] ?? path);
}

const EMBEDDING_PATH = /\/(embeddings|embed)$|:(embedContent|batchEmbedContents)$/;

export class EndpointIndex {
  #configured: Endpoint[] = [];
  readonly #learned = new Map<string, EndpointInfo>();
  readonly #prices = new Map<string, ModelPrice>();
  #memory: Endpoint[] = [];

  /**
   * Reads providers and prices out of the host's config (untyped: it is another program's file).
   * @param extra more base URLs from this plugin's `endpoints` setting.
   */
  configure(hostConfig: unknown, extra: string[]): void {
    this.#configured = [];
    this.#memory = [];
    this.#prices.clear();
    const providers = record(record(record(hostConfig)?.models)?.providers) ?? {};
    for (const [provider, value] of Object.entries(providers)) {
      const entry = record(value);
      const endpoint = toEndpoint(
        entry?.baseUrl,
        {
          provider,
          ...(typeof entry?.api === "string" && { api: entry.api }),
        },
        entry?.apiKey,
      );
      if (endpoint) this.#configured.push(endpoint);
      for (const item of Array.isArray(entry?.models) ? entry.models : []) this.#addPrice(provider, item);
    }
    for (const memory of memoryBaseUrls(hostConfig)) {
      const endpoint = toEndpoint(
        memory.baseUrl,
        { provider: memory.provider ?? "memory.search" },
        memory.apiKey,
      );
      if (endpoint) this.#memory.push(endpoint);
    }
    for (const base of extra) {
      const endpoint = toEndpoint(base, { provider: new URL(base).host });
      if (endpoint) this.#configured.push(endpoint);
    }
    this.#configured.sort((a, b) => b.prefix.length - a.prefix.length);
  }

  /** A traced call went to this origin: model paths on it are model calls from now on. */
  learn(origin: string, info: EndpointInfo): void {
    if (this.#learned.size < 1000 && !this.#learned.has(origin)) this.#learned.set(origin, info);
  }

  /**
   * The provider behind a URL, undefined when it is no model endpoint.
   * @param origin scheme, host and port. @param path path with or without query.
   * @param credentials header values that may hold the key: where providers share a base URL, theirs decides.
   */
  match(
    origin: string,
    path: string,
    credentials: () => readonly string[] = () => [],
  ): EndpointInfo | undefined {
    const bare = path.split("?", 1)[0] ?? path;
    const here = [...this.#configured, ...this.#memory].filter((endpoint) => endpoint.origin === origin);
    const under = here.filter(
      ({ prefix }) => prefix === "" || bare === prefix || bare.startsWith(`${prefix}/`),
    );
    const found = under.length > 0 ? under : MODEL_PATH.test(bare) ? here : [];
    if (found.length > 1) {
      const sent = credentials();
      const byKey = found.find(({ key }) => key !== undefined && sent.some((value) => value.endsWith(key)));
      // The same base URL without a telling key: embeddings are the memory's, the rest the first provider's.
      const memory = EMBEDDING_PATH.test(bare)
        ? this.#memory.find((endpoint) => found.includes(endpoint))
        : undefined;
      return byKey ?? memory ?? found[0];
    }
    if (found[0]) return found[0];
    const forwarded = egressUpstreamAt(origin, bare);
    if (forwarded) return forwarded;
    const learned = this.#learned.get(origin);
    return learned && MODEL_PATH.test(bare) ? learned : undefined;
  }

  /** Price of a provider's model; undefined when the config does not state one (never guessed). */
  price(provider: string | null, model: string | null): ModelPrice | undefined {
    return provider === null || model === null ? undefined : this.#prices.get(`${provider}\n${model}`);
  }

  get size(): number {
    return this.#configured.length + this.#memory.length + this.#learned.size;
  }

  #addPrice(provider: string, item: unknown): void {
    const model = record(item);
    const cost = record(model?.cost);
    if (typeof model?.id !== "string" || !cost) return;
    const number = (value: unknown) => (typeof value === "number" ? value : 0);
    this.#prices.set(`${provider}\n${model.id}`, {
      input: number(cost.input),
      output: number(cost.output),
      cacheRead: number(cost.cacheRead),
      cacheWrite: number(cost.cacheWrite),
    });
  }
}

/** `memory.search.remote.baseUrl`, globally and per agent: embeddings may go to a service no provider names. */
function memoryBaseUrls(hostConfig: unknown): { baseUrl: unknown; apiKey: unknown; provider?: string }[] {
  const root = record(hostConfig);
  const holders = [
    root?.memory,
    record(record(root?.agents)?.defaults)?.memorySearch,
    record(root?.agents)?.defaults,
  ];
  return holders.flatMap((holder) => {
    const search = record(record(holder)?.search) ?? record(record(holder)?.memorySearch) ?? record(holder);
    const { baseUrl, apiKey } = record(search?.remote) ?? {};
    const provider = search?.provider;
    return baseUrl === undefined
      ? []
      : [{ baseUrl, apiKey, ...(typeof provider === "string" && { provider }) }];
  });
}

function toEndpoint(baseUrl: unknown, info: EndpointInfo, apiKey?: unknown): Endpoint | undefined {
  if (typeof baseUrl !== "string" || !URL.canParse(baseUrl)) return undefined;
  const url = new URL(baseUrl);
  if (
    url.protocol !== "http:" &&
    url.protocol !== "https:" &&
    url.protocol !== "ws:" &&
    url.protocol !== "wss:"
  )
    return undefined;
  const origin = url.origin === "null" ? `${url.protocol}//${url.host}` : url.origin;
  const key = typeof apiKey === "string" && apiKey.length >= 6 ? apiKey : undefined;
  return { ...info, origin, prefix: url.pathname.replace(/\/+$/, ""), key };
}

function record(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
