import { writeFileSync } from "node:fs";
import http from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CODE_LIFETIME_MS, issueCode, takeCode } from "./auth/one-time.ts";
import { RateLimit } from "./auth/rate-limit.ts";
import { MAX_BODY_BYTES } from "./http/read-json.ts";
import { API_PATH, BASE_PATH, CSRF_HEADER, ROUTES, type RouteName } from "./routes.ts";
import { MAX_STREAMS_A_SESSION } from "./sse/hub.ts";
import { type Served, serveDashboard, TOKEN } from "./testing/serve.ts";

let served: Served;
beforeAll(async () => {
  served = await serveDashboard({ dashboard: { hosts: ["box.lan"] } });
}, 60_000);
afterAll(async () => {
  await served?.close();
});

const POSTS = (Object.keys(ROUTES) as RouteName[]).filter((name) => ROUTES[name].method === "POST");
const GETS = (Object.keys(ROUTES) as RouteName[]).filter((name) => ROUTES[name].method === "GET");

describe("without a session", () => {
  it("every endpoint but session and sign-in is closed, and says nothing", async () => {
    for (const name of [...GETS, ...POSTS]) {
      if (name === "session" || name === "signIn") continue;
      const reply = ROUTES[name].method === "GET" ? await served.get(name) : await served.post(name, {});
      expect(reply.status, name).toBe(401);
      expect(reply.json, name).toMatchObject({ error: { code: "unauthenticated" } });
    }
    const session = await served.get("session");
    expect(session.json).toMatchObject({ signedIn: false, csrf: null, version: "" });
    expect((await served.raw("GET", BASE_PATH)).headers["content-security-policy"]).toContain(
      "frame-ancestors 'self'",
    );
  });

  it("a made-up cookie opens nothing", async () => {
    const headers = { cookie: `clawxrouter_00000000=${"A".repeat(43)}` };
    expect((await served.raw("GET", `${API_PATH}summary`, { headers })).status).toBe(401);
  });

  it("a one-time code works once, and not when it is old", async () => {
    const code = issueCode(served.engine.dataDir);
    const first = await served.signIn({ code });
    expect(first.setCookie).toMatch(
      /; Path=\/plugins\/clawxrouter\/stats; Max-Age=\d+; HttpOnly; SameSite=Strict$/,
    );
    expect((await served.signIn({ code })).status).toBe(401);
    const old = issueCode(served.engine.dataDir);
    expect(takeCode(served.engine.dataDir, old, Date.now() + CODE_LIFETIME_MS + 1_000)).toBe(false);
    for (const bad of ["", "../../x", "A".repeat(32), "A".repeat(200)])
      expect((await served.signIn({ code: bad })).status, bad).toBeGreaterThanOrEqual(400);
    const racers = issueCode(served.engine.dataDir);
    const taken = await Promise.all(Array.from({ length: 20 }, () => served.signIn({ code: racers })));
    expect(taken.filter((reply) => reply.status === 200)).toHaveLength(1);
  });

  it("the gateway's token works; guessing slows down", async () => {
    expect((await served.signIn({ token: TOKEN })).status).toBe(200);
    const replies: number[] = [];
    for (let i = 0; i < 8; i += 1) replies.push((await served.signIn({ token: `${TOKEN}x` })).status);
    expect(replies.slice(0, 5)).toEqual([401, 401, 401, 401, 401]);
    expect(replies.at(-1)).toBe(429);
    const waits: number[] = [];
    let now = 1;
    const limit = new RateLimit(() => now);
    for (let i = 0; i < 14; i += 1) {
      limit.failed();
      waits.push(limit.wait());
      now += limit.wait();
    }
    expect(waits.slice(0, 6)).toEqual([0, 0, 0, 0, 2_000, 4_000]);
    expect(waits.at(-1)).toBe(300_000);
  });
});

