/**
 * The plugin's settings: one TypeBox schema is the source of the types, the defaults, the errors and the
 * manifest's `configSchema` (`scripts/manifest.ts` writes it, a test compares).
 */
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

export const PLUGIN_ID = "llm-logger-openclaw-plugin";

/** Where a user finds the settings; every message that asks for a change names it. */
export const CONFIG_PATH = `plugins.entries.${PLUGIN_ID}.config`;

export const configSchema = Type.Object(
  {
    enabled: Type.Boolean({ default: true, description: "Soft switch: false captures and writes nothing." }),
    logFile: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          "Base path <dir>/x.jsonl: lines go to <dir>/<sessionId>/x-YYYY-MM-DD.jsonl. Default: <stateDir>/logs/<sessionId>/llm-logger-openclaw-plugin-YYYY-MM-DD.jsonl.",
      }),
    ),
    maxBodyBytes: Type.Integer({
      minimum: 1024,
      default: 262_144,
      description:
        "Most bytes of a body written to the log, per direction. Longer ones keep length and SHA-256.",
    }),
    redactAuthorization: Type.Boolean({
      default: true,
      description:
        "Replace credential headers by [REDACTED]. False turns off this header rule only, with a warning.",
    }),
    includeHooks: Type.Boolean({ default: true, description: "Write llm_input and llm_output." }),
    includeHttp: Type.Boolean({ default: true, description: "Capture HTTP requests and responses." }),
    includeWebSocket: Type.Boolean({ default: true, description: "Capture WebSocket frames." }),
    includeBodies: Type.Boolean({
      default: true,
      description:
        "False keeps bodies, prompts and answers out: sizes, timings, status and token usage only.",
    }),
    redactPii: Type.Boolean({
      default: false,
      description: "Also replace personal data (phones, mails, identity numbers ...) in bodies.",
    }),
    retentionDays: Type.Integer({
      minimum: 0,
      default: 30,
      description: "Delete log files older than this. 0: keep.",
    }),
    retentionMaxBytes: Type.Integer({
      minimum: 0,
      default: 2_147_483_648,
      description: "Delete the oldest log files above this total size. 0: no limit.",
    }),
    writeMode: Type.Union([Type.Literal("direct"), Type.Literal("batched")], {
      default: "direct",
      description:
        "direct: one write a line at once. batched: for slow disks, lines are written together every batchMs.",
    }),
    batchMs: Type.Integer({
      minimum: 10,
      maximum: 10_000,
      default: 200,
      description: "Longest wait of a line in batched mode.",
    }),
    endpoints: Type.Array(Type.String({ minLength: 1 }), {
      default: [],
      description:
        "More model endpoints (base URLs) whose POST requests are logged although no configured provider names them.",
    }),
  },
  { additionalProperties: false },
);

export type PluginConfig = Static<typeof configSchema>;

/** A settings object that cannot be used; `issues` names each wrong path with what is allowed. */
export class ConfigError extends Error {
  readonly issues: string[];
  constructor(issues: string[]) {
    super(`${CONFIG_PATH}: ${issues.join("; ")}`);
    this.name = "ConfigError";
    this.issues = issues;
  }
}

/**
 * Parses `plugins.entries.<id>.config`, filling in defaults.
 * @throws ConfigError naming every unknown key and every wrong value by its path (never the value: it may be a secret).
 */
export function parseConfig(value: unknown): PluginConfig {
  const input = value ?? {};
  if (typeof input !== "object" || Array.isArray(input))
    throw new ConfigError(["expected an object of settings"]);
  const filled = Value.Default(configSchema, { ...input });
  if (Value.Check(configSchema, filled)) {
    const wrong = filled.endpoints.flatMap((base, i) => (isBaseUrl(base) ? [] : [i]));
    if (wrong.length === 0) return filled;
    throw new ConfigError(
      wrong.map((i) => `"endpoints.${i}": expected a base URL such as https://models.example/v1`),
    );
  }
  const known = Object.keys(configSchema.properties);
  const issues = new Map<string, string>();
  for (const error of Value.Errors(configSchema, filled)) {
    const key = error.path.replace(/^\//, "").replaceAll("/", ".");
    if (issues.has(key)) continue;
    const unknown = !known.includes(key.split(".")[0] ?? "");
    issues.set(
      key,
      unknown
        ? `unknown key "${key}" (known: ${known.join(", ")})`
        : `"${key}": ${expectation(key, error.message)}`,
    );
  }
  throw new ConfigError([...issues.values()]);
}

function isBaseUrl(text: string): boolean {
  return URL.canParse(text) && /^(https?|wss?):$/.test(new URL(text).protocol);
}

function expectation(key: string, message: string): string {
  if (key === "writeMode") return 'expected "direct" or "batched"';
  return message.charAt(0).toLowerCase() + message.slice(1);
}

/** Settings labels for the host's settings page. */
export const uiHints: Record<string, { label: string; help?: string; advanced?: boolean }> = {
  enabled: { label: "Log model calls / 记录模型调用" },
  logFile: {
    label: "Log file base path / 日志文件路径",
    help: "<dir>/x.jsonl becomes <dir>/<sessionId>/x-YYYY-MM-DD.jsonl",
  },
  maxBodyBytes: { label: "Largest body kept (bytes) / 单个 body 最大字节数" },
  redactAuthorization: { label: "Hide credential headers / 凭证头脱敏" },
  includeHooks: { label: "llm_input / llm_output" },
  includeHttp: { label: "HTTP" },
  includeWebSocket: { label: "WebSocket" },
  includeBodies: { label: "Prompts and answers / 记录正文" },
  redactPii: { label: "Hide personal data in bodies / 正文个人信息脱敏" },
  retentionDays: { label: "Keep days / 保留天数" },
  retentionMaxBytes: { label: "Keep at most (bytes) / 总大小上限" },
  writeMode: { label: "Write mode / 写入方式", advanced: true },
  batchMs: { label: "Batch wait (ms) / 批量间隔", advanced: true },
  endpoints: { label: "More model endpoints / 额外模型端点", advanced: true },
};
