/**
 * The dashboard's API: for each route of `routes.ts` what is asked and what is answered. The server checks requests
 * against these schemas and `GET schema` is made from them; the page imports types only (`import type`), so that none
 * of this gets into its bundle.
 *
 * Every answer is JSON. Errors: {@link ErrorBody} with a fitting status. POST needs `content-type: application/json`,
 * the header `x-clawxrouter-csrf`, and the session cookie, which the browser keeps. A write that names a `version` is
 * refused with 409 `conflict` when the thing was changed since; the error holds the present version.
 */
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Empty, pageOf } from "./contract/common.ts";
import * as events from "./contract/events.ts";
import * as overview from "./contract/overview.ts";
import * as routing from "./contract/routing.ts";
import * as session from "./contract/session.ts";
import * as settings from "./contract/settings.ts";
import type { RouteName } from "./routes.ts";

export * from "./contract/common.ts";
export * from "./contract/events.ts";
export * from "./contract/overview.ts";
export * from "./contract/routing.ts";
export * from "./contract/session.ts";
export * from "./contract/settings.ts";

interface Shape {
  readonly query: TSchema;
  readonly body: TSchema;
  readonly answer: TSchema;
}
const get = <Q extends TSchema, A extends TSchema>(query: Q, answer: A) => ({ query, body: Empty, answer });
const post = <B extends TSchema, A extends TSchema>(body: B, answer: A) => ({ query: Empty, body, answer });

export const SHAPES = {
  session: get(Empty, session.SessionInfo),
  signIn: post(session.SignInBody, session.SessionInfo),
  signOut: post(Empty, session.SessionInfo),

  summary: get(overview.RangeQuery, overview.Summary),
  hourly: get(overview.HourlyQuery, overview.Hourly),
  posture: get(Empty, overview.Posture),
  selfTest: post(Empty, overview.SelfTestResult),
  setupPlan: get(Empty, overview.SetupPlan),
  setup: post(Type.Object({ plan: Type.String({ maxLength: 100 }) }), overview.Posture),
  reset: post(overview.ResetBody, Type.Object({ done: Type.Boolean() })),
  audit: get(Type.Object({ ...events.RequestQuery.properties }), pageOf(session.AuditItem)),

  sessions: get(events.SessionQuery, pageOf(events.SessionItem)),
  sessionDetections: get(events.TimelineQuery, pageOf(events.TimelineItem)),
  sessionStream: get(events.SessionStreamQuery, Empty),
  activityStream: get(events.StreamQuery, Empty),

  detections: get(events.DetectionQuery, pageOf(events.Detection)),
  detection: get(Type.Object({ id: Type.Integer({ minimum: 1 }) }), events.Detection),
  facets: get(Empty, events.Facets),
  requests: get(events.RequestQuery, pageOf(events.ModelRequest)),
  reveal: post(events.RevealBody, events.Revealed),
  feedbackPreview: post(settings.FeedbackBody, settings.FeedbackPreview),
  feedback: post(settings.FeedbackBody, settings.ConfigDocument),

  config: get(Empty, settings.ConfigDocument),
  writeConfig: post(settings.WriteConfigBody, settings.ConfigDocument),
  validateConfig: post(settings.ValidateConfigBody, settings.Validation),
  previewConfig: post(settings.ValidateConfigBody, settings.ConfigPreview),
  exportConfig: get(Empty, Empty),
  importConfig: post(settings.ImportConfigBody, settings.ConfigDocument),
  configHistory: get(Empty, Type.Object({ items: Type.Array(settings.HistoryItem) })),
  undoConfig: post(settings.UndoBody, settings.ConfigDocument),
  configSchema: get(Empty, settings.ConfigSchemaAnswer),

  rulesValidate: post(settings.RulesBody, settings.RulesAnswer),
  prompts: get(Empty, settings.Prompts),
  writePrompt: post(settings.WritePromptBody, settings.Prompt),
  testClassify: post(routing.TestClassifyBody, routing.TestClassifyAnswer),
  testRoute: post(routing.TestRouteBody, routing.TestRouteAnswer),

  models: get(Empty, routing.Models),
  replay: post(routing.ReplayBody, routing.ReplayAnswer),

  schema: get(Empty, Type.Record(Type.String(), Type.Unknown())),
} as const satisfies Record<RouteName, Shape>;

/** What a route answers with 200. */
export type Answer<R extends RouteName> = Static<(typeof SHAPES)[R]["answer"]>;
/** JSON body of a POST. */
export type Body<R extends RouteName> = Static<(typeof SHAPES)[R]["body"]>;
/** Query of a GET. */
export type Query<R extends RouteName> = Static<(typeof SHAPES)[R]["query"]>;
