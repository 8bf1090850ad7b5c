import { existsSync } from "node:fs";
import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import plugin from "../index.ts";
import { REMINDERS } from "../reminders/texts.ts";
import { knowHubFor } from "../service/instances.ts";
import { databaseFile } from "../service/knowhub.ts";
import { temporaryFolder } from "../testing/lab.ts";
import { hasAgentStart } from "./legacy.ts";

// Servers, files and properties: a busy machine needs longer than the default.
vi.setConfig({ testTimeout: 30_000 });

type Handler = (event: Record<string, unknown>, ctx: Record<string, unknown>) => unknown;

/** The part of the host's API that the plugin uses, recording what is registered. */
function host(stateDir: string, pluginConfig: Record<string, unknown> = {}, version = "2026.9.6") {
  const hooks = new Map<string, Handler[]>();
  const tools: {
    name: string;
    execute: (
      id: string,
      params: unknown,
    ) => Promise<{ content: { text: string }[]; details: { ok: boolean } }>;
  }[] = [];
  const logs: string[] = [];
  const log = (m: string) => void logs.push(m);
  const middleware: Handler[] = [];
  const api = {
    registrationMode: "full",
    pluginConfig,
    logger: { info: log, warn: log, error: log, debug: log },
    runtime: {
      version,
      state: { resolveStateDir: () => stateDir },
      llm: { complete: async () => ({ text: "[]" }) },
    },
    on: (name: string, handler: Handler) => hooks.set(name, [...(hooks.get(name) ?? []), handler]),
    registerTool: (factory: (ctx: object) => (typeof tools)[number]) =>
      tools.push(factory({ agentId: "main", sessionKey: "agent:main:s" })),
    registerAgentToolResultMiddleware: (handler: Handler) => middleware.push(handler),
    registerService: () => {},
    registerCommand: () => {},
    registerCli: () => {},
  };
  onTestFinished(() => knowHubFor(stateDir, { info() {}, warn() {} }).stop());
  return {
    hooks,
    tools,
    logs,
    middleware,
    register: () => plugin.register(api as unknown as OpenClawPluginApi),
    fire: (name: string, event: Record<string, unknown>, ctx: Record<string, unknown>) =>
      (hooks.get(name) ?? []).map((h) => h(event, ctx)).filter((r) => r !== undefined),
  };
}

const PERSON = { runId: "r1", sessionKey: "agent:main:main", trigger: "user" };

describe("registering", () => {
  it("14 times opens nothing; the tools of all of them share one store", async () => {
    const stateDir = temporaryFolder();
    const { register, tools } = host(stateDir);
    for (let i = 0; i < 14; i += 1) register();
    expect(existsSync(databaseFile(stateDir))).toBe(false);
    expect(tools).toHaveLength(42);
    const saves = tools.filter((t) => t.name === "kb_save");
    for (const [i, tool] of saves.entries()) {
      expect(
        (await tool.execute("c", { task: `任务 ${i}`, content: `内容 ${i}`, types: ["tool"] })).details.ok,
      ).toBe(true);
    }
    const hub = knowHubFor(stateDir, { info() {}, warn() {} });
    expect(hub.opened).toBe(1);
    expect(hub.store().list({ origin: "" }, 1, 50).total).toBe(14);
  });

  it("with wrong settings keeps the host going; each tool says what is wrong", async () => {
    const { register, tools, logs, hooks } = host(temporaryFolder(), {
      reminderMode: "often",
      language: "en",
    });
    register();
    expect(logs.join()).toContain('plugins.entries.knowhub.config.reminderMode: must be one of "off"');
    expect([...hooks.keys()]).toEqual([]);
    const result = await tools[0]?.execute("c", { query: "x" });
    expect(result?.content[0]?.text).toContain("reminderMode: must be one of");
  });

  it("registers no hook it has no use for", () => {
    const off = host(temporaryFolder(), { reminderMode: "off" });
    off.register();
    expect([...off.hooks.keys()]).toEqual([]);
    const extracting = host(temporaryFolder(), {
      reminderMode: "off",
      enableServerExtraction: true,
      extractionTrigger: "before_compaction",
    });
    extracting.register();
    expect([...extracting.hooks.keys()]).toEqual(["before_compaction", "session_end"]);
  });

  it("uses before_agent_start on a host that still has it, and only there", () => {
    expect(hasAgentStart("2026.3.31")).toBe(true);
    expect(hasAgentStart("2026.9.6")).toBe(false);
    const old = host(temporaryFolder(), {}, "2026.3.31");
    old.register();
    expect(old.fire("before_agent_start", {}, {})).toEqual([{ prependContext: REMINDERS.zh.notice }]);
    const present = host(temporaryFolder());
    present.register();
    expect(present.hooks.has("before_agent_start")).toBe(false);
  });
});

