import { readFile, stat, writeFile } from "node:fs/promises";
import http from "node:http";
import path from "node:path";
import chromium from "@sparticuz/chromium";
import { type Browser, chromium as browserType } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  API_PATH,
  BASE_PATH,
  CSRF_HEADER,
  ROUTES,
  type RouteName,
} from "../packages/clawxrouter/src/web/routes.ts";
import { MAX_STREAMS_A_SESSION } from "../packages/clawxrouter/src/web/sse/hub.ts";
import { ask, DashboardClient, oneTimeLink } from "./dashboard/client.ts";
import { freePort, type Gateway, modelServer, startGateway } from "./harness/index.ts";

// Made up, and built from parts so that no scanner takes this file for a leak.
const PHONE = `138${"0013".repeat(2)}`;
const AWS = `AK${"IA"}${"Q3EGZ7PLM2NVX4TY"}`;
/** What would run if any text were taken for markup. */
const MARKUP = `"><img src=x onerror="window.pwned=1"><script>window.pwned=1</script><svg onload=window.pwned=1>`;
const POSTS = (Object.keys(ROUTES) as RouteName[]).filter((name) => ROUTES[name].method === "POST");
const GETS = (Object.keys(ROUTES) as RouteName[]).filter((name) => ROUTES[name].method === "GET");

