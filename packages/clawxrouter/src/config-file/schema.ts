/**
 * The shape of `~/.openclaw/clawxrouter.json`. Every field is optional in the file: what is missing takes the
 * default written here, so this file is the one list of settings, defaults and bounds.
 */
import { type Static, type TSchema, Type } from "@sinclair/typebox";

const list = (items: TSchema, fallback: unknown[] = []) => Type.Array(items, { default: fallback });
const strings = (fallback: string[] = []) => Type.Array(Type.String({ minLength: 1 }), { default: fallback });
const closed = { additionalProperties: false } as const;
const literals = <const T extends string>(
  values: readonly T[],
  options: { default?: T; description?: string } = {},
) =>
  Type.Unsafe<T>(
    Type.Union(
      values.map((value) => Type.Literal(value)),
      options,
    ),
  );

/** What a checkpoint can ask: the rules (microseconds) and the local model (seconds). */
export const DETECTORS = ["ruleDetector", "localModelDetector"] as const;
export type DetectorName = (typeof DETECTORS)[number];

/** Where text is judged. `outbound` is the egress proxy, which sees everything that would leave. */
export const CHECKPOINTS = ["onUserMessage", "onToolCallProposed", "onToolCallExecuted", "outbound"] as const;
export type Checkpoint = (typeof CHECKPOINTS)[number];

export const TIERS = ["SIMPLE", "MEDIUM", "COMPLEX", "RESEARCH", "REASONING"] as const;
export type Tier = (typeof TIERS)[number];

const detectors = (fallback: DetectorName[]) => list(literals(DETECTORS), fallback);

const LevelLists = (s2: string[], s3: string[]) =>
  Type.Object({ S2: strings(s2), S3: strings(s3) }, { ...closed, default: {} });

const ToolRules = (tools: string[], paths: string[]) =>
  Type.Object({ tools: strings(tools), paths: strings(paths) }, { ...closed, default: {} });

/**
 * The user's own rules, beside the built-in ones of shared-security. The design's lists are narrowed to what
 * does not raise clean text: a bare `ssh`, `token`, `.env` or `客户` is in half of all code and documents,
 * while the values behind them (keys, passwords, numbers) are found by the built-in rules with their context.
 */
const Rules = Type.Object(
  {
    builtin: Type.Boolean({ default: true, description: "Use the rules of shared-security" }),
    keywords: LevelLists(
      ["甲方代表", "乙方代表", "客户名单", "报价单", "合同编号", "intranet-only", "internal use only"],
      [
        "工资单",
        "工资条",
        "薪资条",
        "病历",
        "诊断证明",
        "诊断书",
        "处方笺",
        "体检报告",
        "社保缴费",
        "master_password",
      ],
    ),
    patterns: LevelLists(
      ["(?i)(?:contract|agreement)[-_ ]?(?:no|id|number)[-_.:# ]{1,3}[A-Z0-9][A-Z0-9-]{5,}"],
      ["(?i)\\bmaster[ _-]?password\\s*(?:is|=|:)\\s*\\S{6,}"],
    ),
    tools: Type.Object(
      {
        S2: ToolRules(["execute_sql"], ["~/secrets", "~/private"]),
        S3: ToolRules(["sudo"], ["~/.ssh", "~/.aws", "~/.config/credentials", "/root", "/credentials/"]),
      },
      { ...closed, default: {} },
    ),
    allow: Type.Array(Type.String({ minLength: 1 }), {
      default: [],
      description: "Exact values that are never raised, or sha256:<hex> of one (made by 'this was wrong')",
    }),
  },
  { ...closed, default: {} },
);

const Checkpoints = Type.Object(
  {
    onUserMessage: detectors(["ruleDetector", "localModelDetector"]),
    onToolCallProposed: detectors(["ruleDetector"]),
    onToolCallExecuted: detectors(["ruleDetector", "localModelDetector"]),
    outbound: detectors(["ruleDetector"]),
  },
  { ...closed, default: {} },
);

const Pipeline = Type.Object(
  {
    onUserMessage: strings(["privacy", "token-saver"]),
    onToolCallProposed: strings(["privacy"]),
    onToolCallExecuted: strings(["privacy"]),
  },
  { ...closed, default: {} },
);

export const ModelRefSchema = Type.Object(
  { provider: Type.String({ minLength: 1 }), model: Type.String({ minLength: 1 }) },
  closed,
);
export type ModelRef = Static<typeof ModelRefSchema>;

const RouterEntry = Type.Object(
  {
    enabled: Type.Boolean({ default: true }),
    type: literals(["builtin", "configurable", "custom"], { default: "configurable" }),
    weight: Type.Number({ minimum: 0, maximum: 100, default: 50 }),
    module: Type.Optional(
      Type.String({ minLength: 1, description: "Path of a code router; only read from this file" }),
    ),
    keywords: LevelLists([], []),
    patterns: LevelLists([], []),
    prompt: Type.Optional(Type.String({ maxLength: 20_000 })),
    target: Type.Optional(ModelRefSchema),
    options: Type.Record(Type.String(), Type.Unknown(), { default: {} }),
  },
  { ...closed, default: {} },
);