describe("another site in the user's browser", () => {
  beforeAll(async () => {
    expect((await served.signIn()).status).toBe(200);
  });

  it("cannot write, whatever it sends", async () => {
    const evil: Record<string, string>[] = [
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: `http://localhost:${served.port}` }, // another origin than the one asked
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "none" },
      { "content-type": "text/plain" },
      { "content-type": "application/x-www-form-urlencoded" },
      { "content-type": "multipart/form-data; boundary=x" },
      { "content-type": "application/json; charset=utf-8; text/plain" },
      { "content-encoding": "gzip" },
      { [CSRF_HEADER]: "wrong" },
      { [CSRF_HEADER]: "" },
    ];
    for (const headers of evil)
      for (const name of POSTS) {
        if (name === "signIn" && CSRF_HEADER in headers) continue;
        const reply = await served.post(name, {}, headers);
        expect([403, 415], `${name} ${JSON.stringify(headers)}`).toContain(reply.status);
      }
  });

  it("cannot read", async () => {
    const foreign: Record<string, string>[] = [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { origin: "https://evil.example" },
    ];
    for (const headers of foreign)
      for (const name of GETS) expect((await served.get(name, "", headers)).status, name).toBe(403);
    const reply = await served.get("summary");
    expect(reply.headers["access-control-allow-origin"]).toBeUndefined();
    expect(reply.headers["cross-origin-resource-policy"]).toBe("same-origin");
    expect(reply.headers["x-content-type-options"]).toBe("nosniff");
    expect(reply.headers["referrer-policy"]).toBe("no-referrer");
    expect(reply.headers["cache-control"]).toBe("no-store");
    expect(
      (await served.raw("OPTIONS", `${API_PATH}config`, { headers: { origin: "https://evil.example" } }))
        .status,
    ).toBe(405);
  });

  it("cannot rebind a name of its own, and a listed name works", async () => {
    const withHost = (host: string) =>
      new Promise<number>((resolve, reject) => {
        const req = http.get(
          {
            port: served.port,
            host: "127.0.0.1",
            path: `${API_PATH}summary`,
            headers: { ...served.own(), host, origin: `http://${host}` },
          },
          (res) => {
            res.resume();
            resolve(res.statusCode ?? 0);
          },
        );
        req.on("error", reject);
      });
    for (const host of [
      "evil.example",
      `evil.example:${served.port}`,
      "127.0.0.1.evil.example",
      "localhost.",
      "127.0.0.1@evil.example",
      "0.0.0.0",
      "[::]",
      "169.254.1.1",
      "box.lan.evil.example",
    ])
      expect(await withHost(host), host).toBe(403);
    for (const host of [
      `127.0.0.1:${served.port}`,
      `localhost:${served.port}`,
      `[::1]:${served.port}`,
      "box.lan",
      "BOX.lan:8080",
    ])
      expect(await withHost(host), host).toBe(200);
  });
});

