/** The dashboard's server: from a request to a file or a handler, with every guard in between. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { RouterApi } from "../api/index.ts";
import { DashboardWorker, WorkerUnavailable } from "../dashboard-worker/client.ts";
import type { Engine } from "../engine/engine.ts";
import { isDamage } from "../ledger/faults.ts";
import type { MutateHost } from "../setup/apply.ts";
import { gatewaySecrets, realmOf } from "./auth/gateway-secret.ts";
import { Sessions, sameText } from "./auth/sessions.ts";
import type { Call, Dashboard, Handlers } from "./context.ts";
import { SHAPES, type StreamEvent } from "./contract.ts";
import { configHandlers } from "./handlers/config.ts";
import { eventHandlers } from "./handlers/events.ts";
import { feedbackHandlers } from "./handlers/feedback.ts";
import { overviewHandlers } from "./handlers/overview.ts";
import { promptHandlers } from "./handlers/prompts.ts";
import { routingHandlers } from "./handlers/routing.ts";
import { schemaHandlers } from "./handlers/schema.ts";
import { sessionHandlers } from "./handlers/session.ts";
import { secure, sendError, sendJson } from "./http/answer.ts";
import type { Assets } from "./http/assets.ts";
import { checked, checkedQuery } from "./http/check.ts";
import { ApiError } from "./http/errors.ts";
import { checkHost, checkRead, checkWrite, isLocal } from "./http/guards.ts";
import { readJson } from "./http/read-json.ts";
import { API_PATH, BASE_PATH, CSRF_HEADER, ROUTES, type RouteName } from "./routes.ts";
import { StreamHub } from "./sse/hub.ts";
import { dashboardStates } from "./sse/states.ts";

const HANDLERS: Handlers<RouteName> = {
  ...sessionHandlers,
  ...overviewHandlers,
  ...eventHandlers,
  ...configHandlers,
  ...feedbackHandlers,
  ...promptHandlers,
  ...routingHandlers,
  ...schemaHandlers,
};

/** Answered without a session. */
const OPEN = new Set<RouteName>(["session", "signIn"]);
/** Requests of the API answered at a time; more wait for nobody. */
const MOST_AT_ONCE = 64;
/** The same for those who are not signed in: they take no place from those who are. */
const MOST_OPEN_AT_ONCE = 16;

export interface DashboardServerOptions {
  engine: Engine;
  assets: Assets;
  mutateHost: MutateHost;
  version: string;
}

export class DashboardServer {
  private readonly dashboard: Dashboard;
  private readonly assets: Assets;
  private readonly running = { open: 0, signedIn: 0 };

  constructor({ engine, assets, mutateHost, version }: DashboardServerOptions) {
    this.assets = assets;
    const secrets = () => gatewaySecrets(engine.hostConfig());
    const api = new RouterApi(engine);
    const states = dashboardStates(engine, api);
    const sessions = new Sessions({ dataDir: engine.dataDir, realm: () => realmOf(secrets()) });
    this.dashboard = {
      engine,
      api,
      worker: new DashboardWorker(
        engine.ledger().file,
        (on) => {
          // A stopping engine has closed its ledger already, and nothing is to be opened again.
          if (engine.isRunning()) engine.ledger().delegateCheckpoints(on);
        },
        () => engine.ledger().generation(),
      ),
      sessions,
      hub: new StreamHub(engine, states as () => readonly StreamEvent[], (id) => sessions.isAlive(id)),
      secrets,
      mutateHost,
      version,
    };
  }

  /** Serves one request. Never rejects. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    secure(response);
    const { engine } = this.dashboard;
    try {
      checkHost(request, engine.config().dashboard.hosts);
      await this.route(request, response);
    } catch (error) {
      if (isDamage(error)) engine.ledger().renew();
      const known =
        error instanceof WorkerUnavailable || isDamage(error)
          ? new ApiError("unavailable", (error as Error).message, { retryAfterMs: 1_000 })
          : error;
      sendError(response, known, (message) => engine.log.error(message));
    }
  }

  streams(): number {
    return this.dashboard.hub.size();
  }

  async stop(): Promise<void> {
    this.dashboard.hub.stop();
    await this.dashboard.worker.stop();
  }

  private async route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [pathname = "", search = ""] = (request.url ?? "").split("?", 2);
    if (pathname.startsWith(API_PATH))
      return this.callApi(pathname.slice(API_PATH.length), new URLSearchParams(search), request, response);
    if (request.method !== "GET" && request.method !== "HEAD")
      throw new ApiError("bad-method", "only GET here");
    if (pathname === BASE_PATH || pathname === `${BASE_PATH}/`) return this.assets.page(request, response);
    const assets = `${BASE_PATH}/assets/`;
    if (pathname.startsWith(assets))
      return this.assets.file(pathname.slice(assets.length), request, response);
    throw new ApiError("not-found", "there is nothing here");
  }

  private async callApi(
    path: string,
    search: URLSearchParams,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const name = routeOf(path, request.method ?? "");
    const write = ROUTES[name].method === "POST";
    if (write) checkWrite(request);
    else checkRead(request);
    const { dashboard } = this;
    const session = dashboard.sessions.of(request);
    if (session === undefined && !OPEN.has(name))
      throw new ApiError("unauthenticated", "sign in first", {
        fix: "make a one-time link: openclaw clawxrouter dashboard",
      });
    if (write && name !== "signIn") {
      const given = request.headers[CSRF_HEADER];
      if (session === undefined || typeof given !== "string" || !sameText(given, session.csrf))
        throw new ApiError("bad-csrf", `the header ${CSRF_HEADER} is missing or wrong: load the page again`);
    }
    const who = OPEN.has(name) ? "open" : "signedIn";
    if (this.running[who] >= (who === "open" ? MOST_OPEN_AT_ONCE : MOST_AT_ONCE))
      throw new ApiError("unavailable", "too many requests at once", { retryAfterMs: 1_000 });
    this.running[who] += 1;
    try {
      const shape = SHAPES[name];
      const call: Call<RouteName> = {
        dashboard,
        query: checkedQuery(shape.query, write ? new URLSearchParams() : search) as never,
        body: (write ? checked(shape.body, await readJson(request, who === "open")) : {}) as never,
        request,
        response,
        session,
        local: isLocal(request),
        audit: (action, detail) => {
          try {
            dashboard.engine.ledger().audit(action, request.socket.remoteAddress ?? "?", detail);
            return true;
          } catch (error) {
            const why = error instanceof Error ? error.message : String(error);
            dashboard.engine.log.warn(`clawxrouter: dashboard: ${action} is not on record yet: ${why}`);
            return false;
          }
        },
      };
      const handler = HANDLERS[name] as (call: Call<RouteName>) => unknown;
      const answer = await handler(call);
      if (answer !== undefined && !response.headersSent) sendJson(response, 200, answer);
    } finally {
      this.running[who] -= 1;
    }
  }
}

const BY_PATH = new Map<string, Partial<Record<string, RouteName>>>();
for (const [name, { method, path }] of Object.entries(ROUTES) as [RouteName, (typeof ROUTES)[RouteName]][]) {
  const methods = BY_PATH.get(path) ?? {};
  methods[method] = name;
  BY_PATH.set(path, methods);
}

function routeOf(path: string, method: string): RouteName {
  const methods = BY_PATH.get(path);
  if (methods === undefined) throw new ApiError("not-found", "there is no such endpoint");
  const name = Object.hasOwn(methods, method) ? methods[method] : undefined;
  if (name === undefined)
    throw new ApiError("bad-method", `served with ${Object.keys(methods).join(" or ")} only`);
  return name;
}