/** Everything a web page, a neighbour on the network or a stolen text could try against the dashboard of a real gateway. */
describe("attacks on the dashboard of a real gateway", () => {
  let gateway: Gateway;
  let client: DashboardClient;
  let failed = false;

  beforeAll(async () => {
    const proxyPort = await freePort();
    gateway = await startGateway({
      plugins: { clawxrouter: {} },
      models: { cloud: modelServer("cloud"), local: modelServer("local") },
      files: { ".openclaw/clawxrouter.json": JSON.stringify({ privacy: { proxyPort } }) },
    });
    client = new DashboardClient(gateway.port);
  });
  afterEach(({ task }) => {
    if (task.result?.state === "fail") failed = true;
  });
  afterAll(async () => {
    await gateway?.close(failed);
  });

  it("says at start where the dashboard is", async () => {
    await expect
      .poll(() => gateway.log(), { timeout: 15_000 })
      .toContain(`ClawXRouter Ready! Dashboard → http://127.0.0.1:${gateway.port}${BASE_PATH}`);
  });

  it("shows a page without data to who is not signed in, and nothing else", async () => {
    const page = await ask(BASE_PATH, { port: gateway.port, headers: { host: `127.0.0.1:${gateway.port}` } });
    expect(page.status, page.text).toBe(200);
    expect(page.headers["content-security-policy"]).toContain("frame-ancestors 'self'");
    expect(page.headers["content-security-policy"]).not.toContain("unsafe");
    expect(page.headers["x-frame-options"]).toBe("SAMEORIGIN");
    expect(page.text).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\son\w+=|style=/i);
    const assets = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? "");
    expect(assets.length).toBeGreaterThan(1);
    for (const asset of assets) {
      const reply = await ask(asset, { port: gateway.port, headers: { host: `127.0.0.1:${gateway.port}` } });
      expect(reply.status, asset).toBe(200);
      expect(reply.headers["cache-control"]).toContain("immutable");
    }
    for (const name of [...GETS, ...POSTS]) {
      if (name === "session" || name === "signIn") continue;
      expect((await client.send(name, "", {})).status, name).toBe(401);
    }
  });

  it("a one-time link of the command line works once; the gateway's token works; a wrong one does not", async () => {
    const url = await oneTimeLink(gateway);
    expect(url).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${gateway.port}${BASE_PATH}#code=[\\w-]{32}$`));
    const code = url.split("#code=")[1] ?? "";
    const first = await client.signIn({ code });
    expect(first.status, first.text).toBe(200);
    expect(first.headers["set-cookie"]?.[0]).toMatch(/HttpOnly; SameSite=Strict/);
    expect((await new DashboardClient(gateway.port).signIn({ code })).status).toBe(401);
    expect((await new DashboardClient(gateway.port).signIn({ token: "not-the-token" })).status).toBe(401);
    expect((await new DashboardClient(gateway.port).signIn({ token: gateway.token })).status).toBe(200);
    expect((await client.get("summary")).posture).toBe("red");
  });

  it("the posture names what is missing, and its button puts it right", async () => {
    const { items } = await client.get("posture");
    expect(items.find((item) => item.id === "provider:cloud")).toMatchObject({
      ok: false,
      fix: { action: "setup", command: "openclaw clawxrouter setup --yes" },
    });
    const { plan, changes } = await client.get("setupPlan");
    expect(changes.map((change) => change.path)).toContain("/models/providers/cloud/baseUrl");
    expect(JSON.stringify(changes)).not.toMatch(/\/k\/[\w-]{20}/);
    expect((await client.send("setup", "", { plan: "another" })).status).toBe(409);
    await client.post("setup", { plan });
    await expect
      .poll(async () => (await client.get("posture")).state, { timeout: 20_000, interval: 500 })
      .toBe("green");
    const test = await client.post("selfTest", {});
    expect(test, JSON.stringify(test)).toMatchObject({ ok: true });
  });

  it("cross-origin writes are refused: form, fetch, text/plain, no CSRF token", async () => {
    const before = await readFile(path.join(gateway.stateDir, "clawxrouter.json"), "utf8");
    const evil: Record<string, string>[] = [
      { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
      { origin: "null" },
      { "sec-fetch-site": "same-site" },
      { "content-type": "text/plain" },
      { "content-type": "application/x-www-form-urlencoded" },
      { "content-type": "multipart/form-data; boundary=x" },
      { [CSRF_HEADER]: "wrong" },
    ];
    for (const headers of evil)
      for (const name of POSTS) {
        if (name === "signIn" && CSRF_HEADER in headers) continue;
        const reply = await client.send(
          name,
          "",
          { what: "config", confirm: true, version: "x", raw: {} },
          headers,
        );
        expect([403, 415], `${name} ${JSON.stringify(headers)}: ${reply.text}`).toContain(reply.status);
      }
    for (const name of GETS)
      expect(
        (
          await client.send(name, "", undefined, {
            "sec-fetch-site": "cross-site",
            origin: "https://evil.example",
          })
        ).status,
        name,
      ).toBe(403);
    expect(await readFile(path.join(gateway.stateDir, "clawxrouter.json"), "utf8")).toBe(before);
  });

  it("a rebound Host gets nothing, not even the page", async () => {
    for (const host of ["evil.example", `127.0.0.1.evil.example:${gateway.port}`, "0.0.0.0", "[::]"])
      for (const target of [BASE_PATH, `${API_PATH}summary`, `${API_PATH}session`]) {
        const reply = await client.raw(target, "GET", { host, origin: `http://${host}` });
        expect(reply.status, `${host} ${target}`).toBe(403);
      }
  });

  it("paths, names and modules lead nowhere (cases: prompt-name, module-data-url, website)", async () => {
    for (const target of [
      `${BASE_PATH}/assets/../../package.json`,
      `${BASE_PATH}/assets/..%2f..%2fopenclaw.plugin.json`,
      `${BASE_PATH}/assets/%2e%2e/%2e%2e/index.js`,
      `${API_PATH}../../../etc/passwd`,
      `${API_PATH}__proto__`,
    ]) {
      const reply = await client.raw(target, "GET");
      expect(reply.status, target).toBeGreaterThanOrEqual(400);
    }
    for (const name of ["../../x", "/etc/passwd", "detection-system.md", "..\\x", "__proto__"]) {
      const reply = await client.send("writePrompt", "", { action: "save", name, text: "x", version: "x" });
      expect(reply.status, name).toBe(422);
    }
    await expect(stat(path.join(gateway.stateDir, "x.md"))).rejects.toThrow();
    const { version } = await client.get("config");
    for (const module of [
      "data:text/javascript,globalThis.pwned=1",
      "http://evil.example/x.js",
      "/tmp/x.js",
      "./x.js",
    ]) {
      for (const privacy of [
        { localModel: { enabled: true, type: "custom", module } },
        { routers: { x: { type: "custom", module } } },
      ]) {
        const reply = await client.send("writeConfig", "", { version, raw: { privacy } });
        expect(reply.json, module).toMatchObject({ error: { code: "forbidden" } });
      }
    }
  });

  it("oversized and slow bodies are cut off", async () => {
    const huge = await client
      .raw(
        `${API_PATH}config`,
        "POST",
        {},
        JSON.stringify({ version: "x", raw: { x: "x".repeat(8_000_000) } }),
      )
      .then((reply) => reply.status)
      .catch((error: NodeJS.ErrnoException) => error.code);
    expect([413, "ECONNRESET", "EPIPE"]).toContain(huge);
    const started = Date.now();
    const status = await new Promise<unknown>((resolve) => {
      const request = http.request(
        {
          host: "127.0.0.1",
          port: gateway.port,
          path: `${API_PATH}config`,
          method: "POST",
          headers: { ...client.own(), "content-length": "1000" },
        },
        (response) => {
          response.resume();
          resolve(response.statusCode);
        },
      );
      request.on("error", (error: NodeJS.ErrnoException) => resolve(error.code));
      request.write("{");
    });
    expect([413, "ECONNRESET"]).toContain(status);
    expect(Date.now() - started).toBeLessThan(25_000);
  });

  it("no answer holds a key or private text, and markup in every text stays text", async () => {
    const local = gateway.models.local;
    const session = `x${MARKUP.replaceAll("/", "")}`;
    for (const text of [`${MARKUP} call ${PHONE}`, `the key is ${AWS}`, `Hello ${MARKUP}`]) {
      const result = await gateway.turn(session, text);
      expect(result.ok || result.error !== "", result.error).toBe(true);
    }
    expect(local?.everything()).toContain(AWS);
    const document = await client.get("config");
    await client.post("writeConfig", {
      version: document.version,
      raw: {
        ...document.raw,
        privacy: {
          ...(document.raw.privacy as object),
          rules: {
            keywords: { S2: [MARKUP] },
            patterns: { S2: ["<img src=x onerror=window.pwned=1>"] },
            tools: { S2: { tools: [MARKUP], paths: [`~/${MARKUP}`] } },
          },
        },
        tokenSaver: { prices: { [`p/${MARKUP}`]: { input: 1, output: 1 } } },
      },
    });
    const { prompts } = await client.get("prompts");
    const [prompt] = prompts;
    await client.post("writePrompt", {
      action: "save",
      name: prompt?.name,
      text: `${prompt?.original}\n${MARKUP}`,
      version: prompt?.version,
    });
    await gateway.turn(session, `again ${MARKUP}`);

    const hostKeys = ["cloud-test-key", "local-test-key", gateway.token];
    const install = (
      await readFile(path.join(gateway.stateDir, "clawxrouter", "install.key"), "utf8")
    ).trim();
    const { items } = await client.get("sessions");
    expect(items.map((item) => item.key).join("\n")).toContain("onerror");
    for (const name of GETS) {
      if ("kind" in ROUTES[name] && ROUTES[name].kind === "stream") continue;
      const query =
        name === "detection"
          ? "?id=1"
          : name === "sessionDetections"
            ? `?key=${encodeURIComponent(items[0]?.key ?? "")}`
            : "";
      const reply = await client.send(name, query, undefined);
      expect(reply.status, `${name} ${reply.text.slice(0, 300)}`).toBe(200);
      expect(reply.headers["content-type"], name).toMatch(/^application\/json/);
      for (const secret of [...hostKeys, install, PHONE, AWS])
        expect(reply.text.includes(secret), `${name} holds ${secret.slice(0, 6)}…`).toBe(false);
    }

    const browser: Browser = await browserType.launch({
      executablePath: await chromium.executablePath(),
      args: chromium.args,
      headless: true,
    });
    try {
      const page = await browser.newPage();
      const foreign: string[] = [];
      const violations: string[] = [];
      page.on("request", (request) => {
        if (
          !request.url().startsWith(`http://127.0.0.1:${gateway.port}/`) &&
          !request.url().startsWith("data:")
        )
          foreign.push(request.url());
      });
      page.on("console", (message) => {
        if (/Content Security Policy/i.test(message.text())) violations.push(message.text());
      });
      await page.goto(await oneTimeLink(gateway));
      await page.waitForSelector("nav");
      for (const tab of ["overview", "sessions", "detections", "rules", "cost", "config"]) {
        await page.evaluate(`location.hash = "#/${tab}"`);
        await page.waitForTimeout(1_200);
        // Opens whatever can be opened, where texts of users are shown.
        for (const button of (
          await page.locator("main details > summary, main [aria-expanded=false]").all()
        ).slice(0, 12))
          await button.click({ timeout: 1_000 }).catch(() => {});
        await page.waitForTimeout(300);
        expect(await page.evaluate("window.pwned"), tab).toBeUndefined();
      }
      expect(await page.locator("main img[onerror], main script, main svg[onload]").count()).toBe(0);
      expect(violations).toEqual([]);
      expect(foreign).toEqual([]);

      // Another site may not put the page into a frame.
      const framed = await browser.newPage();
      await framed.route("http://evil.test/", (route) =>
        route.fulfill({
          contentType: "text/html",
          body: `<iframe src="http://127.0.0.1:${gateway.port}${BASE_PATH}"></iframe>`,
        }),
      );
      await framed.goto("http://evil.test/");
      await framed.waitForTimeout(1_000);
      const inner = framed.frames().find((frame) => frame !== framed.mainFrame());
      expect(
        (await inner
          ?.locator("#app")
          .count()
          .catch(() => 0)) ?? 0,
      ).toBe(0);
    } finally {
      await browser.close();
    }
  });

  it("10,000 streams: capped, and the gateway unharmed", async () => {
    const memory = async () =>
      Number(
        /VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${await pidOf(gateway)}/status`, "utf8"))?.[1] ?? 0,
      ) / 1_024;
    const before = await memory();
    const statuses = new Map<number | string, number>();
    const open: http.ClientRequest[] = [];
    const one = () =>
      new Promise<void>((resolve) => {
        let done = false;
        const end = (what: number | string) => {
          if (done) return;
          done = true;
          statuses.set(what, (statuses.get(what) ?? 0) + 1);
          resolve();
        };
        const request = http.get(
          {
            host: "127.0.0.1",
            port: gateway.port,
            path: `${API_PATH}activity-stream`,
            headers: client.own(),
            agent: false,
          },
          (response) => {
            response.on("data", () => {}).on("error", () => {});
            end(response.statusCode ?? 0);
          },
        );
        request.on("error", (error: NodeJS.ErrnoException) => end(error.code ?? "error"));
        open.push(request);
      });
    for (let i = 0; i < 10_000; i += 500) await Promise.all(Array.from({ length: 500 }, one));
    try {
      expect([...statuses.values()].reduce((sum, n) => sum + n, 0)).toBe(10_000);
      expect(statuses.get(200), JSON.stringify([...statuses])).toBeLessThanOrEqual(MAX_STREAMS_A_SESSION);
      expect(statuses.get(503) ?? 0).toBeGreaterThan(9_900);
      const started = Date.now();
      expect((await client.send("summary", "", undefined)).status).toBe(200);
      const took = Date.now() - started;
      const turn = await gateway.turn("after-the-storm", "What is a symlink?");
      expect(turn.ok, turn.error).toBe(true);
      const after = await memory();
      console.log(
        `10,000 streams: ${JSON.stringify([...statuses])}; summary then in ${took} ms; gateway ${before.toFixed(0)} -> ${after.toFixed(0)} MB`,
      );
      expect(took).toBeLessThan(2_000);
      expect(after - before).toBeLessThan(300);
    } finally {
      for (const request of open) request.destroy();
    }
  });

  it("a session outlives the gateway's restart; sign-out ends it", async () => {
    await gateway.restart();
    expect((await client.send("summary", "", undefined)).status).toBe(200);
    expect((await client.post("signOut", {})).signedIn).toBe(false);
    expect((await client.send("summary", "", undefined)).status).toBe(401);
  });

  it("an invalid edit on disk is refused with its line, and the old settings stay", async () => {
    await client.signIn({ token: gateway.token });
    const file = path.join(gateway.stateDir, "clawxrouter.json");
    const good = await readFile(file, "utf8");
    await writeFile(file, good.replace("{", '{\n  "nonsense": true,'));
    await expect
      .poll(async () => (await client.get("config")).error, { timeout: 10_000 })
      .toMatchObject({ faults: [{ path: "/nonsense", line: 2 }] });
    const { effective } = await client.get("config");
    expect(JSON.stringify(effective)).toContain("onerror");
    await writeFile(file, good);
    await expect.poll(async () => (await client.get("config")).error, { timeout: 10_000 }).toBeNull();
  });
});

async function pidOf(gateway: Gateway): Promise<string> {
  const hex = gateway.port.toString(16).toUpperCase().padStart(4, "0");
  const { readdir, readlink } = await import("node:fs/promises");
  const inodes = new Set(
    (await readFile("/proc/net/tcp", "utf8"))
      .split("\n")
      .filter((line) => line.includes(`:${hex} 00000000:0000 0A`))
      .map((line) => line.trim().split(/\s+/)[9]),
  );
  for (const pid of await readdir("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    for (const fd of await readdir(`/proc/${pid}/fd`).catch(() => [])) {
      const link = await readlink(`/proc/${pid}/fd/${fd}`).catch(() => "");
      const inode = /^socket:\[(\d+)\]$/.exec(link)?.[1];
      if (inode !== undefined && inodes.has(inode)) return pid;
    }
  }
  throw new Error("the gateway's process was not found");
}
