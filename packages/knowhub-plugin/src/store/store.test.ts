import { execFile } from "node:child_process";
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { recordSchema } from "../record/schema.ts";
import { databaseFile } from "../service/knowhub.ts";
import { AGENT, item, lab, temporaryFolder, until } from "../testing/lab.ts";
import { betaMean, recordVote, refreshBeliefs } from "./feedback.ts";
import { ageFactor, reciprocalRankFusion } from "./rank.ts";
import { revise, revisions, undoRevision } from "./revisions.ts";
import { prune } from "./upkeep.ts";

// Servers, files and properties: a busy machine needs longer than the default.
vi.setConfig({ testTimeout: 30_000 });

const DAY = 86_400_000;
const search = (query: string) => ({ query, topK: 5, minScore: 1 });

/** Spoils one page of a table, that at a share of its way. */
function overwritePage(file: string, table: string, share: number): void {
  const db = new DatabaseSync(file);
  const pages = db
    .prepare("SELECT pageno AS at FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path")
    .all(table) as { at: number }[];
  db.close();
  const page = pages[Math.floor(pages.length * share)] ?? expect.fail();
  const fd = openSync(file, "r+");
  writeSync(fd, Buffer.alloc(4_096, 0xab), 0, 4_096, (page.at - 1) * 4_096);
  closeSync(fd);
}

