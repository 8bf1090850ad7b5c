/**
 * A gateway made of sample data behind the contract's API, for developing the page and for its tests in Chromium.
 *
 *   node packages/clawxrouter/src/web/app/testing/fake-gateway.ts [port]
 *
 * builds the page, serves it at the printed address and makes an event every few seconds.
 */
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { StreamEvent } from "../../contract.ts";
import { API_PATH, BASE_PATH, CSRF_HEADER, ROUTES, type RouteName } from "../../routes.ts";
import { type Answers, makeAnswers, type State } from "./answers.ts";
import { Refusal } from "./refusal.ts";
import { makeDetection, makeRequest, sampleEvents } from "./sample.ts";
import { SettingsStore } from "./settings-store.ts";

export const TOKEN = "made-up-gateway-token";
export const CODE = "made-up-code";
const CSRF = "made-up-csrf";
const COOKIE = "clawxrouter_session=made-up";
const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};
/** As strict as the real one. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'";

export interface FakeOptions {
  /** Folder with index.html and assets/. */
  web: string;
  /** User turns recorded; default 60. */
  turns?: number;
  /** clawxrouter.json; default: all defaults. */
  raw?: Record<string, unknown>;
  port?: number;
}

export class FakeGateway {
  readonly state: State;
  /** Paths of requests that a page made, for tests. */
  readonly asked: string[] = [];
  private readonly web: string;
  private readonly answers: Answers;
  private readonly streams = new Set<{ response: ServerResponse; session: string | undefined }>();
  private readonly server: Server;
  private events = 0;

  private constructor(options: FakeOptions) {
    this.web = options.web;
    this.state = {
      events: sampleEvents(options.turns ?? 60, Date.now()),
      settings: new SettingsStore(options.raw ?? {}, (version) =>
        this.emit({ event: "config", data: { version, error: null } }),
      ),
      prompts: new Map(),
      csrf: CSRF,
      emit: (event) => this.emit(event),
    };
    this.answers = makeAnswers(this.state);
    this.server = createServer((request, response) => void this.serve(request, response));
  }

  static async start(options: FakeOptions): Promise<FakeGateway> {
    const fake = new FakeGateway(options);
    await new Promise<void>((resolve) => fake.server.listen(options.port ?? 0, "127.0.0.1", resolve));
    return fake;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${BASE_PATH}`;
  }

  /** Open streams. */
  get listeners(): number {
    return this.streams.size;
  }

  /** Something new happens in the gateway. */
  happen(): void {
    const index = this.state.events.detections.length;
    const detection = makeDetection(index + 1, Date.now(), index);
    this.state.events.detections.unshift(detection);
    this.emit({ event: "detection", data: detection });
    const request = makeRequest(index + 1, Date.now(), detection);
    this.state.events.requests.unshift(request);
    this.emit({ event: "request", data: request });
  }

  emit(event: StreamEvent): void {
    const text = `event: ${event.event}\nid: ${++this.events}\ndata: ${JSON.stringify(event.data)}\n\n`;
    for (const stream of this.streams) {
      const own = "session" in event.data ? event.data.session : undefined;
      if (stream.session === undefined || stream.session === own) stream.response.write(text);
    }
  }

  /** Cuts every stream, as a restart does. */
  cutStreams(): void {
    for (const { response } of this.streams) response.destroy();
    this.streams.clear();
  }

  async close(): Promise<void> {
    this.cutStreams();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://fake");
    this.asked.push(url.pathname);
    response.setHeader("content-security-policy", POLICY);
    response.setHeader("x-content-type-options", "nosniff");
    try {
      if (url.pathname.startsWith(API_PATH)) await this.api(url, request, response);
      else await this.file(url.pathname, response);
    } catch (error) {
      const refusal =
        error instanceof Refusal ? error : new Refusal(500, "internal", { message: String(error) });
      send(response, refusal.status, refusal.body);
    }
  }

  private async api(url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const route = (Object.keys(ROUTES) as RouteName[]).find(
      (name) =>
        ROUTES[name].path === url.pathname.slice(API_PATH.length) && ROUTES[name].method === request.method,
    );
    if (route === undefined) throw new Refusal(404, "not-found", {});
    const signedIn = (request.headers.cookie ?? "").includes(COOKIE);
    const languages = request.headers["accept-language"] ?? "";
    const query = Object.fromEntries(url.searchParams);
    const body = request.method === "POST" ? await readJson(request) : {};
    if (route === "session") return send(response, 200, this.answers.sessionInfo(signedIn, languages));
    if (route === "signIn") {
      const given = body as { token?: string; code?: string };
      if (given.token !== TOKEN && given.code !== CODE) throw new Refusal(401, "bad-credential", {});
      response.setHeader("set-cookie", `${COOKIE}; HttpOnly; SameSite=Strict; Path=${BASE_PATH}`);
      return send(response, 200, this.answers.sessionInfo(true, languages));
    }
    if (!signedIn) throw new Refusal(401, "unauthenticated", {});
    if (request.method === "POST" && request.headers[CSRF_HEADER] !== CSRF)
      throw new Refusal(403, "bad-csrf", {});
    if (route === "signOut") {
      response.setHeader("set-cookie", `${COOKIE}; Max-Age=0; Path=${BASE_PATH}`);
      return send(response, 200, this.answers.sessionInfo(false, languages));
    }
    if (route === "activityStream" || route === "sessionStream") return this.stream(query.key, response);
    if (route === "exportConfig") {
      response.setHeader("content-disposition", 'attachment; filename="clawxrouter.json"');
      return send(response, 200, this.state.settings.read().raw);
    }
    send(response, 200, this.answers.answer(route, query, body));
  }

  private stream(session: string | undefined, response: ServerResponse): void {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    response.write(
      `retry: 500\n\nevent: hello\nid: ${this.events}\ndata: ${JSON.stringify({ cursor: String(this.events), resumed: false })}\n\n`,
    );
    const entry = { response, session };
    this.streams.add(entry);
    response.on("close", () => this.streams.delete(entry));
  }

  private async file(pathname: string, response: ServerResponse): Promise<void> {
    const name = pathname === BASE_PATH ? "index.html" : pathname.slice(BASE_PATH.length + 1);
    if (!/^(index\.html|assets\/[\w.-]+)$/.test(name)) throw new Refusal(404, "not-found", {});
    const content = await readFile(path.join(this.web, name)).catch(() => {
      throw new Refusal(404, "not-found", {});
    });
    response.setHeader("content-type", TYPES[path.extname(name)] ?? "application/octet-stream");
    response.end(content);
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(JSON.stringify(body));
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString("utf8") || "{}");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { buildWeb } = await import("../../../../../../scripts/build-web.ts");
  const dir = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../../../..");
  const web = path.join(dir, "..", "..", ".cache", "dashboard-dev");
  const built = await buildWeb(dir, { app: "src/web/app", base: BASE_PATH }, web);
  const fake = await FakeGateway.start({ web, port: Number(process.argv[2] ?? 4_600) });
  console.log(`${built.files} files, ${(built.gzipBytes / 1024).toFixed(1)} kB gzip`);
  console.log(`${fake.url}#code=${CODE}`);
  setInterval(() => fake.happen(), 4_000);
}
