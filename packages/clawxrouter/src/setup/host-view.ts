/**
 * What ClawXRouter reads of the host's openclaw.json: providers, model references, memory search, our own grant.
 * Tolerant: whatever is not there or of another shape is as if absent; the host validates its own file.
 */

export interface HostModel {
  id: string;
  contextWindow: number | undefined;
  maxTokens: number | undefined;
  input: readonly string[];
  /** False when the config says that the model takes no tools; else undefined. */
  supportsTools: boolean | undefined;
  cost: { input?: number; output?: number; cacheRead?: number; cacheWrite?: number } | undefined;
}

export interface HostProvider {
  id: string;
  baseUrl: string | undefined;
  api: string | undefined;
  models: readonly HostModel[];
  /** False for a bundled provider that the config only refers to. */
  configured: boolean;
}

/** A place in the config that names a model, e.g. `/agents/defaults/model/primary`. */
export interface ModelUse {
  path: string;
  provider: string;
  model: string;
}

export interface HostView {
  providers: ReadonlyMap<string, HostProvider>;
  uses: readonly ModelUse[];
  /** `memory.search.remote.baseUrl`, when set. */
  memoryRemoteUrl: string | undefined;
  conversationAccess: boolean;
  /** Agent runtimes that are not the host's own loop, by place: their traffic passes no proxy and no hook. */
  foreignRuntimes: readonly { path: string; id: string }[];
  /** Logins whose traffic goes to an endpoint of its own, whatever the base URL: by place. */
  foreignLogins: readonly { path: string; provider: string }[];
  gatewayPort: number | undefined;
}

/**
 * Base URL, API and key variables of the host's bundled providers, as their manifests in OpenClaw 2026.9.6 give
 * them. With its key in the environment a provider can be used without a word in the config.
 */
export const BUNDLED_PROVIDERS: Readonly<
  Record<string, { baseUrl: string; api: string; keys: readonly string[] }>
> = {
  anthropic: {
    baseUrl: "https://api.anthropic.com",
    api: "anthropic-messages",
    keys: ["ANTHROPIC_API_KEY", "ANTHROPIC_OAUTH_TOKEN"],
  },
  google: {
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    api: "google-generative-ai",
    keys: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
  },
  huggingface: {
    baseUrl: "https://router.huggingface.co/v1",
    api: "openai-completions",
    keys: ["HF_TOKEN", "HUGGINGFACE_HUB_TOKEN"],
  },
  lmstudio: { baseUrl: "http://127.0.0.1:1234/v1", api: "openai-completions", keys: [] },
  nvidia: {
    baseUrl: "https://integrate.api.nvidia.com/v1",
    api: "openai-completions",
    keys: ["NVIDIA_API_KEY"],
  },
  ollama: { baseUrl: "http://127.0.0.1:11434", api: "ollama", keys: [] },
  "ollama-cloud": { baseUrl: "https://ollama.com", api: "ollama", keys: ["OLLAMA_API_KEY"] },
  openai: { baseUrl: "https://api.openai.com/v1", api: "openai-responses", keys: ["OPENAI_API_KEY"] },
  openrouter: {
    baseUrl: "https://openrouter.ai/api/v1",
    api: "openai-completions",
    keys: ["OPENROUTER_API_KEY"],
  },
  together: { baseUrl: "https://api.together.xyz/v1", api: "openai-completions", keys: ["TOGETHER_API_KEY"] },
  xai: { baseUrl: "https://api.x.ai/v1", api: "openai-responses", keys: ["XAI_API_KEY"] },
};

/** Keys under which the config names models; `model` may be a string or {primary, fallbacks}. */
const MODEL_KEYS =
  /^(?:model|primary|fallbacks|utilityModel|imageModel|pdfModel|visionModel|fallbackModels|summaryModel|defaultModel)$/;
const MODEL_REF = /^([a-z0-9][a-z0-9._-]*)\/(\S+)$/i;