describe("the file", () => {
  it("is private, in a private folder, with a write-ahead log", () => {
    const { hub } = lab();
    const { db } = hub.store();
    const file = databaseFile(hub.stateDir);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
    expect(db.prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
  });

  it.each([
    ["text", "this is no database ".repeat(500)],
    ["a damaged header", `SQLite format 3\0${"\xff".repeat(8_000)}`],
  ])("that is %s is moved aside, a new one made, and said so", async (_name, bytes) => {
    const stateDir = temporaryFolder();
    mkdirSync(path.join(stateDir, "knowhub"));
    writeFileSync(databaseFile(stateDir), bytes, "latin1");
    const { hub, config, logs } = lab({}, stateDir);
    expect((await hub.backend(config).save(item("任务", "内容"), AGENT)).state).toBe("saved");
    expect(logs.join()).toContain("damaged");
    const kept = readdirSync(path.join(stateDir, "knowhub")).find((name) => name.includes("corrupt"));
    expect(kept && statSync(path.join(stateDir, "knowhub", kept)).size).toBe(
      Buffer.byteLength(bytes, "latin1"),
    );
  });

  it("that is damaged while it is open is moved aside at the next use", async () => {
    const { hub, config, logs } = lab();
    hub.store().transaction(() => {
      for (let i = 0; i < 200; i += 1) {
        const record = recordSchema.parse({
          id: `k${i}`,
          task: `任务 ${i}`,
          content: `${i} ${"长".repeat(200)}`,
          types: [],
        });
        hub.store().insert(record, { origin: "", trust: "own", now: 1 });
      }
    });
    hub.store().db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    await hub.stop();
    const file = databaseFile(hub.stateDir);
    const fd = openSync(file, "r+");
    for (let page = 1; page < 40; page += 1) writeSync(fd, Buffer.alloc(4_096, 0xab), 0, 4_096, page * 4_096);
    closeSync(fd);
    const outcome = await hub.healing(async () => hub.backend(config).save(item("新的", "新的内容"), AGENT));
    expect(outcome.state).toBe("saved");
    expect(logs.join()).toContain("damaged");
  });

  it.each(["search_data", "votes"])(
    "whose table %s is damaged is made anew with every item and every waiting request",
    async (table) => {
      const { hub, config, logs } = lab();
      const backend = hub.backend(config);
      const { id } = await backend.save(item("重启网关", "先排空连接"), AGENT);
      await backend.feedback({ id, helpful: true }, AGENT);
      hub
        .parts(config)
        .outbox.enqueue(
          { origin: "", kind: "extract", method: "POST", path: "/x", body: "{}", localId: undefined },
          1,
        );
      await hub.stop();
      overwritePage(databaseFile(hub.stateDir), table, 0);
      const outcome = await hub.healing(async () => {
        const present = hub.backend(config);
        await present.feedback({ id, helpful: false }, { ...AGENT, session: "other" });
        return present.search({ query: "网关连接", topK: 5, minScore: 1 });
      });
      expect(outcome.items.map((i) => i.record.id)).toEqual([id]);
      expect(logs.join()).toMatch(/damaged; .* 1 items and 1 waiting requests could be taken over/);
      expect(hub.parts(config).outbox.depth().waiting).toBe(1);
    },
  );

  it("of which some pages are damaged gives the rest", async () => {
    const { hub, config } = lab();
    hub.store().transaction(() => {
      for (let i = 0; i < 400; i += 1) {
        const record = recordSchema.parse({
          id: `k${i}`,
          task: `任务 ${i}`,
          content: `${i} ${"长".repeat(300)}`,
        });
        hub.store().insert(record, { origin: "", trust: "own", now: 1 });
      }
    });
    await hub.stop();
    overwritePage(databaseFile(hub.stateDir), "knowledge", 0.5);
    await hub.healing(async () => [...hub.store().all("")]);
    const left = hub.store().list({ origin: "" }, 1, 1).total;
    expect(left).toBeGreaterThan(380);
    expect(left).toBeLessThan(400);
    expect(hub.backend(config)).toBeDefined();
  });

  it("that is removed or replaced while it is open is noticed at the next use: nothing is written into the void", async () => {
    const { hub, config, logs } = lab();
    await hub.start(config);
    await hub.backend(config).save(item("旧的", "旧的内容"), AGENT);
    rmSync(path.dirname(databaseFile(hub.stateDir)), { recursive: true });
    const { id } = await hub.backend(config).save(item("新的", "新的内容"), AGENT);
    await until("started again", () => hub.opened >= 3);
    const other = lab({}, hub.stateDir);
    expect(other.hub.store().get(id)?.record.task).toBe("新的");
    expect(logs.join()).toContain("was removed or replaced");
  });

  it("in a place where nothing can be made gives a clear error, at every use anew", async () => {
    const stateDir = path.join(temporaryFolder(), "file");
    writeFileSync(stateDir, "");
    const { hub, config } = lab({}, stateDir);
    expect(() => hub.backend(config)).toThrow(/cannot be opened at .* Make the folder writable/);
    await expect(hub.start(config)).rejects.toThrow(/cannot be opened/);
  });

  it("in a folder that cannot be written is still searched", async () => {
    const { hub, config } = lab();
    await hub.backend(config).save(item("任务", "内容"), AGENT);
    await hub.stop();
    const folder = path.dirname(databaseFile(hub.stateDir));
    for (const name of readdirSync(folder)) chmodSync(path.join(folder, name), 0o444);
    chmodSync(folder, 0o555);
    chmodSync(hub.stateDir, 0o555);
    onTestFinished(() => [hub.stateDir, folder].forEach((f) => void chmodSync(f, 0o755)));
    // Root may write anywhere: the attempt is made as nobody.
    const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    const script = new URL("../testing/read-only.ts", import.meta.url);
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--no-warnings", script.pathname, hub.stateDir],
      nobody,
    );
    expect(JSON.parse(stdout)).toEqual({
      readOnly: true,
      found: 1,
      save: expect.stringContaining("cannot be written"),
    });
  });

  it("of a newer version is left alone", async () => {
    const { hub } = lab();
    hub.store().db.exec("PRAGMA user_version = 99");
    const other = lab({}, hub.stateDir);
    expect(() => other.hub.store()).toThrow(/update the plugin/);
    await hub.stop();
    expect(() => other.hub.store()).toThrow(/update the plugin/);
    expect(existsSync(databaseFile(hub.stateDir))).toBe(true);
  });

  it("is shared by two processes' connections", async () => {
    const one = lab();
    const two = lab({}, one.hub.stateDir);
    const { id } = await one.hub.backend(one.config).save(item("任务", "内容一"), AGENT);
    await two.hub.backend(two.config).save(item("任务二", "内容二"), AGENT);
    expect(two.hub.store().get(id)?.record.content).toBe("内容一");
    expect(one.hub.store().list({ origin: "" }, 1, 10).total).toBe(2);
  });
});