const LocalModel = Type.Object(
  {
    enabled: Type.Boolean({ default: false }),
    type: literals(["openai-compatible", "ollama-native", "custom"], { default: "openai-compatible" }),
    endpoint: Type.String({
      default: "http://127.0.0.1:11434",
      description: "Base URL; loopback or a host of localHosts",
    }),
    model: Type.String({ default: "openbmb/minicpm4.1" }),
    apiKeyEnv: Type.Optional(
      Type.String({ description: "Environment variable that holds the key, if one is needed" }),
    ),
    module: Type.Optional(Type.String({ minLength: 1, description: "Path of a custom detector module" })),
    timeoutMs: Type.Integer({ minimum: 100, maximum: 120_000, default: 10_000 }),
    concurrency: Type.Integer({ minimum: 1, maximum: 64, default: 2 }),
    windowChars: Type.Integer({ minimum: 500, maximum: 200_000, default: 8_000 }),
    cacheEntries: Type.Integer({ minimum: 0, maximum: 1_000_000, default: 5_000 }),
    breakerFailures: Type.Integer({ minimum: 1, maximum: 100, default: 3 }),
    breakerCooldownMs: Type.Integer({ minimum: 100, maximum: 3_600_000, default: 30_000 }),
  },
  { ...closed, default: {} },
);

const GuardAgent = Type.Object(
  {
    provider: Type.Optional(
      Type.String({ minLength: 1, description: "Local provider of models.providers for S3 turns" }),
    ),
    model: Type.Optional(Type.String({ minLength: 1 })),
    toolsAllow: Type.Optional(
      Type.Array(Type.String(), { description: "Tools of an S3 turn; absent: as configured in the host" }),
    ),
  },
  { ...closed, default: {} },
);

const media = literals(["withhold", "block", "allow"], { default: "withhold" });

/** The built-in routers exist whatever the file lists: leaving one out must not switch privacy off. */
export const BUILTIN_ROUTERS = {
  privacy: { enabled: true, type: "builtin", weight: 90 },
  "token-saver": { enabled: true, type: "builtin", weight: 40 },
} as const;

export const PrivacySchema = Type.Object(
  {
    enabled: Type.Boolean({ default: true }),
    rules: Rules,
    checkpoints: Checkpoints,
    pipeline: Pipeline,
    routers: Type.Record(Type.String({ pattern: "^[a-z0-9][a-z0-9-]{0,63}$" }), RouterEntry, { default: {} }),
    localModel: LocalModel,
    guardAgent: GuardAgent,
    localHosts: Type.Array(Type.String(), {
      default: [],
      description: "Hosts that count as local beside loopback",
    }),
    localProviders: Type.Object(
      {
        trust: Type.Array(Type.String({ minLength: 1 }), {
          default: [],
          description:
            "Providers on a local address that keep text there although they look like a gateway to a cloud",
        }),
        treatAsCloud: Type.Array(Type.String({ minLength: 1 }), {
          default: [],
          description: "Providers on a local address that pass text on to a cloud, e.g. a LiteLLM",
        }),
      },
      { ...closed, default: {} },
    ),
    s2Policy: literals(["proxy", "local"], { default: "proxy" }),
    s3Outbound: literals(["placeholder", "block"], { default: "placeholder" }),
    failClosed: literals(["S2", "S3", "off"], {
      default: "S2",
      description:
        "Level of a text whose local-model detector or privacy router did not answer; off accepts the rules' word",
    }),
    media: Type.Object({ image: media, audio: media, file: media }, { ...closed, default: {} }),
    proxyPort: Type.Integer({ minimum: 1, maximum: 65_535, default: 8403 }),
    maxBodyBytes: Type.Integer({ minimum: 65_536, maximum: 1_073_741_824, default: 33_554_432 }),
    inspectTimeoutMs: Type.Integer({ minimum: 500, maximum: 600_000, default: 30_000 }),
    vault: Type.Object(
      {
        maxValues: Type.Integer({ minimum: 1_000, maximum: 5_000_000, default: 100_000 }),
        retentionDays: Type.Integer({
          minimum: 0,
          maximum: 36_500,
          default: 365,
          description: "0 keeps all",
        }),
      },
      { ...closed, default: {} },
    ),
    memory: Type.Object({ enabled: Type.Boolean({ default: true }) }, { ...closed, default: {} }),
  },
  { ...closed, default: {} },
);

