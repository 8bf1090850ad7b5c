/** Settings, rules, prompts, feedback: what the page changes. */
import { type Static, Type } from "@sinclair/typebox";
import { closed, Fault, Level, oneOf, orNull, Time } from "./common.ts";

const JsonObject = Type.Record(Type.String(), Type.Unknown());
const PrivateLevel = oneOf(["S2", "S3"] as const);
const Version = Type.String({ minLength: 1, maxLength: 64 });

/** A value that was changed; texts of both sides as JSON, cut at 500 characters. */
export const Change = Type.Object(
  {
    path: Type.String({ description: "JSON pointer" }),
    before: orNull(Type.String()),
    after: orNull(Type.String()),
  },
  closed,
);
export type Change = Static<typeof Change>;

export const ConfigDocument = Type.Object(
  {
    /** Changes with the file; also the ETag. Send it back with every write. */
    version: Type.String(),
    /** The file as written (no defaults), without what setup keeps for itself. Edit a copy of this. */
    raw: JsonObject,
    /** All settings in force, defaults included. */
    effective: JsonObject,
    /** Set when the file on disk is not valid: the last good settings stay in force until it is mended. */
    error: orNull(Type.Object({ message: Type.String(), faults: Type.Array(Fault) }, closed)),
    /** `undo` has somewhere to go. */
    canUndo: Type.Boolean(),
  },
  closed,
);
export type ConfigDocument = Static<typeof ConfigDocument>;

export const WriteConfigBody = Type.Object({ version: Version, raw: JsonObject }, closed);
/** As write, from a text: faults then carry lines. */
export const ImportConfigBody = Type.Object(
  { version: Version, text: Type.String({ maxLength: 1_000_000 }) },
  closed,
);
/** One of both; nothing is written. */
export const ValidateConfigBody = Type.Union([
  Type.Object({ raw: JsonObject }, closed),
  Type.Object({ text: Type.String({ maxLength: 1_000_000 }) }, closed),
]);
export const Validation = Type.Object({ ok: Type.Boolean(), faults: Type.Array(Fault) }, closed);

/** Rules before and after on what was recorded lately. */
export const Effect = Type.Object(
  {
    checked: Type.Integer(),
    changed: Type.Integer(),
    /** At most 20. */
    samples: Type.Array(
      Type.Object(
        {
          detection: Type.Integer(),
          at: Time,
          session: orNull(Type.String()),
          before: Level,
          after: Level,
        },
        closed,
      ),
    ),
  },
  closed,
);
export const ConfigPreview = Type.Object(
  {
    ok: Type.Boolean(),
    faults: Type.Array(Fault),
    changes: Type.Array(Change),
    /** Null when no rule changes. */
    effect: orNull(Effect),
  },
  closed,
);
export type ConfigPreview = Static<typeof ConfigPreview>;

export const HistoryItem = Type.Object(
  {
    id: Type.String(),
    /** When this version was replaced. */
    at: Time,
    /** Replaced by a step back: "undo" passes over it, and it can be restored all the same. */
    undone: Type.Boolean(),
    /** From this version to the next one. */
    changes: Type.Array(Change),
  },
  closed,
);
export const UndoBody = Type.Object(
  { version: Version, id: Type.Optional(Type.String({ maxLength: 100 })) },
  closed,
);

/** JSON Schema of clawxrouter.json with defaults and descriptions, for forms. */
export const ConfigSchemaAnswer = Type.Object(
  {
    schema: JsonObject,
    defaults: JsonObject,
    /** Pointers (`*`: any key) that only an edit on disk may set: shown, not editable. */
    diskOnly: Type.Array(Type.String()),
  },
  closed,
);

/** Checks patterns and keywords while they are typed; `sample` shows what they hit. */
export const RulesBody = Type.Object(
  {
    patterns: Type.Array(Type.String({ maxLength: 2_000 }), { maxItems: 200, default: [] }),
    keywords: Type.Array(Type.String({ maxLength: 500 }), { maxItems: 1_000, default: [] }),
    sample: Type.Optional(Type.String({ maxLength: 20_000 })),
  },
  closed,
);
const Hits = Type.Array(Type.Object({ start: Type.Integer(), end: Type.Integer() }, closed));
export const RulesAnswer = Type.Object(
  {
    patterns: Type.Array(
      Type.Object(
        {
          ok: Type.Boolean(),
          error: orNull(Type.String()),
          /** Where in the pattern, zero-based. */
          position: orNull(Type.Integer()),
          /** RE2 runs in time linear in the text: this is the factor, measured on text made to be slow. Null when not valid. */
          cost: orNull(
            Type.Object(
              {
                msPer100kB: Type.Number(),
                /** `slow` is allowed but worth a thought; `refused` blocks the gateway too long and cannot be saved. */
                verdict: oneOf(["fine", "slow", "refused"] as const),
              },
              closed,
            ),
          ),
          hits: Hits,
        },
        closed,
      ),
    ),
    keywords: Type.Array(
      Type.Object({ ok: Type.Boolean(), error: orNull(Type.String()), hits: Hits }, closed),
    ),
  },
  closed,
);

export const PROMPT_NAMES_WIRE = ["detection-system", "guard-agent-system", "token-saver-judge"] as const;
export const Prompt = Type.Object(
  {
    name: oneOf(PROMPT_NAMES_WIRE),
    text: Type.String(),
    /** As shipped. */
    original: Type.String(),
    edited: Type.Boolean(),
    version: Type.String(),
    /** Original to text, whole file by lines; empty when not edited. */
    diff: Type.Array(Type.Object({ op: oneOf([" ", "-", "+"] as const), text: Type.String() }, closed)),
    maxChars: Type.Integer(),
  },
  closed,
);
export type Prompt = Static<typeof Prompt>;
export const Prompts = Type.Object({ prompts: Type.Array(Prompt) }, closed);
export const WritePromptBody = Type.Union([
  Type.Object(
    {
      action: Type.Literal("save"),
      name: Type.String({ maxLength: 100 }),
      text: Type.String({ maxLength: 100_000 }),
      version: Version,
    },
    closed,
  ),
  Type.Object(
    { action: Type.Literal("reset"), name: Type.String({ maxLength: 100 }), version: Version },
    closed,
  ),
]);

/** "This was wrong". `version` is that of the config. */
export const FeedbackChange = Type.Union([
  /** A value that was taken for private is not: an allow rule for exactly it. `token` from a segment of `said`. */
  Type.Object({ kind: Type.Literal("allow"), token: Type.String({ maxLength: 100 }) }, closed),
  /** A keyword of the user's own lists hit too much. */
  Type.Object(
    { kind: Type.Literal("remove-keyword"), level: PrivateLevel, text: Type.String({ maxLength: 500 }) },
    closed,
  ),
  Type.Object(
    { kind: Type.Literal("remove-pattern"), level: PrivateLevel, text: Type.String({ maxLength: 2_000 }) },
    closed,
  ),
  /** Something private was missed: a new rule. */
  Type.Object(
    {
      kind: Type.Literal("keyword"),
      level: PrivateLevel,
      text: Type.String({ minLength: 1, maxLength: 500 }),
    },
    closed,
  ),
  Type.Object(
    {
      kind: Type.Literal("pattern"),
      level: PrivateLevel,
      text: Type.String({ minLength: 1, maxLength: 2_000 }),
    },
    closed,
  ),
]);
export const FeedbackBody = Type.Object(
  { detection: Type.Integer({ minimum: 1 }), change: FeedbackChange, version: Version },
  closed,
);
/** `ok: false` with faults when the change cannot be made; the config is as before. */
export const FeedbackPreview = ConfigPreview;
