/** What handlers of the API are given. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { RouterApi } from "../api/index.ts";
import type { DashboardWorker } from "../dashboard-worker/client.ts";
import type { Engine } from "../engine/engine.ts";
import type { MutateHost } from "../setup/apply.ts";
import type { Session, Sessions } from "./auth/sessions.ts";
import type { Answer, AuditItem, Body, Query } from "./contract.ts";
import type { RouteName } from "./routes.ts";
import type { StreamHub } from "./sse/hub.ts";

/** What all requests of one dashboard share. */
export interface Dashboard {
  engine: Engine;
  api: RouterApi;
  worker: DashboardWorker;
  sessions: Sessions;
  hub: StreamHub;
  /** The gateway's token or password; empty when it is not known. */
  secrets: () => string[];
  mutateHost: MutateHost;
  version: string;
}

export interface Call<R extends RouteName> {
  dashboard: Dashboard;
  query: Query<R>;
  body: Body<R>;
  request: IncomingMessage;
  response: ServerResponse;
  /** Absent only where a route is open. */
  session: Session | undefined;
  /** From this machine. */
  local: boolean;
  /**
   * Notes what was done.
   * @returns whether it is on disk; on a full or locked one it is written as soon as that can be
   */
  audit(action: AuditItem["action"], detail: string): boolean;
}

/** @returns the answer; undefined when the handler has written to `response` itself */
export type Handler<R extends RouteName> = (
  call: Call<R>,
) => Promise<Answer<R> | undefined> | Answer<R> | undefined;

export type Handlers<R extends RouteName> = { [K in R]: Handler<K> };
