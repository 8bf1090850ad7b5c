/** Detections, requests, sessions, and the streams of them. Never a private value: placeholders stand in its place. */
import { type Static, Type } from "@sinclair/typebox";
import {
  Checkpoint,
  closed,
  Level,
  oneOf,
  orNull,
  paging,
  Route,
  RouterAction,
  SessionKey,
  Tier,
  Time,
} from "./common.ts";
import { PostureState, TokenCounts } from "./overview.ts";

const text = Type.String();
const ms = Type.Number({ minimum: 0, description: "Milliseconds" });

/** A piece of what was said: clear text, or a private part of which only the kind is told. */
export const Segment = Type.Union([
  Type.Object({ text }, closed),
  Type.Object(
    {
      type: Type.String({ description: "e.g. PHONE, EMAIL, TEXT (a whole private text)" }),
      level: oneOf(["S2", "S3"] as const),
      /** The placeholder; give it to `feedback` as `token`. */
      token: Type.String(),
    },
    closed,
  ),
]);
export type Segment = Static<typeof Segment>;

/** What a router of the pipeline said by itself. */
export const RouterVerdict = Type.Object(
  {
    router: text,
    level: Level,
    action: RouterAction,
    reason: orNull(text),
    ms,
  },
  closed,
);

export const Detection = Type.Object(
  {
    kind: Type.Literal("detection"),
    id: Type.Integer(),
    at: Time,
    session: orNull(text),
    agent: orNull(text),
    /** The turn it belongs to (the host's run id); requests of the turn have the same. */
    loopId: orNull(text),
    checkpoint: Checkpoint,
    level: Level,
    action: RouterAction,
    route: Route,
    /** The router that won. */
    router: orNull(text),
    reason: text,
    /** Ids such as `contact/phone`, `user/keyword`, `user/patterns.S3[0]`, `path ~/.ssh`, `tool sudo`. */
    rules: Type.Array(text),
    /** Model the turn was sent to by ClawXRouter; null: as configured in the host. */
    provider: orNull(text),
    model: orNull(text),
    tier: orNull(Tier),
    /** Tool at the tool checkpoints. */
    tool: orNull(text),
    degraded: orNull(Type.String({ description: "A detector that did not answer" })),
    ms,
    routers: Type.Array(RouterVerdict),
    /** What was said, masked; null when texts are not kept (`dashboard.keepText`). Cut at 2,000 characters. */
    said: orNull(Type.Array(Segment)),
    /** What a cloud model gets of it; null when nothing of it goes there (local, blocked) or texts are not kept. */
    cloud: orNull(text),
    truncated: Type.Boolean(),
    /** `reveal` can show the original (there are private parts and the vault still has them). */
    revealable: Type.Boolean(),
    /** What was done about it by "this was wrong". */
    feedback: orNull(text),
  },
  closed,
);
export type Detection = Static<typeof Detection>;

export const ModelRequest = Type.Object(
  {
    kind: Type.Literal("request"),
    id: Type.Integer(),
    at: Time,
    session: orNull(text),
    loopId: orNull(text),
    provider: orNull(text),
    model: orNull(text),
    /** Wire protocol, e.g. `openai-completions`. */
    api: orNull(text),
    route: Route,
    level: orNull(Level),
    /** How many values of each type were replaced. */
    replaced: Type.Record(text, Type.Integer()),
    /** Placeholders put back in the answer. */
    restored: Type.Integer(),
    /** `refused`: answered by the proxy itself, see `refusal`. */
    outcome: oneOf(["ok", "http-error", "network-error", "client-abort", "timeout", "refused"] as const),
    refusal: orNull(text),
    status: orNull(Type.Integer()),
    input: orNull(TokenCounts.input),
    output: orNull(TokenCounts.output),
    cacheRead: orNull(TokenCounts.cacheRead),
    cacheWrite: orNull(TokenCounts.cacheWrite),
    /** Null: price or usage unknown. */
    usd: orNull(Type.Number()),
    /** What the proxy added before the request left. */
    inspectMs: orNull(ms),
    firstTokenMs: orNull(ms),
    ms: orNull(ms),
    degraded: orNull(text),
    detail: text,
    /** The newest message as it left for the cloud, cut at 2,000 characters; null for local and refused requests. */
    sent: orNull(text),
  },
  closed,
);
export type ModelRequest = Static<typeof ModelRequest>;

