import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

const literals = <const T extends string>(
  values: readonly T[],
  options: { default: NoInfer<T>; description: string },
) =>
  // TypeBox itself has no string enum as JSON Schema knows it: the type is told here, the values are checked below.
  Type.Unsafe<T>(Type.String({ enum: [...values], ...options }));

export const REMINDER_MODES = ["off", "minimal", "normal", "aggressive"] as const;
export const PRIVACY_MODES = ["strict", "relaxed"] as const;
export const EXTRACTION_TRIGGERS = ["agent_end", "before_compaction"] as const;
export const LANGUAGES = ["zh", "en"] as const;

/** A secret as text, or as the host's SecretRef, which arrives here resolved to text. */
const secret = (description: string) =>
  Type.Union(
    [
      Type.String(),
      Type.Object(
        { source: Type.String(), provider: Type.String(), id: Type.String() },
        { additionalProperties: true },
      ),
    ],
    { description },
  );

const closed = { additionalProperties: false } as const;

/** Settings under `plugins.entries.knowhub.config`; the manifest's configSchema is this, word for word. */
export const configSchema = Type.Object(
  {
    apiUrl: Type.String({
      default: "",
      description: "Base URL of a KnowHub server. Empty: the embedded knowledge base, no network.",
    }),
    apiKey: Type.Optional(secret("Bearer key for the KnowHub server at apiUrl; a SecretRef is recommended.")),
    allowInsecureRemote: Type.Boolean({
      default: false,
      description:
        "Allow http:// to a server that is not this machine. Knowledge and the key then travel in the clear.",
    }),
    submittedBy: Type.String({
      default: "",
      description: "Who submits knowledge, e.g. an e-mail address; kept in source.submitted_by.",
    }),
    language: literals(LANGUAGES, { default: "zh", description: "Language of tool results and reminders." }),
    reminderMode: literals(REMINDER_MODES, {
      default: "normal",
      description:
        "How often the agent is reminded: every 5 (minimal), 3 (normal) or 2 (aggressive) model calls, or never.",
    }),
    enableServerExtraction: Type.Boolean({
      default: false,
      description:
        "After a turn, extract experiences from the new messages. Sends redacted message text to the server, or to your own default model when embedded.",
    }),
    privacyMode: literals(PRIVACY_MODES, {
      default: "strict",
      description:
        "What extraction removes first: strict removes personal data and secrets, relaxed secrets only.",
    }),
    extractionTrigger: literals(EXTRACTION_TRIGGERS, {
      default: "agent_end",
      description: "When extraction looks at new messages.",
    }),
    autoRecall: Type.Boolean({
      default: false,
      description: "Put up to three trusted items that fit the first message of a session into its prompt.",
    }),
    searchDeadlineMs: Type.Integer({
      default: 1500,
      minimum: 100,
      maximum: 10_000,
      description: "Longest time a search may wait for the server, in milliseconds.",
    }),
    serve: Type.Object(
      {
        enabled: Type.Boolean({
          default: false,
          description: "Offer the embedded knowledge base on 127.0.0.1 for other agents.",
        }),
        port: Type.Integer({ default: 9999, minimum: 1, maximum: 65_535, description: "Port on 127.0.0.1." }),
      },
      { ...closed, default: {} },
    ),
    embeddings: Type.Optional(
      Type.Object(
        {
          baseUrl: Type.String({
            minLength: 1,
            description: "OpenAI-compatible base URL, e.g. http://127.0.0.1:11434/v1.",
          }),
          model: Type.String({ minLength: 1, description: "Embedding model." }),
          apiKey: Type.Optional(secret("Key of the embedding endpoint; a SecretRef is recommended.")),
        },
        {
          ...closed,
          description: "Fuses semantic with lexical search. Knowledge text is sent to this endpoint.",
        },
      ),
    ),
  },
  closed,
);

export type KnowHubConfig = Omit<Static<typeof configSchema>, "apiKey" | "embeddings"> & {
  apiKey?: string;
  embeddings?: { baseUrl: string; model: string; apiKey?: string };
};

/** Presentation of the settings, for the manifest. */
export const uiHints = {
  apiUrl: {
    label: "KnowHub server / 服务器地址",
    placeholder: "https://knowhub.example.com",
    help: "Empty: embedded, offline. 留空使用内置知识库。",
  },
  apiKey: { label: "Server key / 服务器密钥", sensitive: true },
  allowInsecureRemote: { label: "Allow http to another machine / 允许明文远程", advanced: true },
  submittedBy: { label: "Submitted by / 提交者", placeholder: "you@example.com" },
  language: { label: "Language / 语言" },
  reminderMode: { label: "Reminders / 提醒频率" },
  enableServerExtraction: {
    label: "Extract from messages / 消息历史提取",
    help: "Off by default. 默认关闭。",
  },
  privacyMode: { label: "Privacy mode / 隐私模式" },
  extractionTrigger: { label: "Extraction trigger / 提取时机", advanced: true },
  autoRecall: { label: "Volunteer trusted items / 主动提供可信知识", advanced: true },
  searchDeadlineMs: { label: "Search deadline (ms) / 搜索时限", advanced: true },
  "serve.enabled": { label: "Serve other agents / 对外提供服务", advanced: true },
  "serve.port": { label: "Serve port / 服务端口", advanced: true },
  "embeddings.baseUrl": { label: "Embedding endpoint / 向量服务地址", advanced: true },
  "embeddings.model": { label: "Embedding model / 向量模型", advanced: true },
  "embeddings.apiKey": { label: "Embedding key / 向量服务密钥", sensitive: true, advanced: true },
} as const;