describe("reminders", () => {
  it("go to turns a person began, not to heartbeats, jobs and subagents that share the session", () => {
    const { register, fire } = host(temporaryFolder());
    register();
    for (const origin of [
      { trigger: "heartbeat" },
      { trigger: "cron" },
      { jobId: "j" },
      { sessionKey: "agent:main:subagent:x" },
      { inputProvenance: { kind: "inter_session" } },
    ]) {
      expect(
        fire("before_prompt_build", { prompt: "", messages: [] }, { ...PERSON, runId: "m", ...origin }),
      ).toEqual([]);
      fire("model_call_started", { runId: "m" }, {});
    }
    expect(fire("before_prompt_build", { prompt: "", messages: [] }, PERSON)).toEqual([
      { prependContext: REMINDERS.zh.notice },
    ]);
  });

  it("fall due in the middle of a turn too, once a call, and survive a restart of the gateway", async () => {
    const stateDir = temporaryFolder();
    const first = host(stateDir);
    first.register();
    first.fire("before_prompt_build", {}, PERSON);
    const afterTool = (h: typeof first) =>
      h.middleware
        .map((m) => m({ result: { content: [{ type: "text", text: "out" }], details: {} } }, { runId: "r1" }))
        .filter((r) => r !== undefined);
    first.fire("model_call_started", { runId: "r1" }, {});
    expect(afterTool(first)).toEqual([]);
    first.fire("model_call_started", { runId: "r1" }, {});
    expect(afterTool(first)).toEqual([
      {
        result: {
          content: [
            { type: "text", text: "out" },
            { type: "text", text: REMINDERS.zh.periodic },
          ],
          details: {},
        },
      },
    ]);
    expect(afterTool(first)).toEqual([]);
    first.fire("session_end", { sessionId: "s", sessionKey: PERSON.sessionKey, reason: "shutdown" }, {});
    await knowHubFor(stateDir, { info() {}, warn() {} }).stop();
    const second = host(stateDir);
    second.register();
    expect(second.fire("before_prompt_build", {}, { ...PERSON, runId: "r2" })).toEqual([
      { prependContext: REMINDERS.zh.periodic },
    ]);
    second.fire("session_end", { sessionId: "s", sessionKey: PERSON.sessionKey, reason: "new" }, {});
    expect(second.fire("before_prompt_build", {}, { ...PERSON, runId: "r3" })).toEqual([
      { prependContext: REMINDERS.zh.notice },
    ]);
  });

  it.each([
    ["minimal", [5, 10]],
    ["normal", [3, 6, 9]],
    ["aggressive", [2, 4, 6, 8, 10]],
  ])("%s", (reminderMode, expected) => {
    const { register, fire } = host(temporaryFolder(), { reminderMode });
    register();
    const due: number[] = [];
    for (let call = 1; call <= 10; call += 1) {
      const [result] = fire("before_prompt_build", {}, { ...PERSON, runId: `r${call}` }) as {
        prependContext: string;
      }[];
      if (result?.prependContext.includes(REMINDERS.zh.periodic)) due.push(call);
      fire("model_call_started", { runId: `r${call}` }, {});
    }
    expect(due).toEqual(expected);
  });

  it("a store that cannot be opened costs no turn", () => {
    const { register, fire, logs, middleware } = host("/dev/null/nowhere");
    register();
    expect(fire("before_prompt_build", {}, PERSON)).toEqual([]);
    fire("model_call_started", { runId: "r1" }, {});
    expect(middleware[0]?.({ result: { content: [] } }, { runId: "r1" })).toBeUndefined();
    expect(logs.join()).toContain("reminder failed: the knowledge base cannot be opened");
  });
});