const price = Type.Number({ minimum: 0, description: "USD a million tokens" });
export const PriceSchema = Type.Object(
  { input: price, output: price, cacheRead: Type.Optional(price), cacheWrite: Type.Optional(price) },
  closed,
);
export type Price = Static<typeof PriceSchema>;

const tier = (model: string) =>
  Type.Object(
    {
      provider: Type.Optional(
        Type.String({ minLength: 1, description: "Absent: the provider of the host that lists the model" }),
      ),
      model: Type.String({ minLength: 1, default: model }),
    },
    { ...closed, default: {} },
  );

export const TokenSaverSchema = Type.Object(
  {
    enabled: Type.Boolean({ default: true }),
    judge: literals(["auto", "local-llm", "embedded"], { default: "auto" }),
    tiers: Type.Object(
      {
        SIMPLE: tier("glm-4.5-air"),
        MEDIUM: tier("minimax-m2.5"),
        COMPLEX: tier("deepseek-v3.2"),
        RESEARCH: tier("glm-5"),
        REASONING: tier("kimi-k2.5"),
      },
      { ...closed, default: {} },
    ),
    minConfidence: Type.Number({
      minimum: 0,
      maximum: 1,
      default: 0.5,
      description: "Below it the default model is kept",
    }),
    cacheTtlMs: Type.Integer({ minimum: 0, maximum: 86_400_000, default: 300_000 }),
    exemptSubagents: Type.Boolean({ default: false }),
    stickiness: Type.Boolean({
      default: true,
      description: "Switch models in a conversation only when it saves more than the lost prompt cache",
    }),
    prices: Type.Record(Type.String(), PriceSchema, {
      default: {},
      description: "provider/model -> price; the host's own cost fields are used where this says nothing",
    }),
    budget: Type.Object(
      {
        dayUsd: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
        monthUsd: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
        warnAt: Type.Number({ minimum: 0, maximum: 1, default: 0.8 }),
        onExceeded: literals(["warn", "downgrade"], { default: "downgrade" }),
      },
      { ...closed, default: {} },
    ),
  },
  { ...closed, default: {} },
);

/** Where a provider's requests truly go, written by `setup` and removed by `unset`. */
const Upstream = Type.Object(
  {
    baseUrl: Type.String({ minLength: 1 }),
    api: Type.String({ minLength: 1 }),
    local: Type.Boolean({ default: false }),
  },
  { ...closed, default: {} },
);

const Managed = Type.Object(
  {
    upstreams: Type.Record(Type.String(), Upstream, { default: {} }),
    /** What `setup` changed in openclaw.json: JSON pointer -> value before (absent: there was none). */
    changes: Type.Array(
      Type.Object(
        {
          path: Type.String(),
          before: Type.Optional(Type.Unknown()),
          after: Type.Optional(Type.Unknown()),
          /** As it stood in openclaw.json, where that is not `before`: `${VAR}`. */
          written: Type.Optional(Type.Unknown()),
        },
        closed,
      ),
      { default: [] },
    ),
    /** openclaw.json byte for byte as it was, and the SHA-256 of what `setup` left, so that `unset` can be exact. */
    originalText: Type.Optional(Type.String()),
    writtenSha256: Type.Optional(Type.String()),
  },
  { ...closed, default: {} },
);

export const DashboardSchema = Type.Object(
  {
    hosts: Type.Array(Type.String({ pattern: "^[A-Za-z0-9.-]+$", maxLength: 253 }), {
      default: [],
      description: "Host names under which the page may be opened beside loopback, e.g. of a tunnel",
    }),
    language: literals(["auto", "en", "zh"], { default: "auto", description: "auto follows the browser" }),
    keepText: Type.Boolean({
      default: true,
      description:
        "Keep masked texts (placeholders in the place of private values) for the log and the replay",
    }),
    retentionDays: Type.Integer({
      minimum: 1,
      maximum: 3_650,
      default: 90,
      description: "Detections and requests older than this are deleted; the hourly sums stay",
    }),
    maxEvents: Type.Integer({
      minimum: 1_000,
      maximum: 20_000_000,
      default: 1_000_000,
      description: "Detections kept, and requests kept; the oldest go first",
    }),
  },
  { ...closed, default: {} },
);

export const ConfigFileSchema = Type.Object(
  { privacy: PrivacySchema, tokenSaver: TokenSaverSchema, dashboard: DashboardSchema, managed: Managed },
  { ...closed, default: {} },
);

/** The whole file with every default filled in. */
export type RouterConfig = Static<typeof ConfigFileSchema>;
export type PrivacyConfig = RouterConfig["privacy"];
export type TokenSaverConfig = RouterConfig["tokenSaver"];
export type DashboardConfig = RouterConfig["dashboard"];
export type RouterEntryConfig = PrivacyConfig["routers"][string];
export type LocalModelConfig = PrivacyConfig["localModel"];