/** One setting that is wrong: where, what, and what would be right. */
export interface ConfigIssue {
  path: string;
  message: string;
}

/** The settings cannot be used; `issues` names every one that is wrong. */
export class ConfigError extends Error {
  readonly issues: readonly ConfigIssue[];
  constructor(issues: readonly ConfigIssue[]) {
    super(
      `knowhub: wrong settings: ${issues.map((i) => `plugins.entries.knowhub.config.${i.path}: ${i.message}`).join("; ")}`,
    );
    this.name = "ConfigError";
    this.issues = issues;
  }
}

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]", "::1"]);

/** Whether a URL's host is this machine; no name is resolved, so `localhost` counts and a DNS name never does. */
export function isLoopbackUrl(url: URL): boolean {
  return LOOPBACK.has(url.hostname) || /^127(\.\d{1,3}){3}$/.test(url.hostname);
}

function allowedValues(schema: unknown): string {
  const node = schema as { enum?: unknown[]; type?: string; minimum?: number; maximum?: number };
  if (node.enum) return `one of ${node.enum.map((v) => JSON.stringify(v)).join(", ")}`;
  if (node.minimum !== undefined && node.maximum !== undefined)
    return `a whole number from ${node.minimum} to ${node.maximum}`;
  return node.type ? `a ${node.type}` : "text or a SecretRef";
}

function urlIssues(path: string, value: string, allowInsecure: boolean): ConfigIssue[] {
  let url: URL;
  try {
    url = new URL(value);
  } catch {
    return [{ path, message: "is not a URL; expected e.g. https://knowhub.example.com" }];
  }
  if (url.protocol !== "https:" && url.protocol !== "http:")
    return [{ path, message: "must start with https:// or http://" }];
  if (url.username || url.password)
    return [{ path, message: "must not hold a user name or password; use apiKey" }];
  if (url.protocol === "http:" && !isLoopbackUrl(url) && !allowInsecure) {
    return [
      {
        path,
        message: `http:// to ${url.hostname} is refused: use https://, or set allowInsecureRemote to true to send knowledge in the clear`,
      },
    ];
  }
  return [];
}

/**
 * Checks the settings and fills in the defaults.
 *
 * @throws ConfigError naming every wrong setting with its path and the allowed values; unknown keys are wrong.
 */
export function parseConfig(raw: unknown): KnowHubConfig {
  const value = Value.Default(configSchema, structuredClone(raw ?? {}));
  const issues: ConfigIssue[] = [];
  for (const error of Value.Errors(configSchema, value)) {
    const path = error.path.slice(1).replaceAll("/", ".") || "(root)";
    if (issues.some((issue) => issue.path === path)) continue;
    const unknown = error.message.startsWith("Unexpected property");
    issues.push({
      path,
      message: unknown
        ? `is not a setting; known: ${Object.keys(configSchema.properties).join(", ")}`
        : `must be ${allowedValues(error.schema)}`,
    });
  }
  if (issues.length > 0) throw new ConfigError(issues);
  const config = value as Static<typeof configSchema>;
  for (const [path, schema] of Object.entries(configSchema.properties)) {
    const allowed = (schema as { enum?: unknown[] }).enum;
    if (allowed && !allowed.includes(config[path as keyof typeof config])) {
      issues.push({ path, message: `must be ${allowedValues(schema)}` });
    }
  }
  const apiKey = resolvedSecret("apiKey", config.apiKey, issues);
  if (config.apiUrl) issues.push(...urlIssues("apiUrl", config.apiUrl, config.allowInsecureRemote));
  let embeddings: KnowHubConfig["embeddings"];
  if (config.embeddings) {
    issues.push(...urlIssues("embeddings.baseUrl", config.embeddings.baseUrl, config.allowInsecureRemote));
    embeddings = {
      ...config.embeddings,
      apiKey: resolvedSecret("embeddings.apiKey", config.embeddings.apiKey, issues),
    };
  }
  if (issues.length > 0) throw new ConfigError(issues);
  return { ...config, apiUrl: config.apiUrl.replace(/\/+$/, ""), apiKey, embeddings };
}

function resolvedSecret(path: string, value: unknown, issues: ConfigIssue[]): string | undefined {
  if (value === undefined || value === "") return undefined;
  if (typeof value !== "string") {
    issues.push({ path, message: "is a SecretRef that the host did not resolve; check secrets.providers" });
    return undefined;
  }
  if (/[\r\n]/.test(value)) {
    issues.push({ path, message: "must be one line" });
    return undefined;
  }
  return value;
}
