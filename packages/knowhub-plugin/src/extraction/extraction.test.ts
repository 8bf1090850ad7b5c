import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { firstJson } from "../store/evolve.ts";
import { lab, until } from "../testing/lab.ts";
import { redactionReport } from "./extractor.ts";
import { batches, capMessage, reduceSnapshot, stripInjected } from "./messages.ts";
import { redactMessages } from "./redact.ts";
import { freshMessages, type Watermark } from "./watermark.ts";

// Servers, files and properties: a busy machine needs longer than the default.
vi.setConfig({ testTimeout: 30_000 });

const user = (content: unknown, timestamp?: number) => ({ role: "user", content, timestamp });
const SESSION = { agentId: "main", sessionKey: "agent:main:x" };

describe("messages for extraction", () => {
  it("hold no thinking, no images, no details, no host context", () => {
    const [a, b] = reduceSnapshot([
      user([
        { type: "text", text: "看图" },
        { type: "image", data: "AAAA", mimeType: "image/png" },
      ]),
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "secret thoughts" },
          { type: "text", text: "好" },
          { type: "toolCall", id: "1", name: "exec", arguments: { command: "ls" } },
        ],
      },
      { role: "compactionSummary", content: "summary" },
      user("<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\nx\n<<<END_OPENCLAW_INTERNAL_CONTEXT>>>"),
      null,
      5,
    ]);
    expect(a?.content).toBe("看图\n[image]");
    expect(b?.content).toBe("好");
  });

  it("are cut at 8 KB, never inside a character, and packed into bounded uploads", () => {
    const [long] = reduceSnapshot([user("汉".repeat(10_000))]);
    const kept = capMessage(long?.content ?? "");
    expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(8 * 1024 + 10);
    expect(kept).not.toContain("\ufffd");
    const many = reduceSnapshot(Array.from({ length: 200 }, (_, i) => user(`${i} ${"x".repeat(8_000)}`)));
    const uploads = batches(many, 256 * 1024);
    expect(uploads.flat()).toEqual(many);
    for (const upload of uploads)
      expect(upload.reduce((n, m) => n + m.content.length, 0)).toBeLessThan(256 * 1024);
  });

  it("a secret that lies across the cut is redacted whole, wherever it lies", () => {
    const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
    const pem = (name: string) => `-----${name} ${"RSA PRIVATE"} KEY-----`;
    const key = `${pem("BEGIN")}\n${"MIIEowIBAAKCAQEAx7Gh2Lq\n".repeat(40)}${pem("END")}`;
    for (const secret of [token, key]) {
      for (const size of [8 * 1024, 32 * 1024, 28 * 1024]) {
        for (let back = 0; back <= secret.length; back += 7) {
          const text = `${"word ".repeat(size / 5).slice(0, size - back)} ${secret} and more`;
          const [message] = redactMessages(reduceSnapshot([user(text)]), "relaxed").messages;
          const sent = capMessage(message?.content ?? "");
          expect(sent).not.toMatch(/ghp_|MIIE|x7Gh2Lq/);
        }
      }
    }
  });

  it("hold nothing of other sessions or of the user's memory", () => {
    const call = (id: string, name: string, args: object = {}) => ({
      role: "assistant",
      content: [{ type: "toolCall", id, name, arguments: args }],
    });
    const result = (toolCallId: string, toolName: string) => ({
      role: "toolResult",
      toolCallId,
      toolName,
      content: [{ type: "text", text: `other session's words ${toolCallId}` }],
    });
    const kept = reduceSnapshot([
      {
        role: "user",
        content: "他的私事",
        provenance: { kind: "inter_session", sourceSessionKey: "agent:x:y" },
      },
      { role: "user", content: "tick", provenance: { kind: "internal_system" } },
      user("[Inter-session message] sourceSession=agent:x:y isUser=false\nhis private affairs"),
      { role: "user", content: "我的问题", provenance: { kind: "external_user" } },
      call("1", "sessions_history"),
      result("1", "sessions_history"),
      call("2", "tool_call", { id: "core.sessions_list" }),
      result("2", "tool_call"),
      call("3", "memory_search"),
      result("3", "memory_search"),
      call("4", "exec"),
      result("4", "exec"),
    ]);
    expect(kept.map((m) => m.content)).toEqual(["我的问题", "other session's words 4"]);
  });

  it("a message of nothing but opening marks is read in one pass", () => {
    for (const mark of [
      "<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>",
      "<knowhub-reminder>",
      "<knowhub-experiences>",
    ]) {
      const began = process.cpuUsage();
      stripInjected(mark.repeat(50_000));
      expect(process.cpuUsage(began).user / 1000).toBeLessThan(500);
    }
    const began = process.cpuUsage();
    firstJson("{".repeat(1_000_000));
    firstJson("<think>".repeat(200_000));
    expect(process.cpuUsage(began).user / 1000).toBeLessThan(3_000);
  });

  /** Takes snapshots of a session one after the other; gives back the words taken each time. */
  function taker() {
    const seen = new Set<string>();
    let watermark: Watermark | undefined;
    return (snapshot: readonly unknown[]) => {
      const fresh = freshMessages(reduceSnapshot(snapshot), { watermark, has: (mark) => seen.has(mark) });
      for (const mark of fresh.marks) seen.add(mark);
      if (fresh.messages.length > 0) watermark = fresh.watermark;
      return fresh.messages.map((m) => m.content);
    };
  }

  it("of any session are taken once, whatever is added between two looks", () => {
    const words = fc.array(fc.constantFrom("ok", "好", "再试一次"), { maxLength: 20 });
    fc.assert(
      fc.property(words, fc.nat(20), (list, cut) => {
        const all = list.map((text) => user(text));
        const take = taker();
        expect([...take(all.slice(0, cut)), ...take(all), ...take(all)]).toEqual(list);
      }),
    );
  });

  it("are known again when the host has masked a secret in them", () => {
    const take = taker();
    const answer = { role: "assistant", content: "好的" };
    expect(take([user("password=hunter2"), answer])).toHaveLength(2);
    expect(take([user("password=hun…r2"), answer, user("第二轮"), answer])).toEqual(["第二轮", "好的"]);
  });

  it("are told by their words after a compaction, and all new in a new session", () => {
    const take = taker();
    take([user("一"), user("二"), user("三")]);
    expect(take([user("摘要"), user("三"), user("四")])).toEqual(["摘要", "四"]);
    expect(take([user("另一个会话")])).toEqual(["另一个会话"]);
  });

  it("lose what this plugin put in, whatever stands around it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (before, after) => {
        fc.pre(!/[<>]/.test(before + after));
        const text = stripInjected(`${before}<knowhub-reminder>\n💡 提醒\n</knowhub-reminder>${after}`);
        expect(text).not.toContain("提醒\n</");
        expect(text).not.toContain("knowhub-reminder");
      }),
    );
  });
});

