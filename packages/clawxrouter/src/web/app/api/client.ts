/** The one way to the gateway: a typed call for each route of the contract. */
import type { Answer, Body, Query } from "../../contract.ts";
import { API_PATH, CSRF_HEADER, ROUTES, type RouteName } from "../../routes.ts";
import { ApiFault, faultOf } from "./fault.ts";

type GetName = { [R in RouteName]: (typeof ROUTES)[R]["method"] extends "GET" ? R : never }[RouteName];
type PostName = Exclude<RouteName, GetName>;

let csrf: string | null = null;
let onSignedOut: () => void = () => {};

/** @param token `csrf` of the session answer */
export function useCsrf(token: string | null): void {
  csrf = token;
}

/** Called whenever the gateway says that the session is over. */
export function whenSignedOut(then: () => void): void {
  onSignedOut = then;
}

export function addressOf(route: RouteName, query: Readonly<Record<string, unknown>> = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  const search = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString();
  return `${API_PATH}${ROUTES[route].path}${search === "" ? "" : `?${search}`}`;
}

/** @throws ApiFault */
export async function get<R extends GetName>(
  route: R,
  query: Query<R>,
  signal?: AbortSignal,
): Promise<Answer<R>> {
  return send<Answer<R>>(addressOf(route, query as Record<string, unknown>), { signal });
}

/** @throws ApiFault */
export async function post<R extends PostName>(
  route: R,
  body: Body<R>,
  signal?: AbortSignal,
): Promise<Answer<R>> {
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (csrf !== null) headers[CSRF_HEADER] = csrf;
  return send<Answer<R>>(addressOf(route), { method: "POST", headers, body: JSON.stringify(body), signal });
}

/** The gateway checks what it answers against the contract; here its word is taken. */
async function send<T>(address: string, init: RequestInit): Promise<T> {
  const response = await fetch(address, { ...init, credentials: "same-origin", cache: "no-store" }).catch(
    (error: unknown) => {
      if (error instanceof DOMException && error.name === "AbortError") throw error;
      throw new ApiFault("offline", 0);
    },
  );
  if (!response.ok) {
    const fault = await faultOf(response);
    if (fault.code === "unauthenticated") onSignedOut();
    throw fault;
  }
  return (await response.json()) as T;
}
