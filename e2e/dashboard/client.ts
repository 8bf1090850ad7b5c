/** A browser's requests to the dashboard of a gateway, with every header in the test's hands. */
import http from "node:http";
import type { Answer } from "../../packages/clawxrouter/src/web/contract.ts";
import { API_PATH, CSRF_HEADER, ROUTES, type RouteName } from "../../packages/clawxrouter/src/web/routes.ts";
import type { Gateway } from "../harness/index.ts";

export interface Reply {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
  json: unknown;
}

export interface Ask {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  /** Where the request really goes; the Host header is what `headers` say. */
  port: number;
}

export function ask(path: string, { method = "GET", headers = {}, body, port }: Ask): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = http.request(
      { host: "127.0.0.1", port, path, method, headers, agent: false, timeout: 30_000 },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          const text = Buffer.concat(chunks).toString("utf8");
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: parse(text) });
        });
      },
    );
    request.on("error", reject);
    request.on("timeout", () => request.destroy(new Error(`no answer to ${method} ${path}`)));
    request.end(body);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The one-time link as the command line gives it. */
export async function oneTimeLink(gateway: Gateway): Promise<string> {
  const { stdout } = await gateway.cli(["clawxrouter", "dashboard", "--json"], { check: true });
  return (JSON.parse(stdout.slice(stdout.indexOf("{"))) as { url: string }).url;
}

/** A signed-in browser without a screen. */
export class DashboardClient {
  readonly port: number;
  readonly origin: string;
  cookie = "";
  csrf = "";

  constructor(port: number) {
    this.port = port;
    this.origin = `http://127.0.0.1:${port}`;
  }

  /** @param credential `{code}` of a link, or `{token}` of the gateway */
  async signIn(credential: { code: string } | { token: string }): Promise<Reply> {
    const reply = await ask(`${API_PATH}sign-in`, {
      port: this.port,
      method: "POST",
      headers: { host: `127.0.0.1:${this.port}`, origin: this.origin, "content-type": "application/json" },
      body: JSON.stringify(credential),
    });
    if (reply.status === 200) {
      this.cookie = reply.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
      this.csrf = (reply.json as { csrf: string }).csrf;
    }
    return reply;
  }

  own(): Record<string, string> {
    return {
      host: `127.0.0.1:${this.port}`,
      cookie: this.cookie,
      origin: this.origin,
      "sec-fetch-site": "same-origin",
      "content-type": "application/json",
      [CSRF_HEADER]: this.csrf,
    };
  }

  raw(path: string, method: string, headers: Record<string, string> = {}, body?: string): Promise<Reply> {
    return ask(path, {
      port: this.port,
      method,
      headers: { ...this.own(), ...headers },
      ...(body === undefined ? {} : { body }),
    });
  }

  send(name: RouteName, query: string, body: unknown, headers: Record<string, string> = {}): Promise<Reply> {
    const { method, path } = ROUTES[name];
    return this.raw(
      `${API_PATH}${path}${query}`,
      method,
      headers,
      method === "POST" ? JSON.stringify(body) : undefined,
    );
  }

  /** @throws with what the gateway said when it is no 200 */
  async get<R extends RouteName>(name: R, query = ""): Promise<Answer<R>> {
    const reply = await this.send(name, query, undefined);
    if (reply.status !== 200) throw new Error(`${name}: ${reply.status} ${reply.text}`);
    return reply.json as Answer<R>;
  }

  async post<R extends RouteName>(name: R, body: unknown): Promise<Answer<R>> {
    const reply = await this.send(name, "", body);
    if (reply.status !== 200) throw new Error(`${name}: ${reply.status} ${reply.text}`);
    return reply.json as Answer<R>;
  }
}
