import { readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Value } from "@sinclair/typebox/value";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Answer, SHAPES } from "./contract.ts";
import { ROUTES, type RouteName } from "./routes.ts";
import { LOCAL_KEY, type Reply, type Served, serveDashboard, TOKEN } from "./testing/serve.ts";

const PHONE = `138${"0013".repeat(2)}`;
const EMAIL = ["wang.wei", "example-corp.com"].join("@");
const AWS = `AK${"IA"}${"Q3EGZ7PLM2NVX4TY"}`;
const SESSION = "agent:main:dashboard";
let served: Served;

/** What a route answered, after the contract has been held against it. */
function answer<R extends RouteName>(name: R, reply: Reply): Answer<R> {
  expect(reply.status, `${name}: ${reply.text.slice(0, 500)}\n${served.lines.slice(-3).join("\n")}`).toBe(
    200,
  );
  const faults = [...Value.Errors(SHAPES[name].answer, reply.json)].map((e) => `${e.path} ${e.message}`);
  expect(faults, name).toEqual([]);
  return reply.json as Answer<R>;
}

async function turn(text: string, runId: string) {
  return served.engine.router.decide({
    runId,
    sessionKey: SESSION,
    agentId: "main",
    prompt: text,
    currentModel: { provider: "cloud", model: "main" },
  });
}

beforeAll(async () => {
  served = await serveDashboard();
  await turn(`请打电话 ${PHONE} 给王伟`, "r1");
  await turn(`the key is ${AWS}`, "r2");
  await turn("What is the difference between TCP and UDP?", "r3");
  expect((await served.signIn()).status).toBe(200);
}, 60_000);
afterAll(async () => {
  await served?.close();
});

