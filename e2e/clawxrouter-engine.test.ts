import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { freePort, type Gateway, modelServer, startGateway } from "./harness/index.ts";
import { reply } from "./leak/replies.ts";
import { setUp } from "./leak/set-up.ts";

const PHONE = `139${"2468".repeat(2)}`;
const HOST_ADDRESS = ["10", "77", "6", "5"].join(".");
const KEY_BODY = "c2VjcmV0LXRlc3Qta2V5LWJvZHktb25lLWZvci1jbGF3eHJvdXRlci1lMmUtMDAx";
const KEY = [`-----BEGIN RSA ${"PRIVATE"} KEY-----`, KEY_BODY, `-----END RSA ${"PRIVATE"} KEY-----`].join(
  "\n",
);

/** Tools, files, memory, titles, restarts and the command line, on a real gateway after `setup --yes`. */
describe("clawxrouter: tools, memory, restarts, commands", () => {
  let gateway: Gateway;
  let failed = false;
  const server = (name: "cloud" | "local") => {
    const found = gateway.models[name];
    if (found === undefined) throw new Error(`no ${name}`);
    return found;
  };
  const workspace = () => path.join(gateway.stateDir, "workspace");
  const call = (name: string, args: Record<string, unknown>) => ({ toolCalls: [{ name, arguments: args }] });

  beforeAll(async () => {
    const proxyPort = await freePort();
    gateway = await startGateway({
      plugins: { clawxrouter: {} },
      models: { cloud: modelServer("cloud"), local: modelServer("local") },
      config: { agents: { defaults: { utilityModel: "cloud/cheap", skipBootstrap: false } } },
      files: {
        ".openclaw/clawxrouter.json": JSON.stringify({
          privacy: { proxyPort },
          tokenSaver: { tiers: { SIMPLE: { provider: "cloud", model: "cheap" } } },
        }),
        ".openclaw/workspace/MEMORY.md": `# Memory\n- The customer's phone is ${PHONE}\n- likes tea\n`,
        ".openclaw/workspace/notes.txt": `key file:\n${KEY}\ncall ${PHONE}\n`,
      },
    });
    await setUp(gateway);
    mkdirSync(path.join(gateway.home, ".ssh"), { recursive: true });
    writeFileSync(path.join(gateway.home, ".ssh", "id_test"), KEY);
    symlinkSync(path.join(gateway.home, ".ssh"), path.join(workspace(), "link"));
  }, 400_000);
  afterEach(({ task }) => {
    if (task.result?.state === "fail") failed = true;
    server("cloud").reset();
    server("local").reset();
  });
  afterAll(async () => {
    await gateway?.close(failed);
  });

  it("a tool result with private parts reaches the cloud redacted in the same turn", async () => {
    reply(server("cloud"), "read notes.txt", call("read", { path: "notes.txt" }), { text: "read it" });
    const result = await gateway.turn("tool-read", "Please read notes.txt");
    expect(result, result.error).toMatchObject({ ok: true });
    const seen = server("cloud").everything();
    expect(seen).toContain('"role":"tool"');
    expect(seen).toContain("key file");
    expect(seen).not.toContain(KEY_BODY);
    expect(seen).not.toContain(PHONE);
  });

  it("a placeholder in tool arguments runs as the value, the file holds it, the next turn masks it again", async () => {
    await gateway.turn("round", `Remember the number ${PHONE}`);
    const token = /\[REDACTED:[A-Z_]+_\d+\]/.exec(server("cloud").everything())?.[0] ?? "";
    expect(token).not.toBe("");
    server("cloud").reset();
    reply(
      server("cloud"),
      "Write it into out.txt",
      call("write", { path: "out.txt", content: `call "${token}" now` }),
      {
        text: `wrote ${token}`,
      },
    );
    const result = await gateway.turn("round", "Write it into out.txt");
    expect(readFileSync(path.join(workspace(), "out.txt"), "utf8")).toContain(`call "${PHONE}" now`);
    expect(result.text).toContain(PHONE);
    server("cloud").reset();
    await gateway.turn("round", "And what did we do?");
    expect(server("cloud").everything()).not.toContain(PHONE);
    expect(server("cloud").everything()).toContain(token);
  });

  it.each([
    ["read", { path: "~/.ssh/id_test" }],
    ["read", { path: "./x/../link/id_test" }],
    ["exec", { command: "cat ~/.ssh/id_test" }],
  ])("a cloud turn may not touch private files: %s %j", async (tool, args) => {
    reply(server("cloud"), "Show me that file", call(tool, args), { text: "tried" });
    const result = await gateway.turn(`path-${tool}-${Object.values(args)[0]?.length}`, "Show me that file");
    expect(result, result.error).toMatchObject({ ok: true });
    expect(server("cloud").everything()).not.toContain(KEY_BODY);
    expect(server("cloud").everything()).toMatch(/privacy rule|隐私规则/);
  });

  it("memory: the cloud reads the clean one, a local turn the full one, the disk holds both", async () => {
    await gateway.turn("memory", "What do you know about tea?");
    expect(server("cloud").everything()).toContain("likes tea");
    expect(server("cloud").everything()).not.toContain(PHONE);
    await gateway.turn("memory-private", `What is this?\n${KEY}`);
    expect(server("local").everything()).toContain(PHONE);
    const full = readFileSync(
      path.join(gateway.stateDir, "clawxrouter", "memory", "main", "MEMORY-FULL.md"),
      "utf8",
    );
    expect(full).toContain(PHONE);
    expect(readFileSync(path.join(workspace(), "MEMORY.md"), "utf8")).not.toContain(PHONE);
    const diff = await gateway.cli(["clawxrouter", "memory", "diff"], { check: true });
    expect(diff.stdout).toContain("MEMORY.md: in step");
  });

  it("a simple question goes to the cheap tier", async () => {
    const result = await gateway.turn("tier", "Hi, how are you?");
    expect(result, result.error).toMatchObject({ ok: true });
    expect(
      server("cloud").requests.some(
        (r) => (r.json as { model?: string }).model === "cheap" && r.body.includes("how are you"),
      ),
    ).toBe(true);
  });

  it("survives SIGKILL between turns: history stays masked, values come back", async () => {
    await gateway.turn("kill", `The server is ${HOST_ADDRESS}\n`);
    await gateway.turn("kill-s3", `Look:\n${KEY}`);
    await gateway.kill("SIGKILL");
    await gateway.start();
    server("cloud").reset();
    const token = /\[REDACTED:[A-Z0-9_]+\]/;
    const result = await gateway.turn("kill", `Again about ${HOST_ADDRESS}, please`);
    expect(result.text).toContain(HOST_ADDRESS);
    await gateway.turn("kill-s3", "Thanks. What is a symlink?");
    const seen = server("cloud").everything();
    expect(seen).not.toContain(HOST_ADDRESS);
    expect(seen).not.toContain(KEY_BODY);
    expect(seen).toMatch(token);
  });

  it("a plugin reload between turns changes nothing", async () => {
    await gateway.turn("reload", `Look:\n${KEY}`);
    await gateway.cli(["plugins", "reload", "clawxrouter"]);
    server("cloud").reset();
    const result = await gateway.turn("reload", "Thanks. What is a symlink?");
    expect(result, result.error).toMatchObject({ ok: true });
    expect(server("cloud").everything()).not.toContain(KEY_BODY);
  });

  it("posture is green, and the files are private", async () => {
    const posture = await gateway.cli(["clawxrouter", "posture", "--json"]);
    expect(JSON.parse(posture.stdout)).toMatchObject({ state: "green" });
    expect((await gateway.log()).includes("posture green")).toBe(true);
    const dir = path.join(gateway.stateDir, "clawxrouter");
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(dir)) {
      const file = path.join(dir, name);
      if (statSync(file).isFile()) expect(statSync(file).mode & 0o077, name).toBe(0);
    }
  });

  it("sessions export writes both tracks", async () => {
    await gateway.turn("export", `Look:\n${KEY}`);
    const full = await gateway.cli(
      ["clawxrouter", "sessions", "export", "--full", "--session", "agent:main:export"],
      { check: true },
    );
    const clean = await gateway.cli(
      ["clawxrouter", "sessions", "export", "--clean", "--session", "agent:main:export"],
      { check: true },
    );
    expect(full.stdout).toContain(KEY_BODY);
    expect(clean.stdout).not.toContain(KEY_BODY);
    expect(clean.stdout).toContain("[PRIVATE:TEXT_");
  });

  it("test, route, stats, status, prompts and rules check answer", async () => {
    const test = await gateway.cli(["clawxrouter", "test", `call ${PHONE}`, "--json"], { check: true });
    expect(JSON.parse(test.stdout)).toMatchObject({ level: "S2" });
    const route = await gateway.cli(["clawxrouter", "route", `look at\n${KEY}`, "--json"], { check: true });
    expect(JSON.parse(route.stdout)).toMatchObject({ level: "S3", target: { provider: "local" } });
    const stats = await gateway.cli(["clawxrouter", "stats", "--json"], { check: true });
    const sum = JSON.parse(stats.stdout) as {
      requests: { total: number };
      turns: { byLevel: Record<string, number> };
    };
    expect(sum.requests.total).toBeGreaterThan(5);
    expect(sum.turns.byLevel.S3).toBeGreaterThan(0);
    expect((await gateway.cli(["clawxrouter", "prompts"], { check: true })).stdout).toContain(
      "detection-system",
    );
    const check = await gateway.cli(
      ["clawxrouter", "rules", "check", path.join(gateway.stateDir, "clawxrouter.json")],
      { check: true },
    );
    expect(check.stdout).toContain("is valid");
    const chat = await gateway.turn("command", "/clawxrouter posture", { via: "chat.send" });
    expect(`${chat.text}`).toContain("ClawXRouter: green");
  });

  it("host checks name no fault of ours", async () => {
    const inspect = JSON.parse(
      (await gateway.cli(["plugins", "inspect", "clawxrouter", "--runtime", "--json"], { check: true }))
        .stdout,
    ) as { diagnostics?: unknown[] };
    expect(inspect.diagnostics ?? []).toEqual([]);
    const doctor = await gateway.cli(["plugins", "doctor"]);
    expect(doctor.stdout).not.toMatch(/clawxrouter.*(?:error|fail)/i);
    const audit = await gateway.cli(["security", "audit", "--deep", "--json"]);
    const findings = audit.stdout.split("\n").filter((line) => /clawxrouter/i.test(line));
    expect(findings, findings.join("\n")).toEqual([]);
  });

  it("a bad edit of clawxrouter.json is refused with its line, a good one takes effect without a restart", async () => {
    const file = path.join(gateway.stateDir, "clawxrouter.json");
    const good = readFileSync(file, "utf8");
    writeFileSync(file, good.replace('"privacy": {', '"privacy": {\n    "s2Policy": "cloud",'));
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(await gateway.log()).toMatch(/line \d+: \/privacy\/s2Policy/);
    const config = JSON.parse(good) as { privacy: Record<string, unknown> };
    config.privacy.rules = { keywords: { S3: ["蓝鲸计划"] } };
    writeFileSync(file, JSON.stringify(config, null, 2));
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const result = await gateway.turn("live", "蓝鲸计划什么时候开始？");
    expect(result.text).toContain("local answers");
    expect(server("cloud").everything()).not.toContain("蓝鲸计划");
    writeFileSync(file, good);
  });

  it("selftest shows that nothing gets through", async () => {
    const result = await gateway.cli(["clawxrouter", "selftest", "--json"], { timeoutMs: 300_000 });
    const rows = JSON.parse(result.stdout) as {
      path: string;
      leaked: string[];
      answered: boolean;
      detail: string;
    }[];
    expect(rows.length).toBeGreaterThanOrEqual(14);
    for (const row of rows) expect(row, row.path).toMatchObject({ leaked: [], answered: true });
    expect(result.code).toBe(0);
  }, 400_000);

  it("`agent --local` without the gateway says what is missing and sends nothing", async () => {
    await gateway.kill();
    const result = await gateway.turn("alone", `call ${PHONE}`, { via: "local" });
    expect(`${result.text}${result.error}`).toMatch(/proxy is not running|代理没有运行/);
    expect(server("cloud").requests.length).toBe(0);
  });
});
