/** Words that all parts of the dashboard's API share. */
import { type Static, type TSchema, Type } from "@sinclair/typebox";

export const closed = { additionalProperties: false } as const;

export const oneOf = <const T extends string>(values: readonly T[], description?: string) =>
  Type.Unsafe<T>(
    Type.Union(
      values.map((value) => Type.Literal(value)),
      description === undefined ? {} : { description },
    ),
  );

export const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** S1 safe, S2 sensitive (redacted on its way to the cloud), S3 confidential (local model only). */
export const LEVELS = ["S1", "S2", "S3"] as const;
export const Level = oneOf(LEVELS);
export type Level = Static<typeof Level>;

export const CHECKPOINT_NAMES = [
  "onUserMessage",
  "onToolCallProposed",
  "onToolCallExecuted",
  "outbound",
] as const;
export const Checkpoint = oneOf(CHECKPOINT_NAMES);
export type Checkpoint = Static<typeof Checkpoint>;

/** Where something went: to the cloud as it was, to the cloud redacted, to a local model, nowhere. */
export const ROUTE_NAMES = ["cloud", "redacted", "local", "blocked"] as const;
export const Route = oneOf(ROUTE_NAMES);
export type Route = Static<typeof Route>;

export const TIER_NAMES = ["SIMPLE", "MEDIUM", "COMPLEX", "RESEARCH", "REASONING"] as const;
export const Tier = oneOf(TIER_NAMES);
export type Tier = Static<typeof Tier>;

export const RouterAction = oneOf(["passthrough", "transform", "redirect", "block"] as const);

export const ModelRef = Type.Object({ provider: Type.String(), model: Type.String() }, closed);
export type ModelRef = Static<typeof ModelRef>;

/** Epoch milliseconds. */
export const Time = Type.Integer({ minimum: 0, description: "Epoch milliseconds" });

/** Text made by the plugin, in both languages of the page. */
export const LocalText = Type.Object({ en: Type.String(), zh: Type.String() }, closed);
export type LocalText = Static<typeof LocalText>;

export const ERROR_CODES = [
  "unauthenticated", // 401: sign in
  "bad-credential", // 401: wrong token, or a code that is used up or too old
  "bad-host", // 403: Host is neither loopback nor one of dashboard.hosts
  "bad-origin", // 403: Origin or Sec-Fetch-Site of another site
  "bad-csrf", // 403: x-clawxrouter-csrf missing or wrong
  "not-local", // 403: only from this machine
  "forbidden", // 403: not to be changed here, e.g. a module path
  "not-found", // 404
  "bad-method", // 405
  "conflict", // 409: changed by somebody else since it was read; `version` is the present one
  "too-large", // 413
  "bad-content-type", // 415
  "invalid", // 400/422: `path`, `line` and `faults` say where
  "rate-limited", // 429: Retry-After says when
  "too-many-streams", // 503: close other tabs
  "unavailable", // 503: the gateway is starting or stopping, or the worker is busy
  "internal", // 500: said in the gateway's log
] as const;
export const ErrorCode = oneOf(ERROR_CODES);
export type ErrorCode = Static<typeof ErrorCode>;

/** One thing wrong in a document. */
export const Fault = Type.Object(
  {
    path: Type.String({ description: "JSON pointer, e.g. /privacy/proxyPort; empty for the document" }),
    line: orNull(Type.Integer({ minimum: 1, description: "One-based line, when a text was sent" })),
    message: Type.String(),
  },
  closed,
);
export type Fault = Static<typeof Fault>;

/** The body of every answer with a status of 400 or above. Messages never quote a value. */
export const ErrorBody = Type.Object(
  {
    error: Type.Object(
      {
        code: ErrorCode,
        message: Type.String(),
        fix: Type.Optional(Type.String({ description: "What to do next" })),
        path: Type.Optional(Type.String()),
        line: Type.Optional(Type.Integer()),
        faults: Type.Optional(Type.Array(Fault)),
        version: Type.Optional(Type.String({ description: "With conflict: the present version" })),
        retryAfterMs: Type.Optional(Type.Integer()),
      },
      closed,
    ),
  },
  closed,
);
export type ErrorBody = Static<typeof ErrorBody>;

/** A page of a list, newest first. Give `next` back as `cursor` for the following page. */
export const pageOf = <T extends TSchema>(item: T) =>
  Type.Object({ items: Type.Array(item), next: orNull(Type.String()) }, closed);

/** Query values are strings on the wire and are converted. */
export const paging = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
  cursor: Type.Optional(Type.String({ maxLength: 8_000, description: "`next` of the page before" })),
};

/** As an answer gave it; private parts of a key are hidden in it, and it opens the session all the same. */
export const SessionKey = Type.String({ minLength: 1, maxLength: 3_000 });

export const Empty = Type.Object({}, closed);