describe("redaction before an upload", () => {
  const key = ["sk", "proj", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6"].join("-");

  it("strict takes out personal data and secrets, relaxed still secrets", () => {
    const messages = [{ role: "user" as const, content: `电话 13812345678，钥匙 ${key}` }];
    const strict = redactMessages(messages, "strict");
    expect(strict.messages[0]?.content).not.toMatch(/13812345678|a1B2c3/);
    expect(Object.values(strict.counts).reduce((a, b) => a + b, 0)).toBeGreaterThanOrEqual(2);
    const relaxed = redactMessages(messages, "relaxed");
    expect(relaxed.messages[0]?.content).toContain("13812345678");
    expect(relaxed.messages[0]?.content).not.toContain("a1B2c3");
  });

  it("is written to the report, without values, before anything is in the outbox", () => {
    const { hub, config } = lab({ enableServerExtraction: true });
    expect(hub.extract(config, [user(`密钥是 ${key}`, 1)], SESSION)).toBe(1);
    expect(hub.extract(config, [user(`密钥是 ${key}`, 1)], SESSION)).toBe(0);
    const [entry] = redactionReport(hub.store());
    expect(entry).toMatchObject({ session: SESSION.sessionKey, destination: "embedded", messages: 1 });
    expect(Object.keys(entry?.findings ?? {}).length).toBeGreaterThan(0);
    expect(JSON.stringify([entry, hub.parts(config).outbox.list()])).not.toContain("a1B2c3");
  });
});

describe("embedded extraction", () => {
  const answer = (text: string) => async () => text;
  const run = async (text: string) => {
    const made = lab({ enableServerExtraction: true });
    made.hub.complete = answer(text);
    made.hub.extract(made.config, [user("问题", 1)], SESSION);
    await made.hub.start(made.config);
    await until(
      "worked on",
      () =>
        made.hub.parts(made.config).outbox.nextAt("") !== 0 &&
        made.hub
          .parts(made.config)
          .outbox.list()
          .every((j) => j.attempts > 0 && j.lastError !== ""),
      5_000,
    );
    return made;
  };

  it("stores what the model found, as extracted and not trusted", async () => {
    const { hub } = await run(
      '<think>hm</think>Here: ```json\n[{"task":"缓存","content":"加随机抖动","types":["strategy"],"score":4},{"task":""},{"task":"x","content":"y","types":"bad","score":99}]\n```',
    );
    const { items } = hub.store().list({ origin: "" }, 1, 10);
    expect(items.map((i) => [i.record.task, i.trust, i.record.eval.score]).sort()).toEqual([
      ["x", "extracted", 3],
      ["缓存", "extracted", 4],
    ]);
  });

  it("an empty list is an answer", async () => {
    const { hub, config } = await run("[]");
    expect(hub.parts(config).outbox.depth()).toEqual({ waiting: 0, refused: 0 });
  });

  it.each(["I cannot do that", "", "{broken", "5"])(
    "%j is tried again later, nothing is stored",
    async (text) => {
      const { hub, config } = await run(text);
      expect(hub.parts(config).outbox.depth()).toEqual({ waiting: 1, refused: 0 });
      expect(hub.store().list({ origin: "" }, 1, 10).total).toBe(0);
    },
  );
});

it("remote extraction goes to /api/extract through the outbox", async () => {
  const { testServer, json } = await import("../testing/lab.ts");
  const server = await testServer((req, res) =>
    json(res, 200, req.method === "POST" ? { extracted_count: 2, knowledge_ids: [] } : { results: [] }),
  );
  const { hub, config } = lab({ apiUrl: server.url, enableServerExtraction: true, submittedBy: "me" });
  await hub.start(config);
  hub.extract(
    config,
    [user("问题", 1), { role: "assistant", content: [{ type: "text", text: "答案" }], timestamp: 2 }],
    SESSION,
  );
  await until("sent", () => server.requests.some((r) => r.path === "/api/extract"));
  const sent = server.requests.find((r) => r.path === "/api/extract");
  expect(JSON.parse(sent?.body ?? "{}")).toEqual({
    messages: [
      { role: "user", content: "问题" },
      { role: "assistant", content: "答案" },
    ],
    agent_id: "main",
    submitted_by: "me",
    session_key: expect.stringMatching(/^session-[0-9a-f]{24}$/) as string,
  });
  expect(sent?.headers["idempotency-key"]).toBeTruthy();
});
