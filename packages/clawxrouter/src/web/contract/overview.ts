/** Overview: posture, counts, cost, latency. */
import { type Static, Type } from "@sinclair/typebox";
import { closed, LocalText, ModelRef, oneOf, orNull, Time } from "./common.ts";

const count = Type.Integer({ minimum: 0 });
const usd = Type.Number({ minimum: 0, description: "USD" });
const ByLevel = Type.Object({ S1: count, S2: count, S3: count }, closed);
const ByRoute = Type.Object({ cloud: count, redacted: count, local: count, blocked: count }, closed);
const ByTier = Type.Object(
  { SIMPLE: count, MEDIUM: count, COMPLEX: count, RESEARCH: count, REASONING: count },
  closed,
);

export const TokenCounts = {
  /** As the provider counted them; cached ones are within `input` except for Anthropic's API. */
  input: count,
  output: count,
  cacheRead: count,
  cacheWrite: count,
};

export const PostureItem = Type.Object(
  {
    /** `config`, `access`, `proxy`, `provider:<id>`, `login:<path>`, `runtime:<id>`, `memory-search`, `local-model`, `self-test` */
    id: Type.String(),
    ok: Type.Boolean(),
    severity: oneOf(["red", "yellow"] as const),
    text: LocalText,
    /** What mends it; null when it is fine. */
    fix: orNull(
      Type.Object(
        {
          text: LocalText,
          /** For the clipboard. */
          command: orNull(Type.String()),
          /** A button: call this endpoint (`setup` after showing `setupPlan`). */
          action: orNull(oneOf(["setup", "self-test"] as const)),
        },
        closed,
      ),
    ),
  },
  closed,
);
export const PostureState = oneOf(["green", "yellow", "red"] as const);
export const Posture = Type.Object({ state: PostureState, items: Type.Array(PostureItem) }, closed);
export type Posture = Static<typeof Posture>;

/** `from`/`to` win over `days`. */
export const RangeQuery = Type.Object(
  {
    days: Type.Optional(Type.Integer({ minimum: 1, maximum: 3_660, default: 30 })),
    from: Type.Optional(Time),
    to: Type.Optional(Time),
  },
  closed,
);

export const ModelTotals = Type.Object(
  {
    provider: Type.String(),
    model: Type.String(),
    local: Type.Boolean(),
    requests: count,
    ...TokenCounts,
    usd,
    /** Requests whose price is unknown: not in `usd`. */
    unpriced: count,
  },
  closed,
);
export type ModelTotals = Static<typeof ModelTotals>;

/** Percentiles are upper bounds of histogram buckets, within 10 % of the true value. Null without a measurement. */
export const Latency = orNull(
  Type.Object(
    { n: count, meanMs: Type.Number(), p50Ms: Type.Number(), p95Ms: Type.Number(), maxMs: Type.Number() },
    closed,
  ),
);

export const Budget = Type.Object(
  {
    state: oneOf(["none", "ok", "warn", "exceeded"] as const),
    text: Type.String(),
    dayUsd: usd,
    dayLimitUsd: orNull(usd),
    monthUsd: usd,
    monthLimitUsd: orNull(usd),
  },
  closed,
);

export const Summary = Type.Object(
  {
    from: Time,
    to: Time,
    posture: PostureState,
    /** User messages. */
    turns: Type.Object({ total: count, byLevel: ByLevel, byRoute: ByRoute, byTier: ByTier }, closed),
    /** What was judged at the other checkpoints and found above S1 (or stopped). */
    toolDetections: Type.Object({ total: count, byLevel: ByLevel, byRoute: ByRoute }, closed),
    /**
     * Model requests through the proxy, titles, recaps and embeddings included. `byRoute.redacted`: values were
     * replaced in it; `blocked`: refused by the proxy, nothing left.
     */
    requests: Type.Object(
      { total: count, failed: count, byLevel: ByLevel, byRoute: ByRoute, ...TokenCounts },
      closed,
    ),
    cost: Type.Object(
      {
        spentUsd: usd,
        /** Requests of unknown price, not in the sums. */
        unpriced: count,
        defaultModel: orNull(ModelRef),
        /** Requests in the comparison: both prices known. */
        compared: count,
        /** The same tokens of the compared requests at the default model; null: nothing can be compared. */
        ifDefaultUsd: orNull(usd),
        /** `ifDefaultUsd` less what the compared requests cost; negative when more was spent. */
        savedUsd: orNull(Type.Number()),
      },
      closed,
    ),
    models: Type.Array(ModelTotals),
    latency: Type.Object(
      {
        /** Grading of a prompt by the cost judge. */
        judge: Latency,
        /** Privacy verdict on a user message. */
        privacy: Latency,
        /** What the proxy adds before a request leaves. */
        proxy: Latency,
        /** First byte of the answer, from the request's first byte at the proxy. */
        firstToken: Latency,
      },
      closed,
    ),
    budget: Budget,
    /** Turns running now. */
    activeTurns: count,
  },
  closed,
);
export type Summary = Static<typeof Summary>;

export const HourlyQuery = Type.Object(
  {
    ...RangeQuery.properties,
    /** Default: `hour` up to 3 days, else `day`. */
    step: Type.Optional(oneOf(["hour", "day"] as const)),
    /** Where days begin, as an IANA time zone; default UTC. Ranges of more than 400 days: UTC. */
    zone: Type.Optional(Type.String({ maxLength: 64 })),
  },
  closed,
);
/** `at` of a point is one of `starts`; points without anything are left out. All points together are the summary's sums. */
export const Hourly = Type.Object(
  {
    from: Time,
    to: Time,
    step: oneOf(["hour", "day"] as const),
    /** Where each bucket begins: the first with the range, the others at the full hour or at midnight. */
    starts: Type.Array(Time),
    models: Type.Array(
      Type.Object(
        {
          at: Time,
          provider: Type.String(),
          model: Type.String(),
          requests: count,
          ...TokenCounts,
          usd,
          unpriced: count,
        },
        closed,
      ),
    ),
    turns: Type.Array(Type.Object({ at: Time, byLevel: ByLevel, byRoute: ByRoute }, closed)),
    requests: Type.Array(Type.Object({ at: Time, byLevel: ByLevel, byRoute: ByRoute }, closed)),
  },
  closed,
);
export type Hourly = Static<typeof Hourly>;

export const SelfTestResult = Type.Object(
  {
    ok: Type.Boolean(),
    text: LocalText,
    rows: Type.Array(
      Type.Object(
        {
          path: Type.String(),
          /** Kinds of canaries that got through: must be empty. */
          leaked: Type.Array(Type.String()),
          answered: Type.Boolean(),
          detail: Type.String(),
        },
        closed,
      ),
    ),
  },
  closed,
);

/** What `openclaw clawxrouter setup` would change in openclaw.json; keys are cut out of the values. */
export const SetupPlan = Type.Object(
  {
    plan: Type.String({ description: "Send it back with POST setup: exactly this plan is carried out" }),
    changes: Type.Array(
      Type.Object(
        { path: Type.String(), before: Type.String(), after: Type.String(), note: Type.String() },
        closed,
      ),
    ),
    problems: Type.Array(Type.String()),
  },
  closed,
);

/** `statistics`: counters, sessions, detections and requests; `config`: all defaults (undo works); `prompts`: as shipped. */
export const ResetBody = Type.Object(
  { what: oneOf(["statistics", "config", "prompts"] as const), confirm: Type.Literal(true) },
  closed,
);
