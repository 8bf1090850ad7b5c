/** A dashboard on a loopback port of its own, with an engine on a temporary state directory. For tests. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { request } from "undici";
import { Engine } from "../../engine/engine.ts";
import { issueCode } from "../auth/one-time.ts";
import { Assets } from "../http/assets.ts";
import { API_PATH, CSRF_HEADER, ROUTES, type RouteName } from "../routes.ts";
import { DashboardServer } from "../server.ts";

export const TOKEN = `gateway-${"token".repeat(4)}`;
export const LOCAL_KEY = `upstream-${"key".repeat(8)}`;

export interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  json: never;
}

/** @param builtPage folder with the built page; absent: there is none */
export async function serveDashboard(settings: Record<string, unknown> = {}, builtPage?: string) {
  const dir = mkdtempSync(path.join(os.tmpdir(), "clawx-dashboard-"));
  const configFile = path.join(dir, "clawxrouter.json");
  const proxyPort = 20_000 + Math.floor(Math.random() * 20_000);
  writeFileSync(
    configFile,
    JSON.stringify({
      privacy: { proxyPort },
      ...settings,
      managed: { upstreams: { cloud: { baseUrl: "https://cloud.invalid/v1", api: "openai-completions" } } },
    }),
  );
  const web = builtPage ?? path.join(dir, "web");
  const lines: string[] = [];
  const note = (line: string) => void lines.push(line);
  const engine = new Engine({
    stateDir: dir,
    configFile,
    log: { info: note, warn: note, error: note },
    hostConfig: () => ({
      gateway: { auth: { mode: "token", token: TOKEN } },
      models: {
        providers: {
          cloud: {
            baseUrl: "https://cloud.invalid/v1",
            apiKey: LOCAL_KEY,
            api: "openai-completions",
            models: [
              { id: "main", cost: { input: 3, output: 6 } },
              { id: "cheap", cost: { input: 0.1, output: 0.2 } },
            ],
          },
          local: { baseUrl: "http://127.0.0.1:1/v1", api: "openai-completions", models: [{ id: "private" }] },
        },
      },
      agents: { defaults: { model: { primary: "cloud/main" } } },
      plugins: { entries: { clawxrouter: { hooks: { allowConversationAccess: true } } } },
    }),
  });
  await engine.start();
  const dashboard = new DashboardServer({
    engine,
    assets: new Assets(web),
    mutateHost: () => Promise.reject(new Error("there is no host")),
    version: "0.0.0-test",
  });
  const server = createServer((req, res) => void dashboard.handle(req, res));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  let cookie = "";
  let csrf = "";

  const raw = async (
    method: string,
    url: string,
    { headers = {}, body }: { headers?: Record<string, string>; body?: string | undefined } = {},
  ): Promise<Reply> => {
    const reply = await request(`${origin}${url}`, {
      method: method as "GET",
      headers,
      ...(body === undefined ? {} : { body }),
    });
    const text = await reply.body.text();
    return {
      status: reply.statusCode,
      headers: reply.headers,
      text,
      json: (text.startsWith("{") ? JSON.parse(text) : undefined) as never,
    };
  };
  const own = () => ({
    cookie,
    origin,
    "sec-fetch-site": "same-origin",
    [CSRF_HEADER]: csrf,
    "content-type": "application/json",
  });
  return {
    dir,
    configFile,
    engine,
    dashboard,
    origin,
    port,
    lines,
    raw,
    own,
    get: (name: RouteName, query = "", headers: Record<string, string> = {}) =>
      raw("GET", `${API_PATH}${ROUTES[name].path}${query}`, {
        headers: { cookie, "sec-fetch-site": "same-origin", ...headers },
      }),
    post: (name: RouteName, body: unknown, headers: Record<string, string> = {}) =>
      raw("POST", `${API_PATH}${ROUTES[name].path}`, {
        headers: { ...own(), ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
    async signIn(body: unknown = { code: issueCode(engine.dataDir) }) {
      const reply = await raw("POST", `${API_PATH}sign-in`, {
        headers: { origin, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      const set = [reply.headers["set-cookie"] ?? []].flat()[0];
      if (reply.status === 200) {
        cookie = set?.split(";")[0] ?? "";
        csrf = (reply.json as { csrf: string }).csrf;
      }
      return { ...reply, setCookie: set };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await dashboard.stop();
      await engine.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

export type Served = Awaited<ReturnType<typeof serveDashboard>>;
