/** Test panel, models, replay. */
import { type Static, Type } from "@sinclair/typebox";
import {
  Checkpoint,
  closed,
  Level,
  ModelRef,
  oneOf,
  orNull,
  Route,
  RouterAction,
  Tier,
  Time,
} from "./common.ts";

const text = Type.String();

export const TestClassifyBody = Type.Object(
  {
    message: Type.String({ minLength: 1, maxLength: 200_000 }),
    /** Default onUserMessage. */
    checkpoint: Type.Optional(Checkpoint),
    /** Ask only this router. */
    router: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    /** Tool name at the tool checkpoints. */
    tool: Type.Optional(Type.String({ maxLength: 200 })),
  },
  closed,
);

/** Where in the message something private stands (UTF-16 units). The value is in the page's own text. */
export const TestFinding = Type.Object(
  {
    start: Type.Integer(),
    end: Type.Integer(),
    type: text,
    level: oneOf(["S2", "S3"] as const),
    rule: text,
    confidence: Type.Number(),
  },
  closed,
);

const verdict = {
  level: Level,
  action: RouterAction,
  target: orNull(ModelRef),
  tier: orNull(Tier),
  reason: orNull(text),
  degraded: orNull(text),
  findings: Type.Array(TestFinding),
};
export const TestVerdict = Type.Object(
  {
    ...verdict,
    /** The router that won. */
    router: orNull(text),
  },
  closed,
);
export const TestRouterVerdict = Type.Object(
  {
    ...verdict,
    router: text,
    weight: Type.Number(),
    confidence: orNull(Type.Number()),
    ms: Type.Number(),
    /** The router failed and had no say. */
    error: orNull(text),
  },
  closed,
);
export const TestClassifyAnswer = Type.Object(
  {
    merged: TestVerdict,
    routers: Type.Array(TestRouterVerdict),
    /** Not asked, because an earlier one found private text. */
    skipped: Type.Array(text),
    /** Order as run: the first phase together, the second one after the other. */
    plan: Type.Object({ first: Type.Array(text), second: Type.Array(text) }, closed),
    ms: Type.Number(),
  },
  closed,
);
export type TestClassifyAnswer = Static<typeof TestClassifyAnswer>;

export const TestRouteBody = Type.Object(
  { message: Type.String({ minLength: 1, maxLength: 200_000 }) },
  closed,
);
export const TestRouteAnswer = Type.Object(
  {
    level: Level,
    route: Route,
    /** Null: the host's own default. */
    target: orNull(ModelRef),
    tier: orNull(Tier),
    reason: text,
    /** What the user would be told instead of an answer. */
    blocked: orNull(text),
    /** What a cloud model would get: placeholders in the place of values; null when nothing goes there. */
    cloud: orNull(text),
  },
  closed,
);

export const Price = Type.Object(
  {
    input: Type.Number(),
    output: Type.Number(),
    cacheRead: orNull(Type.Number()),
    cacheWrite: orNull(Type.Number()),
  },
  { ...closed, description: "USD a million tokens" },
);
export const Models = Type.Object(
  {
    providers: Type.Array(
      Type.Object(
        {
          id: text,
          api: orNull(text),
          /** On this machine or a listed host. */
          local: Type.Boolean(),
          /** Its requests pass the proxy. */
          protected: Type.Boolean(),
          models: Type.Array(
            Type.Object(
              {
                id: text,
                contextWindow: orNull(Type.Integer()),
                /** e.g. text, image */
                input: Type.Array(text),
                /** Null: unknown, never guessed. */
                price: orNull(Price),
                priceFrom: orNull(oneOf(["settings", "host", "local"] as const)),
              },
              closed,
            ),
          ),
        },
        closed,
      ),
    ),
    /** The host's default model. */
    default: orNull(ModelRef),
    /** Where private turns go. */
    local: orNull(ModelRef),
  },
  closed,
);
export type Models = Static<typeof Models>;

/** `settings` is merged over `tokenSaver` of the settings in force; nothing is written and nothing sent to a cloud. */
export const ReplayBody = Type.Object(
  {
    limit: Type.Integer({ minimum: 1, maximum: 500, default: 100 }),
    settings: Type.Record(Type.String(), Type.Unknown(), { default: {} }),
  },
  closed,
);
const Side = Type.Object(
  {
    tier: orNull(Tier),
    provider: orNull(text),
    model: orNull(text),
    /** Null: unknown price. */
    usd: orNull(Type.Number()),
  },
  closed,
);
export const ReplayAnswer = Type.Object(
  {
    /** Recorded turns looked at: safe ones whose text is kept. */
    turns: Type.Integer(),
    /** Sums over turns whose both prices are known. */
    spentUsd: Type.Number(),
    wouldUsd: Type.Number(),
    comparable: Type.Integer(),
    changed: Type.Integer(),
    /** The time limit came first (a local model is slow): `turns` is what was done. */
    incomplete: Type.Boolean(),
    rows: Type.Array(
      Type.Object({ detection: Type.Integer(), at: Time, text: text, was: Side, would: Side }, closed),
    ),
  },
  closed,
);
export type ReplayAnswer = Static<typeof ReplayAnswer>;
