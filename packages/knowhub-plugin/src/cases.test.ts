import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it, vi } from "vitest";
import { takeSession } from "./extraction/extractor.ts";
import { reduceSnapshot } from "./extraction/messages.ts";
import { redactMessages } from "./extraction/redact.ts";
import { Outbox } from "./outbox/outbox.ts";
import { ReminderSchedule, startedByPerson } from "./reminders/schedule.ts";
import { REMINDERS } from "./reminders/texts.ts";
import { knowHubFor } from "./service/instances.ts";
import { AGENT, item, lab, temporaryFolder, testServer } from "./testing/lab.ts";

// Servers, files and properties: a busy machine needs longer than the default.
vi.setConfig({ testTimeout: 30_000 });

const FILE = fileURLToPath(new URL("../../../../shared/cases/knowhub.jsonl", import.meta.url));

/** The handed cases, each under its id. */
const CASES: Record<string, () => Promise<void> | void> = {
  "own-block"() {
    const { notice, periodic } = REMINDERS.zh;
    const block = "<knowhub-experiences>\n以下是历史经验\n1. [x]\n</knowhub-experiences>";
    const [message] = reduceSnapshot([
      { role: "user", content: `${notice}\n${periodic}\n我的问题是什么？\n${block}\n请回答` },
    ]);
    expect(message?.content).toBe("我的问题是什么？\n\n请回答");
  },

  recapture() {
    const messages = reduceSnapshot([
      { role: "user", content: "查一下" },
      {
        role: "assistant",
        content: [{ type: "toolCall", id: "c1", name: "kb_search", arguments: { query: "x" } }],
      },
      {
        role: "toolResult",
        toolCallId: "c1",
        toolName: "kb_search",
        content: [{ type: "text", text: "找到 1 条相关知识：秘诀" }],
        details: { results: ["秘诀"] },
      },
      {
        role: "assistant",
        content: [
          { type: "toolCall", id: "c2", name: "tool_call", arguments: { id: "kb_search", args: {} } },
        ],
      },
      {
        role: "toolResult",
        toolCallId: "c2",
        toolName: "tool_call",
        content: [{ type: "text", text: "秘诀" }],
      },
      { role: "assistant", content: [{ type: "text", text: "好的" }] },
    ]);
    expect(messages.map((m) => m.content)).toEqual(["查一下", "好的"]);
  },

  "cache-bust"() {
    const { hub } = lab();
    const schedule = new ReminderSchedule({ mode: "normal", db: () => hub.store().db, runs: () => hub.runs });
    const injected: string[] = [];
    for (let turn = 0; turn < 20; turn += 1) {
      const due = schedule.beginRun(`run${turn}`, "s", 0);
      if (due === "periodic") injected.push(REMINDERS.zh.periodic);
      if (due === "notice") injected.push(REMINDERS.zh.notice);
      schedule.callStarted(`run${turn}`, 0);
    }
    expect(injected.filter((text) => text === REMINDERS.zh.notice)).toHaveLength(1);
    expect(new Set(injected).size).toBe(2);
    expect(injected).toHaveLength(1 + 6);
  },

  async "slow-backend"() {
    const server = await testServer(() => new Promise(() => {}));
    const { hub, config } = lab({ apiUrl: server.url });
    const backend = hub.backend(config);
    const request = { query: "x", topK: 5, minScore: 3 };
    let at = performance.now();
    await backend.search(request);
    expect(performance.now() - at).toBeLessThan(4_000);
    expect(performance.now() - at).toBeGreaterThan(1_400);
    // The machine may be busy: the best of five shows what the plugin itself costs.
    const times: number[] = [];
    let outcome = await backend.search(request);
    for (let i = 0; i < 5; i += 1) {
      at = performance.now();
      outcome = await backend.search(request);
      times.push(performance.now() - at);
    }
    expect(Math.min(...times)).toBeLessThan(50);
    expect(outcome.notices[0]?.en).toContain("did not answer within 1500 ms");
  },

  async "zh-compound"() {
    const { hub, config } = lab();
    const backend = hub.backend(config);
    await backend.save(item("GitHub 备份脚本", "GitHub 备份脚本上传失败时先刷新临时凭证"), AGENT);
    for (let i = 0; i < 30; i += 1)
      await backend.save(item(`其他任务 ${i}`, `与此无关的第 ${i} 条内容，关于脚本和上传`), AGENT);
    const { items } = await backend.search({ query: "GitHub备份脚本上传失败", topK: 5, minScore: 3 });
    expect(items[0]?.record.task).toBe("GitHub 备份脚本");
  },

  "export-secret"() {
    const secret = ["hunter", "2", "correct", "horse"].join("-");
    for (const name of ["DB_PASSWORD", "NAME"]) {
      for (const text of [
        `export ${name}=${secret}`,
        `export ${name}="${secret} x" && run`,
        `$ export ${name}='${secret}'; run`,
      ]) {
        const { messages, counts } = redactMessages(
          [{ role: "user", content: `先执行 ${text} 再启动` }],
          "strict",
        );
        expect(messages[0]?.content).not.toContain(secret);
        expect(messages[0]?.content).toContain(`export ${name}=`);
        expect(messages[0]?.content).toContain("[REDACTED:");
        expect(Object.keys(counts)).toHaveLength(1);
      }
    }
    const harmless = "export PATH=/usr/bin:$PATH && export DEBUG=1";
    expect(redactMessages([{ role: "user", content: harmless }], "strict").messages[0]?.content).toBe(
      harmless,
    );
  },

  cron() {
    for (const origin of [
      { trigger: "cron", sessionKey: "agent:main:main" },
      { trigger: "heartbeat", sessionKey: "agent:main:main" },
      { trigger: "user", sessionKey: "agent:main:cron:job1" },
      { trigger: "user", sessionKey: "agent:main:subagent:1" },
      { trigger: "user", sessionKey: "agent:main:main", jobId: "j" },
      { trigger: "user", sessionKey: "agent:main:main", inputProvenance: { kind: "inter_session" } },
      { trigger: "user", sessionKey: "agent:main:main", inputProvenance: { kind: "internal_system" } },
    ]) {
      expect(startedByPerson(origin)).toBe(false);
    }
    expect(startedByPerson({ trigger: "user", sessionKey: "agent:main:main" })).toBe(true);
    expect(
      startedByPerson({
        sessionKey: "agent:main:telegram:direct:1",
        inputProvenance: { kind: "external_user" },
      }),
    ).toBe(true);
  },

  async "tool-call-block"() {
    const { hub, config } = lab({ enableServerExtraction: true });
    const knowledge = { task: "上传失败", content: "上传失败时先刷新临时凭证再重试" };
    hub.complete = async () => JSON.stringify([{ ...knowledge, types: ["tool"], score: 4 }]);
    const saved = await hub.backend(config).save(item(knowledge.task, knowledge.content), AGENT);
    hub.extract(config, transcript(saved.id), { agentId: "main", sessionKey: "agent:main:one" });
    const { outbox, extractor } = hub.parts(config);
    const job = outbox.nextDue("", Date.now());
    expect(job?.body).toContain(`(${saved.id}); do not extract it again`);
    expect(job && (await extractor.run(job))).toEqual([]);
    expect(hub.store().list({ origin: "" }, 1, 10).total).toBe(1);
  },

  "register-loop"() {
    const stateDir = temporaryFolder();
    const log = { info() {}, warn() {} };
    const hubs = Array.from({ length: 14 }, () => knowHubFor(stateDir, log));
    for (const hub of hubs) hub.store();
    expect(new Set(hubs).size).toBe(1);
    expect(hubs[0]?.opened).toBe(1);
    return hubs[0]?.stop();
  },

  photos() {
    const { hub, config } = lab({ enableServerExtraction: true });
    const image = { type: "image", data: "A".repeat(500_000), mimeType: "image/png" };
    const messages = [
      {
        role: "user",
        content: [{ type: "text", text: "看这些照片" }, ...Array.from({ length: 14 }, () => image)],
      },
    ];
    const outbox = new Outbox(hub.store().db);
    takeSession(
      hub.store(),
      outbox,
      messages,
      { agentId: "main", sessionKey: "s" },
      { origin: "", submittedBy: "", privacyMode: config.privacyMode },
      1,
    );
    const [job] = outbox.list();
    expect(job?.body.match(/\[image\]/g)).toHaveLength(14);
    expect(job?.body.length).toBeLessThan(1_000);
  },
};

function transcript(id: string): unknown[] {
  return [
    { role: "user", content: "上传老是失败", timestamp: 1 },
    {
      role: "assistant",
      content: [{ type: "toolCall", id: "c1", name: "kb_save", arguments: {} }],
      timestamp: 2,
    },
    {
      role: "toolResult",
      toolCallId: "c1",
      toolName: "kb_save",
      content: [{ type: "text", text: `✅ 知识已保存 (ID: ${id})` }],
      timestamp: 3,
    },
    { role: "assistant", content: [{ type: "text", text: "已解决：先刷新临时凭证" }], timestamp: 4 },
  ];
}

describe("handed cases", () => {
  for (const [id, check] of Object.entries(CASES)) it(id, check);

  it.skipIf(!existsSync(FILE))(
    "are all here (../shared/cases/knowhub.jsonl, skipped where it is not)",
    () => {
      const ids = readFileSync(FILE, "utf8")
        .trim()
        .split("\n")
        .map((line) => (JSON.parse(line) as { id: string }).id);
      expect(Object.keys(CASES).sort()).toEqual(ids.sort());
    },
  );
});
