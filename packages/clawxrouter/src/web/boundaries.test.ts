/** Requests of a signed-in browser that are odd in themselves: refused with a reason, or answered, never a 500. */
import { writeFileSync } from "node:fs";
import http from "node:http";
import net from "node:net";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { CODE_LIFETIME_MS, issueCode, takeCode } from "./auth/one-time.ts";
import type { ConfigDocument, Detection, SessionItem } from "./contract.ts";
import { API_PATH, ROUTES } from "./routes.ts";
import { type Served, serveDashboard } from "./testing/serve.ts";

let served: Served;
beforeAll(async () => {
  served = await serveDashboard({ dashboard: { hosts: ["box.lan"] } });
}, 60_000);
afterAll(async () => {
  await served?.close();
});
beforeEach(async () => {
  expect((await served.signIn()).status).toBe(200);
});

const decide = (text: string, runId: string, sessionKey: string) =>
  served.engine.router.decide({ runId, sessionKey, agentId: "main", prompt: text, currentModel: {} });
const json = <T>(reply: { json: unknown }) => reply.json as T;

describe("odd requests", () => {
  it("names that every object has are no routers", async () => {
    for (const router of ["constructor", "toString", "__proto__", "hasOwnProperty", "nope"]) {
      const reply = await served.post("testClassify", { message: "hi", router });
      expect([router, reply.status]).toEqual([router, 422]);
      expect(reply.json).toMatchObject({ error: { path: "/router" } });
    }
  });

  it("documents nested without an end are refused, as a body and as a text", async () => {
    const deep = (n: number, open = '{"a":', close = "}") => `${open.repeat(n)}1${close.repeat(n)}`;
    for (const body of [`{"raw":${deep(100_000)}}`, `{"raw":{"a":${deep(200_000, "[", "]")}}}`])
      expect((await served.post("validateConfig", body)).status).toBe(422);
    for (const name of ["validateConfig", "previewConfig", "importConfig"] as const)
      expect((await served.post(name, { version: "x", text: deep(100_000) })).status, name).toBe(422);
    const braces = JSON.stringify({ message: "{[".repeat(1_000) });
    expect((await served.post("testClassify", braces)).status).toBe(200);
    const quotes = JSON.stringify({ message: '\\"{{'.repeat(1_000) });
    expect((await served.post("testClassify", quotes)).status).toBe(200);
  });

  it("a replay takes no setting by way of a prototype", async () => {
    const settings = '{"prices":{"__proto__":{"cloud/main":{"input":-1}}}}';
    expect((await served.post("replay", `{"limit":10,"settings":${settings}}`)).status).toBe(422);
  });

  it("a text that begins with a byte order mark is read", async () => {
    const reply = await served.post("validateConfig", { text: '\ufeff{"dashboard":{"language":"zh"}}' });
    expect(reply.json).toMatchObject({ ok: true });
  });

  it("a long session key does not end the list", async () => {
    const long = [`agent:main:whatsapp:group:${"名".repeat(150)}`, `agent:main:${"x".repeat(600)}`];
    for (const [i, key] of [...long, "agent:main:plain"].entries()) await decide("hello", `long${i}`, key);
    const keys: string[] = [];
    let cursor = "";
    for (let page = 0; page < 20; page += 1) {
      const reply = await served.get("sessions", `?limit=1${cursor}`);
      expect(reply.status).toBe(200);
      const { items, next } = json<{ items: SessionItem[]; next: string | null }>(reply);
      keys.push(...items.map(({ key }) => key));
      if (next === null) break;
      cursor = `&cursor=${encodeURIComponent(next)}`;
    }
    expect(new Set(keys)).toEqual(new Set([...long, "agent:main:plain"]));
    for (const key of long) {
      const reply = await served.get("sessionDetections", `?key=${encodeURIComponent(key)}`);
      expect(json<{ items: unknown[] }>(reply).items).toHaveLength(1);
    }
  });

  it("numbers out of all bounds are refused or find nothing", async () => {
    for (const query of [
      "?limit=0",
      "?limit=201",
      "?cursor=-1",
      "?cursor=9".padEnd(40, "9"),
      "?from=-1",
      "?from=x",
      "?level=S4",
    ])
      expect((await served.get("detections", query)).status, query).toBe(422);
    for (const query of [
      "?from=1e300",
      "?to=1e300",
      "?from=9007199254740993",
      "?to=0",
      "?cursor=999999999999999",
    ])
      expect((await served.get("detections", query)).status, query).toBe(200);
    expect((await served.get("hourly", "?from=0&to=1e300")).status).toBe(200);
    expect((await served.get("summary", "?from=5&to=5")).status).toBe(422);
    expect((await served.get("detection", "?id=999999999999")).status).toBe(404);
  });

  it("the test panel names the same value once, and no piece of a value is left", async () => {
    const config = json<ConfigDocument>(await served.get("config"));
    const raw = {
      ...config.raw,
      privacy: {
        ...(config.raw.privacy as object),
        rules: { patterns: { S2: ["Project [A-Z]\\w+ of \\w+", "[A-Z]\\w+ of"] } },
      },
    };
    expect((await served.post("writeConfig", { version: config.version, raw })).status).toBe(200);
    const message = "13800138000 and 13800138000 and 13900139000, Project Falcon of Zurich";
    const { cloud } = json<{ cloud: string }>(await served.post("testRoute", { message }));
    expect(cloud).toMatch(/^(\[REDACTED:\w+_1\]) and \1 and \[REDACTED:\w+_2\], /);
    for (const secret of ["138001", "139001", "Falcon", "Zurich"]) expect(cloud).not.toContain(secret);
  });
});