describe("searching", () => {
  it("filters by score, all types, any owner, and never shows what is hidden", async () => {
    const { hub, config } = lab();
    const backend = hub.backend(config);
    const a = await backend.save(
      item("部署 甲", "部署前跑测试", { types: ["plan", "tool"], score: 5 }),
      AGENT,
    );
    const b = await backend.save(item("部署 乙", "部署后看监控", { types: ["plan"], score: 2 }), {
      ...AGENT,
      agentId: "other",
    });
    const ids = async (more: object) =>
      (await backend.search({ ...search("部署"), ...more })).items.map((i) => i.record.id).sort();
    expect(await ids({})).toEqual([a.id, b.id].sort());
    expect(await ids({ minScore: 3 })).toEqual([a.id]);
    expect(await ids({ types: ["plan", "tool"] })).toEqual([a.id]);
    expect(await ids({ owners: ["agent:other", "agent:x"] })).toEqual([b.id]);
    const stored = hub.store().get(a.id);
    if (!stored) throw new Error("lost");
    hub.parts(config).curator.verify(stored, "reject", { name: "human", here: true }, 1);
    expect(await ids({})).toEqual([b.id]);
  });

  it("finds a single CJK character, full-width and invisible-character variants, and treats operators as text", async () => {
    const { hub, config } = lab();
    const backend = hub.backend(config);
    const { id } = await backend.save(item("Ｒｅｄｉｓ 缓存", "热点键加互斥锁，猫"), AGENT);
    for (const query of [
      "猫",
      "redis",
      "ＲＥＤＩＳ",
      "热\u200b点键",
      'redis" OR "x',
      "NEAR(redis) AND *",
      "缓存-锁",
    ]) {
      expect((await backend.search(search(query))).items.map((i) => i.record.id)).toEqual([id]);
    }
    for (const query of ["%", "'; DROP TABLE knowledge; --x", "🎉", "\u0000"]) {
      expect((await backend.search(search(query))).items).toEqual([]);
    }
  });

  it("survives any text as item and as query", () => {
    const { hub } = lab();
    const store = hub.store();
    let n = 0;
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", minLength: 1, maxLength: 60 }),
        fc.string({ unit: "binary", maxLength: 60 }),
        (text, query) => {
          n += 1;
          store.insert(
            recordSchema.parse({ id: `k${n}`, task: text, content: text, types: [text.slice(0, 20)] }),
            { origin: "", trust: "own", now: 1 },
          );
          store.search(query, 5, { origin: "" }, 1);
          expect(store.get(`k${n}`)?.record.content).toBe(text);
        },
      ),
      { numRuns: 200 },
    );
  });

  it("follows changes and deletions of the text", async () => {
    const { hub, config } = lab();
    const { id } = await hub.backend(config).save(item("任务", "关于苹果的经验"), AGENT);
    const store = hub.store();
    const stored = store.get(id);
    if (!stored) throw new Error("lost");
    revise(store, stored, { content: "关于香蕉的经验" }, { author: "t", reason: "r", now: 2 });
    const count = (query: string) => store.search(query, 5, { origin: "" }, 2).length;
    expect([count("香蕉"), store.search("苹果", 5, { origin: "" }, 2).length]).toEqual([1, 0]);
    store.delete(id);
    expect(count("香蕉")).toBe(0);
  });

  it("prefers what helped and what is new among equals", async () => {
    const { hub } = lab();
    const store = hub.store();
    for (const id of ["a", "b", "c"]) {
      store.insert(
        recordSchema.parse({
          id,
          task: "缓存",
          content: "缓存经验",
          types: [],
          created_at: "2026-01-01T00:00:00Z",
          updated_at: id === "c" ? "2020-01-01T00:00:00Z" : "2026-01-01T00:00:00Z",
        }),
        { origin: "", trust: "own", now: 1 },
      );
    }
    const now = Date.parse("2026-01-01T00:00:00Z");
    const b = store.get("b");
    if (!b) throw new Error("lost");
    recordVote(store, b, { helpful: true, session: "s", voter: "v", kind: "human", note: "" }, now);
    expect(store.search("缓存", 5, { origin: "" }, now).map((h) => h.item.record.id)).toEqual([
      "b",
      "a",
      "c",
    ]);
    expect(ageFactor(0, 100 * 365 * DAY)).toBeCloseTo(0.85);
  });

  it("fuses rankings by reciprocal rank", () => {
    const fused = reciprocalRankFusion([
      [1, 2, 3],
      [3, 1],
    ]);
    expect([...fused].sort((a, b) => b[1] - a[1]).map(([row]) => row)).toEqual([1, 3, 2]);
  });
});

describe("saving", () => {
  it("keeps one of two that certainly say the same, reports the others with their relation", async () => {
    const { hub, config } = lab();
    const backend = hub.backend(config);
    const first = await backend.save(item("请求超时", "请求超时设为 30s，避免线程耗尽"), AGENT);
    expect(await backend.save(item("请求超时", "请求超时设为 ３０s，避免线程耗尽。"), AGENT)).toMatchObject({
      state: "merged",
      id: first.id,
    });
    const conflict = await backend.save(item("请求超时", "请求超时设为 60s，避免线程耗尽"), AGENT);
    expect(conflict).toMatchObject({
      state: "saved",
      neighbours: [{ relation: "conflict", record: { id: first.id } }],
    });
  });
});