export const DetectionQuery = Type.Object(
  {
    ...paging,
    level: Type.Optional(Level),
    checkpoint: Type.Optional(Checkpoint),
    route: Type.Optional(Route),
    rule: Type.Optional(Type.String({ minLength: 1, maxLength: 300 })),
    session: Type.Optional(SessionKey),
    /** Words, all of which must occur (the last may be a beginning); Chinese as it is. */
    text: Type.Optional(Type.String({ maxLength: 200 })),
    from: Type.Optional(Time),
    to: Type.Optional(Time),
  },
  closed,
);

/** For the filter menus; most frequent first. */
export const Facets = Type.Object(
  {
    rules: Type.Array(Type.Object({ rule: text, n: Type.Integer() }, closed)),
    levels: Type.Object({ S1: Type.Integer(), S2: Type.Integer(), S3: Type.Integer() }, closed),
    checkpoints: Type.Record(text, Type.Integer()),
    total: Type.Integer(),
  },
  closed,
);

export const RequestQuery = Type.Object(
  {
    ...paging,
    session: Type.Optional(SessionKey),
    loopId: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  },
  closed,
);

export const SessionQuery = Type.Object(
  { ...paging, text: Type.Optional(Type.String({ maxLength: 200, description: "Part of the key" })) },
  closed,
);
export const SessionItem = Type.Object(
  {
    key: text,
    agent: orNull(text),
    firstAt: Time,
    lastAt: Time,
    /** The strictest level seen. */
    level: Level,
    turns: Type.Integer(),
    requests: Type.Integer(),
    byLevel: Type.Object({ S1: Type.Integer(), S2: Type.Integer(), S3: Type.Integer() }, closed),
    ...TokenCounts,
    usd: Type.Number(),
    unpriced: Type.Integer(),
    /** A turn runs now. */
    active: Type.Boolean(),
  },
  closed,
);
export type SessionItem = Static<typeof SessionItem>;

/** Detections and requests of a session, newest first, to be grouped by `loopId`. */
export const TimelineQuery = Type.Object(
  {
    ...paging,
    key: SessionKey,
    loopId: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  },
  closed,
);
export const TimelineItem = Type.Union([Detection, ModelRequest]);
export type TimelineItem = Static<typeof TimelineItem>;

/** Native EventSource sends Last-Event-ID by itself; `lastEventId` serves a first connection that knows a cursor. */
export const StreamQuery = Type.Object(
  { lastEventId: Type.Optional(Type.String({ maxLength: 64 })) },
  closed,
);
export const SessionStreamQuery = Type.Object(
  {
    ...StreamQuery.properties,
    key: SessionKey,
    loopId: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  },
  closed,
);

/**
 * Server-Sent Events: `event:` is the key, `data:` one line of JSON of this shape, `id:` a cursor. After a lost
 * connection the browser resumes with it and misses nothing; if too much happened meanwhile `reset` says: load anew.
 * A stream starts with `hello`. The connection is closed when the session ends.
 */
export const StreamEvents = {
  /** First event; `cursor` is where the stream stands. */
  hello: Type.Object({ cursor: text, resumed: Type.Boolean() }, closed),
  detection: Detection,
  request: ModelRequest,
  /** Only activity-stream: */
  posture: Type.Object({ state: PostureState }, closed),
  /** The file was changed, here or on disk; `error` when the file on disk is not valid and the old settings stay. */
  config: Type.Object({ version: text, error: orNull(text) }, closed),
  prompts: Type.Object({ version: text }, closed),
  /** Statistics were deleted, or too much happened since the cursor: load the lists anew. */
  reset: Type.Object({ reason: oneOf(["deleted", "behind"] as const) }, closed),
} as const;
export type StreamEventName = keyof typeof StreamEvents;
export type StreamEvent = {
  [K in StreamEventName]: { event: K; data: Static<(typeof StreamEvents)[K]> };
}[StreamEventName];

/** Shows the original of one detection, or a session's whole key. Loopback only, every use is logged. */
export const RevealBody = Type.Union([
  Type.Object({ detection: Type.Integer({ minimum: 1 }) }, closed),
  Type.Object({ session: SessionKey }, closed),
]);
export const Revealed = Type.Object({ text }, closed);