describe("resetting", () => {
  it("says what is wrong when the file on disk is broken, and works when it is mended", async () => {
    const before = served.engine.config().privacy.proxyPort;
    writeFileSync(served.configFile, '{ "privacy" 1 }');
    const reply = await served.post("reset", { what: "config", confirm: true });
    expect(reply.status).toBe(422);
    expect(reply.json).toMatchObject({ error: { code: "invalid", faults: [{ line: 1 }] } });
    writeFileSync(served.configFile, JSON.stringify({ privacy: { proxyPort: before } }));
    expect((await served.post("reset", { what: "config", confirm: true })).status).toBe(200);
    expect(json<ConfigDocument>(await served.get("config")).raw).toEqual({});
  });
});

describe("a ledger that another program has locked", () => {
  it("is shown; settings are saved; signing in works; nothing is revealed that cannot be put on record", async () => {
    await decide("mail a.b@example.org", "locked1", "agent:main:locked");
    const [detection] = json<{ items: Detection[] }>(await served.get("detections", "?level=S2")).items;
    const other = new DatabaseSync(served.engine.ledger().file);
    other.exec("BEGIN IMMEDIATE");
    try {
      await decide("hello", "locked2", "agent:main:locked");
      for (const name of [
        "summary",
        "hourly",
        "sessions",
        "detections",
        "facets",
        "audit",
        "requests",
      ] as const)
        expect((await served.get(name)).status, name).toBe(200);
      const { version, raw } = json<ConfigDocument>(await served.get("config"));
      const saved = await served.post("writeConfig", {
        version,
        raw: { ...raw, dashboard: { language: "zh" } },
      });
      expect(saved.json).toMatchObject({ raw: { dashboard: { language: "zh" } } });
      expect((await served.signIn()).status).toBe(200);
      const reply = await served.post("reveal", { detection: detection?.id });
      expect(reply.status).toBe(503);
      expect(reply.text).not.toContain("example.org");
    } finally {
      other.exec("ROLLBACK");
      other.close();
    }
    const actions = async () =>
      json<{ items: { action: string }[] }>(await served.get("audit")).items.map(({ action }) => action);
    await expect.poll(actions, { timeout: 5_000 }).toContain("config");
    expect((await served.post("reveal", { detection: detection?.id })).text).toContain("a.b@example.org");
  });
});

describe("who is not signed in", () => {
  it("takes no place from those who are: slow and large bodies", async () => {
    const sockets = Array.from({ length: 80 }, () => {
      const socket = net.connect(served.port, "127.0.0.1");
      socket.on("error", () => {});
      socket.write(
        `POST ${API_PATH}${ROUTES.signIn.path} HTTP/1.1\r\nHost: 127.0.0.1:${served.port}\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{`,
      );
      return socket;
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect((await served.get("summary")).status).toBe(200);
    for (const socket of sockets) socket.destroy();
    await expect.poll(async () => (await served.signIn()).status).toBe(200);
    const big = JSON.stringify({ token: "x".repeat(4_000), more: "y".repeat(100_000) });
    expect((await served.post("signIn", big)).status).toBe(413);
  });

  it("a link made before the clock was set back does not last longer", () => {
    const code = issueCode(served.engine.dataDir);
    expect(takeCode(served.engine.dataDir, code, Date.now() - 2 * CODE_LIFETIME_MS)).toBe(false);
  });
});

describe("a request on behalf of another machine", () => {
  const isLocal = (headers: Record<string, string>) =>
    new Promise<boolean>((resolve, reject) => {
      http
        .get(
          {
            port: served.port,
            host: "127.0.0.1",
            path: `${API_PATH}session`,
            headers: {
              ...served.own(),
              origin: `http://${headers.host ?? `127.0.0.1:${served.port}`}`,
              ...headers,
            },
          },
          (response) => {
            let text = "";
            response.on("data", (chunk) => {
              text += String(chunk);
            });
            response.on("end", () => resolve((JSON.parse(text) as { local: boolean }).local));
          },
        )
        .on("error", reject);
    });

  it("is not local, by whatever sign", async () => {
    const { version, raw } = json<ConfigDocument>(await served.get("config"));
    await served.post("writeConfig", { version, raw: { ...raw, dashboard: { hosts: ["box.lan"] } } });
    expect(await isLocal({})).toBe(true);
    expect(await isLocal({ host: `localhost:${served.port}` })).toBe(true);
    expect(await isLocal({ host: "box.lan" })).toBe(false);
    for (const name of [
      "forwarded",
      "via",
      "x-forwarded-for",
      "x-forwarded-host",
      "x-forwarded-proto",
      "x-real-ip",
      "cf-connecting-ip",
      "tailscale-user-login",
    ])
      expect(await isLocal({ [name]: "10.0.0.9" }), name).toBe(false);
  });
});