describe("votes", () => {
  const vote = (session: string, helpful: boolean) => ({
    helpful,
    session,
    voter: "main",
    kind: "agent" as const,
    note: "n",
  });

  it("count once an item and session; the mean is (h+1)/(h+m+2)", async () => {
    const { hub, config } = lab();
    const { id } = await hub.backend(config).save(item("任务", "内容"), AGENT);
    const store = hub.store();
    const get = () => store.get(id) ?? expect.unreachable();
    expect(recordVote(store, get(), vote("a", true), 1)).toMatchObject({ replaced: false });
    expect(recordVote(store, get(), vote("a", true), 1)).toMatchObject({
      replaced: true,
      item: { record: { eval: { helpful: 1, harmful: 0 } } },
    });
    expect(recordVote(store, get(), vote("a", false), 1)).toMatchObject({
      replaced: true,
      item: { record: { eval: { helpful: 0, harmful: 1 } } },
    });
    expect(get().belief).toBeCloseTo(betaMean(0, 1));
    expect(get().record.eval.harmful_history.at(-1)).toMatchObject({
      by: "agent",
      session_key: "a",
      outcome: "无效",
    });
  });

  it("fade, and repeated harm takes an item out until a person clears it", async () => {
    const { hub, config } = lab();
    const backend = hub.backend(config);
    const { id } = await backend.save(item("任务", "有害的内容"), AGENT);
    const store = hub.store();
    const get = () => store.get(id) ?? expect.unreachable();
    for (const session of ["a", "b"])
      expect(recordVote(store, get(), vote(session, false), 1).quarantined).toBe(false);
    expect(recordVote(store, get(), vote("c", false), 1).quarantined).toBe(true);
    expect((await backend.search(search("有害"))).items).toEqual([]);
    refreshBeliefs(store, 1 + 720 * DAY);
    expect(get().belief).toBeGreaterThan(0.4);
    hub.parts(config).curator.verify(get(), "approve", { name: "human", here: true }, 10);
    expect((await backend.search(search("有害"))).items).toHaveLength(1);
    expect(recordVote(store, get(), vote("d", false), 20).quarantined).toBe(false);
  });

  it("keep counters equal to the votes, whatever their order", () => {
    const { hub } = lab();
    const store = hub.store();
    let n = 0;
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom("a", "b", "c"), fc.boolean()), { maxLength: 12 }),
        (votes) => {
          n += 1;
          store.insert(recordSchema.parse({ id: `v${n}`, task: "t", content: "c", types: [] }), {
            origin: "",
            trust: "own",
            now: 1,
          });
          const last = new Map<string, boolean>();
          for (const [session, helpful] of votes) {
            recordVote(store, store.get(`v${n}`) ?? expect.unreachable(), vote(session, helpful), 1);
            last.set(session, helpful);
          }
          const { eval: evaluation } = (store.get(`v${n}`) ?? expect.unreachable()).record;
          const helpful = [...last.values()].filter(Boolean).length;
          expect([evaluation.helpful, evaluation.harmful]).toEqual([helpful, last.size - helpful]);
        },
      ),
      { numRuns: 50 },
    );
  });
});

it("revisions keep every wording and can be undone, also the undoing", async () => {
  const { hub, config } = lab();
  const { id } = await hub.backend(config).save(item("任务", "第一版"), AGENT);
  const store = hub.store();
  const get = () => store.get(id) ?? expect.unreachable();
  revise(store, get(), { content: "第二版" }, { author: "a", reason: "更好", now: 2 });
  expect(undoRevision(store, get(), { author: "b", now: 3 })?.record.content).toBe("第一版");
  expect(undoRevision(store, get(), { author: "b", now: 4 })?.record.content).toBe("第二版");
  expect(revisions(store, id).map((r) => r.content)).toEqual(["第一版", "第二版", "第一版"]);
});

it("upkeep forgets old bookkeeping, never knowledge", async () => {
  const { hub, config } = lab();
  const { id } = await hub.backend(config).save(item("任务", "内容"), AGENT);
  const { db } = hub.store();
  db.prepare(
    "INSERT INTO sessions (session, calls, noticed, updated_at) VALUES ('old', 1, 1, 0), ('new', 1, 1, ?)",
  ).run(400 * DAY);
  db.prepare("INSERT INTO answers (key, request, status, body, at) VALUES ('k', 'r', 200, '{}', 0)").run();
  expect(prune(db, 400 * DAY)).toBe(2);
  expect(db.prepare("SELECT session FROM sessions").all()).toEqual([{ session: "new" }]);
  expect(hub.store().get(id)?.record.content).toBe("内容");
});