describe("the API answers as its contract says", () => {
  it("overview, posture, models, schema", async () => {
    const summary = answer("summary", await served.get("summary"));
    expect(summary.turns).toMatchObject({ total: 3, byLevel: { S1: 1, S2: 1, S3: 1 } });
    expect(summary.latency.privacy?.n).toBe(3);
    answer("hourly", await served.get("hourly", "?days=2"));
    answer("hourly", await served.get("hourly", "?days=100&step=hour"));
    const posture = answer("posture", await served.get("posture"));
    expect(posture.state).toBe("red");
    expect(posture.items.find((item) => item.id === "provider:cloud")?.fix).toMatchObject({
      action: "setup",
      command: "openclaw clawxrouter setup --yes",
    });
    const models = answer("models", await served.get("models"));
    expect(models.providers.map((p) => [p.id, p.local])).toEqual([
      ["cloud", false],
      ["local", true],
    ]);
    const plan = answer("setupPlan", await served.get("setupPlan"));
    expect(plan.changes.length).toBeGreaterThan(0);
    expect(JSON.stringify(plan)).not.toContain(served.engine.installKey());
    const schema = answer("schema", await served.get("schema")) as { paths: object };
    expect(Object.keys(schema.paths)).toHaveLength(new Set(Object.values(ROUTES).map((r) => r.path)).size);
  });

  it("shows detections masked, reveals on request only, and writes that down", async () => {
    const { items } = answer("detections", await served.get("detections"));
    expect(items.map((d) => d.level)).toEqual(["S1", "S3", "S2"]);
    const s2 = items[2];
    expect(s2?.said).toContainEqual(
      expect.objectContaining({ level: "S2", type: expect.stringContaining("PHONE") }),
    );
    expect(s2?.cloud).toMatch(/\[REDACTED:[A-Z_]*PHONE[A-Z_]*_\d+\]/);
    expect(items[1]).toMatchObject({ route: "local", cloud: null, revealable: true });
    const all = JSON.stringify([
      items,
      answer("sessionDetections", await served.get("sessionDetections", `?key=${SESSION}`)),
    ]);
    for (const secret of [PHONE, AWS]) expect(all).not.toContain(secret);
    const shown = answer("reveal", await served.post("reveal", { detection: items[1]?.id }));
    expect(shown.text).toBe(`the key is ${AWS}`);
    expect(served.lines.join("\n")).toContain("was revealed");
    const audit = answer("audit", await served.get("audit"));
    expect(audit.items[0]).toMatchObject({ action: "reveal", detail: expect.stringContaining(SESSION) });
    const far = await served.post("reveal", { detection: items[1]?.id }, { "x-forwarded-for": "10.1.2.3" });
    expect(far.status).toBe(403);
    expect(far.text).not.toContain(AWS);
  });

  it("filters and pages", async () => {
    const page = answer("detections", await served.get("detections", "?limit=2"));
    expect(page.items).toHaveLength(2);
    const rest = answer("detections", await served.get("detections", `?limit=2&cursor=${page.next}`));
    expect(rest).toMatchObject({ items: [{ level: "S2" }], next: null });
    expect(answer("detections", await served.get("detections", "?level=S3")).items).toHaveLength(1);
    expect(answer("detections", await served.get("detections", "?text=tcp%20ud")).items).toHaveLength(1);
    expect(
      answer("detections", await served.get("detections", `?text=${encodeURIComponent("打电话")}`)).items,
    ).toHaveLength(1);
    expect((await served.get("detections", "?cursor=abc")).status).toBe(422);
    expect((await served.get("detections", "?level=S9")).status).toBe(422);
    expect((await served.get("detections", "?nonsense=1")).status).toBe(422);
    const facets = answer("facets", await served.get("facets"));
    expect(facets).toMatchObject({ levels: { S1: 1, S2: 1, S3: 1 }, total: 3 });
    const sessions = answer("sessions", await served.get("sessions"));
    expect(sessions.items).toMatchObject([{ key: SESSION, turns: 3, level: "S3" }]);
    answer("requests", await served.get("requests"));
    answer("detection", await served.get("detection", "?id=1"));
    expect((await served.get("detection", "?id=99")).status).toBe(404);
  });

  it("settings: two writers conflict, a bad one is refused with its place, undo goes back, disk edits show", async () => {
    const first = answer("config", await served.get("config"));
    expect(JSON.stringify(first)).not.toContain("cloud.invalid");
    const raw = {
      ...first.raw,
      privacy: { ...(first.raw.privacy as object), rules: { keywords: { S3: ["蓝鲸"] } } },
    };
    const preview = answer("previewConfig", await served.post("previewConfig", { raw }));
    expect(preview).toMatchObject({ ok: true, effect: { checked: 3 } });
    const second = answer("writeConfig", await served.post("writeConfig", { version: first.version, raw }));
    expect(served.engine.detector().detectByRules("蓝鲸计划").level).toBe("S3");
    const stale = await served.post("writeConfig", { version: first.version, raw });
    expect(stale.status).toBe(409);
    expect(stale.json).toMatchObject({ error: { code: "conflict", version: second.version } });
    const bad = await served.post("writeConfig", {
      version: second.version,
      raw: { privacy: { proxyPort: 0 } },
    });
    expect(bad.json).toMatchObject({ error: { code: "invalid", path: "/privacy/proxyPort" } });
    const broken = answer(
      "validateConfig",
      await served.post("validateConfig", {
        text: '{\n  "privacy": {\n    "rules": { "patterns": { "S2": ["ok",\n "a(b"] } } } }',
      }),
    );
    expect(broken).toMatchObject({ ok: false, faults: [{ path: "/privacy/rules/patterns/S2/1", line: 4 }] });
    const history = answer("configHistory", await served.get("configHistory"));
    expect(history.items[0]?.changes.map((c) => c.path)).toContain("/privacy/rules");
    const undone = answer("undoConfig", await served.post("undoConfig", { version: second.version }));
    expect(undone.raw).toEqual(first.raw);
    expect(readFileSync(served.configFile, "utf8")).toContain("cloud.invalid");
    const exported = await served.get("exportConfig");
    expect(exported.headers["content-disposition"]).toContain("attachment");
    expect(exported.text).not.toContain("cloud.invalid");
    const imported = answer(
      "importConfig",
      await served.post("importConfig", { version: undone.version, text: exported.text }),
    );
    expect(imported.raw).toEqual(first.raw);
    answer("configSchema", await served.get("configSchema"));

    const good = readFileSync(served.configFile, "utf8");
    writeFileSync(served.configFile, good.replace("{", '{\n "nonsense": 1,'));
    await expect
      .poll(async () => (await served.get("config")).json, { timeout: 5_000 })
      .toMatchObject({
        error: { faults: [{ path: "/nonsense", line: 2 }] },
      });
    expect(served.engine.config().privacy.enabled).toBe(true);
    writeFileSync(served.configFile, good);
    await expect
      .poll(async () => (await served.get("config")).json, { timeout: 5_000 })
      .toMatchObject({ error: null });
  }, 30_000);

  it("no module through the page, no slow pattern, no key out", async () => {
    const { version, raw } = answer("config", await served.get("config"));
    for (const module of ["data:text/javascript,0", "http://evil.example/x.js", "/tmp/x.js", "./x.js"]) {
      const reply = await served.post("writeConfig", {
        version,
        raw: { ...raw, privacy: { localModel: { enabled: true, type: "custom", module } } },
      });
      expect(reply.json, module).toMatchObject({ error: { code: "forbidden" } });
    }
    const rules = answer(
      "rulesValidate",
      await served.post("rulesValidate", {
        patterns: ["\\d{4}", "a(b"],
        keywords: ["项目", " "],
        sample: "in 2024, 项目",
      }),
    );
    expect(rules.patterns).toMatchObject([
      { ok: true, hits: [{ start: 3, end: 7 }], cost: { verdict: "fine" } },
      { ok: false, position: expect.any(Number), cost: null },
    ]);
    expect(rules.keywords).toMatchObject([{ ok: true, hits: [{ start: 9, end: 11 }] }, { ok: false }]);
    const withKey = {
      ...raw,
      privacy: { routers: { own: { options: { apiKey: LOCAL_KEY, note: AWS, plain: "x" } } } },
    };
    const kept = answer("writeConfig", await served.post("writeConfig", { version, raw: withKey }));
    expect(JSON.stringify(kept)).not.toContain(LOCAL_KEY);
    expect(JSON.stringify(kept)).not.toContain(AWS);
    const again = answer(
      "writeConfig",
      await served.post("writeConfig", { version: kept.version, raw: kept.raw }),
    );
    expect(readFileSync(served.configFile, "utf8")).toContain(LOCAL_KEY);
    answer("undoConfig", await served.post("undoConfig", { version: again.version }));
  });

  it("prompts: saved, compared, reset; names are no paths (case: prompt-name)", async () => {
    const { prompts } = answer("prompts", await served.get("prompts"));
    const [detection] = prompts;
    const save = (over: object) =>
      served.post("writePrompt", {
        action: "save",
        name: "detection-system",
        text: `${detection?.original}\nmore`,
        version: detection?.version,
        ...over,
      });
    const saved = answer("writePrompt", await save({}));
    expect(saved.diff.filter((line) => line.op !== " ")).toEqual([{ op: "+", text: "more" }]);
    expect((await save({})).status).toBe(409);
    for (const name of ["../../x", "/etc/passwd", "detection-system.md", "__proto__"])
      expect((await save({ name, version: saved.version })).json, name).toMatchObject({
        error: { code: "invalid" },
      });
    expect((await save({ text: " ", version: saved.version })).status).toBe(422);
    const reset = answer(
      "writePrompt",
      await served.post("writePrompt", { action: "reset", name: "detection-system", version: saved.version }),
    );
    expect(reset.edited).toBe(false);
  });

  it("the test panel tells the merged verdict and every router's own", async () => {
    const both = answer("testClassify", await served.post("testClassify", { message: `mail ${EMAIL}` }));
    expect(both.merged).toMatchObject({
      level: "S2",
      router: "privacy",
      findings: [{ start: 5, end: 5 + EMAIL.length }],
    });
    expect(both.skipped).toEqual(["token-saver"]);
    const one = answer(
      "testClassify",
      await served.post("testClassify", { message: "hi", router: "token-saver" }),
    );
    expect(one.routers.map((r) => r.router)).toEqual(["token-saver"]);
    expect((await served.post("testClassify", { message: "hi", router: "none" })).status).toBe(422);
    const tool = answer(
      "testClassify",
      await served.post("testClassify", { message: "{}", checkpoint: "onToolCallProposed", tool: "sudo" }),
    );
    expect(tool.merged.level).toBe("S3");
    const route = answer("testRoute", await served.post("testRoute", { message: `mail ${EMAIL}` }));
    expect(route).toMatchObject({ route: "redacted", cloud: expect.stringContaining("[REDACTED:EMAIL_1]") });
    expect(answer("testRoute", await served.post("testRoute", { message: AWS }))).toMatchObject({
      route: "local",
      cloud: null,
    });
  });

  it('"this was wrong": preview, then an allow rule that holds no value', async () => {
    const { items } = answer("detections", await served.get("detections", "?level=S2"));
    const token = items[0]?.said?.find((part) => "token" in part && part.level === "S2");
    const { version } = answer("config", await served.get("config"));
    const body = {
      detection: items[0]?.id,
      change: { kind: "allow", token: (token as { token: string }).token },
      version,
    };
    const preview = answer("feedbackPreview", await served.post("feedbackPreview", body));
    expect(preview).toMatchObject({
      ok: true,
      effect: { changed: 1, samples: [{ before: "S2", after: "S1" }] },
    });
    answer("feedback", await served.post("feedback", body));
    expect(readFileSync(served.configFile, "utf8")).not.toContain(PHONE);
    expect((await turn(`请打电话 ${PHONE} 给王伟`, "r9")).level).toBe("S1");
    expect(answer("detection", await served.get("detection", `?id=${items[0]?.id}`)).feedback).toContain(
      "allowed",
    );
    const wrong = await served.post("feedback", {
      ...body,
      change: { kind: "allow", token: "[REDACTED:PHONE_99]" },
      version: answer("config", await served.get("config")).version,
    });
    expect(wrong.status).toBe(422);
    const more = {
      detection: 3,
      change: { kind: "keyword", level: "S3", text: "UDP" },
      version: answer("config", await served.get("config")).version,
    };
    const raised = answer("feedbackPreview", await served.post("feedbackPreview", more));
    expect(raised.effect?.samples[0]).toMatchObject({ detection: 3, before: "S1", after: "S3" });
  });

  it("replays what was asked under other settings", async () => {
    const replay = answer(
      "replay",
      await served.post("replay", {
        limit: 10,
        settings: { tiers: { SIMPLE: { provider: "cloud", model: "cheap" } }, minConfidence: 0 },
      }),
    );
    expect(replay.turns).toBeGreaterThan(0);
    expect((await served.post("replay", { settings: { judge: "oracle" } })).json).toMatchObject({
      error: { path: "/settings/judge" },
    });
  });

  it("runs the self-test, resets", async () => {
    const test = answer("selfTest", await served.post("selfTest", {}));
    expect(test).toMatchObject({ ok: true });
    expect((await served.post("reset", { what: "statistics" })).status).toBe(422);
    answer("reset", await served.post("reset", { what: "statistics", confirm: true }));
    expect(answer("summary", await served.get("summary")).turns.total).toBe(0);
    expect(answer("detections", await served.get("detections")).items).toEqual([]);
    expect(answer("audit", await served.get("audit")).items.length).toBeGreaterThan(2);
    await turn("after", "r10");
    expect(answer("detections", await served.get("detections", "?text=after")).items).toHaveLength(1);
  }, 30_000);
});

describe("state on disk", () => {
  it("is private", () => {
    const dir = served.engine.dataDir;
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    for (const file of ["ledger.sqlite", "ledger.sqlite-index", "dashboard-sessions.json"])
      expect(statSync(path.join(dir, file)).mode & 0o777, file).toBe(0o600);
    expect(readFileSync(path.join(dir, "dashboard-sessions.json"), "utf8")).not.toContain(TOKEN);
  });
});
