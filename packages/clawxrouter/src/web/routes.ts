/**
 * Names, methods and paths of the dashboard's API. Pure data without imports, so that the page can bundle it; the
 * shapes of what goes in and comes out stand in `contract.ts`.
 */

/** The page; assets are below it (`<BASE_PATH>/assets/<name>-<hash>.<ext>`). */
export const BASE_PATH = "/plugins/clawxrouter/stats";
/** Every path of {@link ROUTES} is below this. */
export const API_PATH = `${BASE_PATH}/api/`;
/** Header that every POST but `signIn` carries: `csrf` of the `session` answer. */
export const CSRF_HEADER = "x-clawxrouter-csrf";
/** The one-time link is `<origin><BASE_PATH>#code=<code>`: a fragment never gets into a log or a Referer. */
export const CODE_FRAGMENT = "code";

/** `stream`: Server-Sent Events; `file`: a download; all else JSON. */
export const ROUTES = {
  session: { method: "GET", path: "session" },
  signIn: { method: "POST", path: "sign-in" },
  signOut: { method: "POST", path: "sign-out" },

  summary: { method: "GET", path: "summary" },
  hourly: { method: "GET", path: "hourly" },
  posture: { method: "GET", path: "posture" },
  selfTest: { method: "POST", path: "self-test" },
  setupPlan: { method: "GET", path: "setup" },
  setup: { method: "POST", path: "setup" },
  reset: { method: "POST", path: "reset" },
  audit: { method: "GET", path: "audit" },

  sessions: { method: "GET", path: "sessions" },
  sessionDetections: { method: "GET", path: "session-detections" },
  sessionStream: { method: "GET", path: "session-detections/stream", kind: "stream" },
  activityStream: { method: "GET", path: "activity-stream", kind: "stream" },

  detections: { method: "GET", path: "detections" },
  detection: { method: "GET", path: "detection" },
  facets: { method: "GET", path: "detections/facets" },
  requests: { method: "GET", path: "requests" },
  reveal: { method: "POST", path: "reveal" },
  feedbackPreview: { method: "POST", path: "feedback/preview" },
  feedback: { method: "POST", path: "feedback" },

  config: { method: "GET", path: "config" },
  writeConfig: { method: "POST", path: "config" },
  validateConfig: { method: "POST", path: "config/validate" },
  previewConfig: { method: "POST", path: "config/preview" },
  exportConfig: { method: "GET", path: "config/export", kind: "file" },
  importConfig: { method: "POST", path: "config/import" },
  configHistory: { method: "GET", path: "config/history" },
  undoConfig: { method: "POST", path: "config/undo" },
  configSchema: { method: "GET", path: "config/schema" },

  rulesValidate: { method: "POST", path: "rules/validate" },
  prompts: { method: "GET", path: "prompts" },
  writePrompt: { method: "POST", path: "prompts" },
  testClassify: { method: "POST", path: "test-classify" },
  testRoute: { method: "POST", path: "test-route" },

  models: { method: "GET", path: "models" },
  replay: { method: "POST", path: "replay" },

  schema: { method: "GET", path: "schema" },
} as const;

export type RouteName = keyof typeof ROUTES;