/** @param env where keys of bundled providers may be; default: nothing is assumed */
export function viewHost(config: unknown, env: Readonly<Record<string, string | undefined>> = {}): HostView {
  const root = record(config);
  const providers = new Map<string, HostProvider>();
  for (const [id, raw] of Object.entries(record(record(root.models).providers))) {
    const provider = record(raw);
    providers.set(id, {
      id,
      baseUrl: text(provider.baseUrl),
      api: text(provider.api),
      models: Array.isArray(provider.models) ? provider.models.flatMap(model) : [],
      configured: true,
    });
  }
  const uses: ModelUse[] = [];
  collectUses(root.agents, "/agents", undefined, uses);
  for (const key of ["utilityModel", "hooks", "cron", "tools", "messages", "media", "memory"]) {
    collectUses(root[key], `/${key}`, key, uses);
  }
  for (const id of mentioned(root, uses, env)) {
    if (providers.has(id)) continue;
    const known = BUNDLED_PROVIDERS[id];
    providers.set(id, {
      id,
      baseUrl: known?.baseUrl,
      api: known?.api,
      models: [],
      configured: false,
    });
  }
  const entry = record(record(record(root.plugins).entries).clawxrouter);
  const port = record(root.gateway).port;
  return {
    providers,
    uses,
    memoryRemoteUrl: text(record(record(record(root.memory).search).remote).baseUrl),
    foreignRuntimes: [
      ...runtimesIn(root.agents, "/agents", undefined),
      ...runtimesIn(root.models, "/models", undefined),
    ],
    foreignLogins: Object.entries(record(record(root.auth).profiles)).flatMap(([id, raw]) => {
      const { provider, mode } = record(raw);
      const own = mode === "oauth" && typeof provider === "string" && OWN_ENDPOINT_LOGINS.has(provider);
      return own ? [{ path: `/auth/profiles/${pointerPart(id)}`, provider }] : [];
    }),
    conversationAccess: record(entry.hooks).allowConversationAccess === true,
    gatewayPort: typeof port === "number" ? port : undefined,
  };
}

/** Ids of a provider's models, wherever the config names one. */
export function modelsNamed({ providers, uses }: HostView, provider: string): string[] {
  const ids = new Set((providers.get(provider)?.models ?? []).map(({ id }) => id));
  for (const use of uses) if (use.provider === provider) ids.add(use.model);
  return [...ids];
}

/** Providers whose OAuth login talks to a subscription endpoint instead of the API. */
const OWN_ENDPOINT_LOGINS = new Set(["openai", "github-copilot", "google-gemini-cli"]);

/** Runtimes that are the host's own embedded loop. */
const OWN_RUNTIMES = new Set(["openclaw", "auto", "default", "embedded", "pi"]);

function runtimesIn(value: unknown, path: string, key: string | undefined): { path: string; id: string }[] {
  if (typeof value === "string") {
    const names = key === "agentRuntime" || /\/agentRuntime\/id$/.test(path);
    return names && !OWN_RUNTIMES.has(value) ? [{ path, id: value }] : [];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) =>
    runtimesIn(item, `${path}/${pointerPart(name)}`, name),
  );
}

/** Providers that may be asked without an entry of their own: by a model reference, memory search, a login or a key. */
function mentioned(
  root: Record<string, unknown>,
  uses: readonly ModelUse[],
  env: Readonly<Record<string, string | undefined>>,
): Set<string> {
  const ids = new Set(uses.map((use) => use.provider));
  const embeddings = text(record(record(root.memory).search).provider);
  if (embeddings !== undefined && BUNDLED_PROVIDERS[embeddings] !== undefined) ids.add(embeddings);
  for (const profile of Object.values(record(record(root.auth).profiles))) {
    const provider = text(record(profile).provider);
    if (provider !== undefined) ids.add(provider);
  }
  for (const [id, { keys }] of Object.entries(BUNDLED_PROVIDERS)) {
    if (keys.some((key) => (env[key] ?? "") !== "")) ids.add(id);
  }
  return ids;
}

function collectUses(value: unknown, path: string, key: string | undefined, uses: ModelUse[]): void {
  if (typeof value === "string") {
    const ref = key !== undefined && MODEL_KEYS.test(key) ? MODEL_REF.exec(value) : null;
    if (ref?.[1] !== undefined && ref[2] !== undefined) uses.push({ path, provider: ref[1], model: ref[2] });
    return;
  }
  if (Array.isArray(value)) {
    value.forEach((item, i) => {
      collectUses(item, `${path}/${i}`, key, uses);
    });
    return;
  }
  for (const [name, item] of Object.entries(record(value))) {
    collectUses(item, `${path}/${pointerPart(name)}`, name, uses);
  }
}

function model(raw: unknown): HostModel[] {
  const value = record(raw);
  const id = text(value.id);
  if (id === undefined) return [];
  const cost = record(value.cost);
  return [
    {
      id,
      contextWindow: number(value.contextWindow),
      maxTokens: number(value.maxTokens),
      input: Array.isArray(value.input)
        ? value.input.filter((x): x is string => typeof x === "string")
        : ["text"],
      supportsTools: record(value.compat).supportsTools === false ? false : undefined,
      cost:
        value.cost === undefined
          ? undefined
          : {
              input: number(cost.input),
              output: number(cost.output),
              cacheRead: number(cost.cacheRead),
              cacheWrite: number(cost.cacheWrite),
            },
    },
  ];
}

/** One part of a JSON pointer (RFC 6901). */
export function pointerPart(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

export function record(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function number(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