describe("a signed-in browser that is up to no good", () => {
  beforeAll(async () => {
    expect((await served.signIn()).status).toBe(200);
  });

  it("paths go nowhere but where they should", async () => {
    for (const path of [
      `${BASE_PATH}/assets/../index.html`,
      `${BASE_PATH}/assets/..%2f..%2fpackage.json`,
      `${BASE_PATH}/assets//etc/passwd`,
      `${BASE_PATH}/assets/%2e%2e/%2e%2e/package.json`,
      `${BASE_PATH}/api/../../../x`,
      `${API_PATH}constructor`,
      `${API_PATH}__proto__`,
      `${API_PATH}config/`,
      `${BASE_PATH}x`,
    ])
      expect((await served.raw("GET", path, { headers: served.own() })).status, path).toBe(404);
  });

  it("bodies too large, broken, or of another shape are refused", async () => {
    const big = JSON.stringify({ version: "x", text: "x".repeat(MAX_BODY_BYTES) });
    expect((await served.post("importConfig", big)).status).toBe(413);
    expect((await served.post("writeConfig", "{")).status).toBe(422);
    expect((await served.post("writeConfig", "[]")).status).toBe(422);
    expect(
      (await served.post("writeConfig", '{"version":"x","raw":{},"__proto__":{"a":1},"more":1}')).status,
    ).toBe(422);
    expect((await served.post("testClassify", { message: "x".repeat(300_000) })).status).toBe(422);
    const polluted = await served.post(
      "validateConfig",
      '{"raw":{"privacy":{"__proto__":{"enabled":false},"constructor":1}}}',
    );
    expect(polluted.json).toMatchObject({ ok: false });
    expect(({} as { enabled?: unknown }).enabled).toBeUndefined();
  });

  it("streams are capped, ended on sign-out, and the server stays well", async () => {
    const open = () =>
      new Promise<{ status: number; request: http.ClientRequest }>((resolve, reject) => {
        const request = http.get(
          {
            port: served.port,
            host: "127.0.0.1",
            path: `${API_PATH}activity-stream`,
            headers: served.own(),
            agent: false,
          },
          (response) => {
            response.on("data", () => {}).on("error", () => {});
            resolve({ status: response.statusCode ?? 0, request });
          },
        );
        request.on("error", reject);
      });
    const all = await Promise.all(Array.from({ length: 40 }, open));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(MAX_STREAMS_A_SESSION);
    expect(all.filter(({ status }) => status === 503)).toHaveLength(40 - MAX_STREAMS_A_SESSION);
    expect(served.dashboard.streams()).toBe(MAX_STREAMS_A_SESSION);
    expect((await served.get("summary")).status).toBe(200);
    for (const { request } of all) request.on("error", () => {}).destroy();
    await expect.poll(() => served.dashboard.streams()).toBe(0);
    const last = await open();
    last.request.on("error", () => {});
    expect((await served.post("signOut", {})).status).toBe(200);
    await expect.poll(() => served.dashboard.streams()).toBe(0);
    expect((await served.get("summary")).status).toBe(401);
  });
});

describe("streams", () => {
  it("tell what happens, and go on where they stood", async () => {
    expect((await served.signIn()).status).toBe(200);
    const decide = (text: string, runId: string, sessionKey = "agent:main:a") =>
      served.engine.router.decide({ runId, sessionKey, agentId: "main", prompt: text, currentModel: {} });
    const listen = async (
      path: string,
      until: (text: string) => boolean,
      headers: Record<string, string> = {},
    ) => {
      const controller = new AbortController();
      const response = await fetch(`${served.origin}${API_PATH}${path}`, {
        headers: { ...served.own(), ...headers },
        signal: AbortSignal.any([controller.signal, AbortSignal.timeout(10_000)]),
      });
      let text = "";
      const decoder = new TextDecoder();
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
        text += decoder.decode(chunk, { stream: true });
        if (until(text)) break;
      }
      controller.abort();
      return text;
    };
    const cursors = (text: string) => [...text.matchAll(/^id: (\S+)$/gm)].map((match) => match[1] ?? "");
    const listening = listen("activity-stream", (text) => cursors(text).length >= 3);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await decide("one\n\nevent: forged", "s1");
    await decide("two", "s2");
    const first = await listening;
    expect(first).toMatch(/^id: 0-0-[0-9a-f]{8}\nevent: hello\n/);
    expect(first).toContain("event: posture");
    expect(first).not.toMatch(/^event: forged/m);
    await decide("three", "s3");
    await decide("elsewhere", "s4", "agent:main:b");
    const cursor = cursors(first).at(-1) ?? "";
    const second = await listen("activity-stream", (text) => cursors(text).length >= 3, {
      "last-event-id": cursor,
    });
    expect(second).toContain('"resumed":true');
    expect(second).toContain("three");
    expect(second).not.toContain('"text":"two"');
    const own = await listen(`session-detections/stream?key=agent:main:a&lastEventId=${cursor}`, (text) =>
      text.includes("three"),
    );
    expect(own).not.toContain("elsewhere");
    const beyond = await listen("activity-stream?lastEventId=99999-99999", (text) =>
      text.includes("event: reset"),
    );
    expect(beyond).toContain('"reason":"deleted"');
    const config = listen("activity-stream", (text) => text.includes("is not valid"));
    await new Promise((resolve) => setTimeout(resolve, 300));
    writeFileSync(served.configFile, "{");
    expect(await config).toContain("is not valid");
  }, 40_000);
});
