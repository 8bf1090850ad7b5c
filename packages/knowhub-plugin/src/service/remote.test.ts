import { describe, expect, it, vi } from "vitest";
import { AGENT, item, json, lab, temporaryFolder, testServer, until } from "../testing/lab.ts";
import { KnowledgeError } from "./backend.ts";
import { KnowHub } from "./knowhub.ts";

// Servers, files and properties: a busy machine needs longer than the default.
vi.setConfig({ testTimeout: 30_000 });

const RECORD = {
  id: "knowledge-20260101-abcd",
  task: "远程知识",
  content: "服务器上的经验",
  types: ["tool"],
  eval: { score: 4, helpful: 2, harmful: 0 },
  source: { name: "docs", urls: ["https://example.com"] },
  created_at: "2026-01-01T00:00:00Z",
};
const QUERY = { query: "远程知识", topK: 5, minScore: 3 };

it("a clock that was set back does not hold up what waits", () => {
  const { hub, config } = lab();
  const { outbox } = hub.parts(config);
  const year = 31_536_000_000;
  const made = {
    origin: "x",
    kind: "save",
    method: "POST",
    path: "/p",
    body: "{}",
    localId: undefined,
  } as const;
  const job = outbox.add(made, year);
  expect(outbox.lease(job.seq, year)).toBe(true);
  outbox.postpone(job, "down", year + 300_000);
  expect(outbox.nextDue("x", 0)?.seq).toBe(job.seq);
  expect(outbox.lease(job.seq, 0)).toBe(true);
  expect(outbox.lease(job.seq, 1)).toBe(false);
  outbox.postpone(job, "down", 300_000);
  expect(outbox.nextDue("x", 1)).toBeUndefined();
  expect(outbox.nextDue("x", 300_000)?.seq).toBe(job.seq);
});

describe("a knowledge server", () => {
  it("is asked as the contract says, with the key", async () => {
    const server = await testServer((_req, res) =>
      json(res, 200, { results: [RECORD], count: 1, reranked: false }),
    );
    const { hub, config } = lab({ apiUrl: server.url, apiKey: "k-1" });
    const outcome = await hub
      .backend(config)
      .search({ ...QUERY, types: ["tool", "plan"], owners: ["agent:a", "agent:b"] });
    expect(outcome.items[0]).toMatchObject({
      trust: "remote",
      record: { id: RECORD.id, source: { name: "docs", category: "exp" } },
    });
    const url = new URL(server.requests[0]?.path ?? "", server.url);
    expect(url.pathname).toBe("/api/knowledge/search");
    expect(Object.fromEntries(url.searchParams)).toEqual({
      q: "远程知识",
      top_k: "5",
      min_score: "3",
      types: "tool,plan",
      owner: "agent:a,agent:b",
    });
    expect(server.requests[0]?.headers.authorization).toBe("Bearer k-1");
  });

  it("gets score in both places and an idempotency key, and a save is reported as pending", async () => {
    const server = await testServer((_req, res) =>
      json(res, 200, { id: "knowledge-20260101-zzzz", status: "pending" }),
    );
    const { hub, config } = lab({ apiUrl: server.url, submittedBy: "me@example.com" });
    expect(await hub.backend(config).save(item("任务", "内容"), AGENT)).toMatchObject({
      id: "knowledge-20260101-zzzz",
      state: "pending",
    });
    const body = JSON.parse(server.requests[0]?.body ?? "{}") as Record<string, unknown>;
    expect(body).toMatchObject({
      score: 4,
      eval: { score: 4 },
      owner: "agent:main",
      source: { category: "exp", agent_id: "main", submitted_by: "me@example.com" },
    });
    expect(body).not.toHaveProperty("id");
    expect(server.requests[0]?.headers["idempotency-key"]).toMatch(/^[0-9a-f-]{36}$/);
    expect(hub.parts(config).outbox.depth()).toEqual({ waiting: 0, refused: 0 });
  });

  it("gets what a session saves twice only once, delivered or still waiting", async () => {
    const server = await testServer((_req, res) => json(res, 200, { id: "knowledge-20260101-zzzz" }));
    const { hub, config } = lab({ apiUrl: server.url });
    const backend = hub.backend(config);
    await backend.save(item("任务", "内容"), AGENT);
    expect(await backend.save(item("任务", "内容。".slice(0, 2)), AGENT)).toMatchObject({
      state: "merged",
      id: "knowledge-20260101-zzzz",
    });
    expect(server.requests).toHaveLength(1);
    await server.stop();
    const first = await backend.save(item("任务二", "内容"), AGENT);
    expect(await backend.save(item("任务二", "内容"), AGENT)).toMatchObject({
      state: "queued",
      id: first.id,
    });
    expect((await backend.save(item("任务二", "内容"), { ...AGENT, session: "other" })).id).not.toBe(
      first.id,
    );
    expect(hub.parts(config).outbox.depth().waiting).toBe(2);
  });

  it("never gets a secret that an agent put into what it saves", async () => {
    const server = await testServer((_req, res) => json(res, 200, { id: "knowledge-20260101-zzzz" }));
    const { hub, config } = lab({ apiUrl: server.url });
    const secret = ["hunter", "2", "correct", "horse"].join("-");
    const outcome = await hub.backend(config).save(item("连接数据库", `export DB_PASSWORD=${secret}`), AGENT);
    expect(server.requests[0]?.body).toContain("DB_PASSWORD");
    expect(server.requests[0]?.body).not.toContain(secret);
    expect(outcome.notices[0]?.zh).toContain("移除了 1 处密钥");
  });

  it("answers from copies, with their age, while it is down", async () => {
    const server = await testServer((_req, res) => json(res, 200, { results: [RECORD], count: 1 }));
    const { hub, config } = lab({ apiUrl: server.url });
    const backend = hub.backend(config);
    await backend.search(QUERY);
    await server.stop();
    const outcome = await backend.search(QUERY);
    expect(outcome.items[0]).toMatchObject({ record: { id: RECORD.id } });
    expect(outcome.items[0]?.staleMs).toBeGreaterThanOrEqual(0);
    expect(outcome.notices[0]?.zh).toContain("无法连接");
  });

  it("leaves out results that are no records, keeps the good ones", async () => {
    const server = await testServer((_req, res) =>
      json(res, 200, { results: [{ nonsense: 1 }, RECORD, null, { ...RECORD, id: "x", content: 5 }] }),
    );
    const { hub, config, logs } = lab({ apiUrl: server.url });
    expect((await hub.backend(config).search(QUERY)).items.map((i) => i.record.id)).toEqual([RECORD.id]);
    expect(logs.join()).toContain("3 results");
  });
});

describe("a server that misbehaves", () => {
  it.each([
    [401, "apiKey"],
    [403, "apiKey"],
    [429, "429"],
    [500, "500"],
    [503, "503"],
  ])("%i: the search answers from copies and says why", async (status, word) => {
    const server = await testServer((_req, res) => json(res, status, {}, { "retry-after": "1" }));
    const { hub, config } = lab({ apiUrl: server.url });
    const outcome = await hub.backend(config).search(QUERY);
    expect(outcome.items).toEqual([]);
    expect(outcome.notices[0]?.en).toContain(word);
  });

  it.each([401, 429, 500])("%i: a save waits in the outbox", async (status) => {
    const server = await testServer((_req, res) => json(res, status, {}));
    const { hub, config } = lab({ apiUrl: server.url });
    expect(await hub.backend(config).save(item("任务", "内容"), AGENT)).toMatchObject({ state: "queued" });
    expect(hub.parts(config).outbox.depth()).toEqual({ waiting: 1, refused: 0 });
  });

  it("413: the agent is told to shorten it, the text is kept for a person", async () => {
    const server = await testServer((_req, res) => json(res, 413, {}));
    const { hub, config } = lab({ apiUrl: server.url });
    await expect(hub.backend(config).save(item("任务", "内容"), AGENT)).rejects.toThrow(/too long/);
    expect(hub.parts(config).outbox.depth()).toEqual({ waiting: 0, refused: 1 });
  });

  it("HTML instead of JSON", async () => {
    const server = await testServer(
      (_req, res) => void res.writeHead(200, { "content-type": "text/html" }).end("<html>login</html>"),
    );
    const { hub, config } = lab({ apiUrl: server.url });
    expect((await hub.backend(config).search(QUERY)).notices[0]?.en).toContain("did not answer with JSON");
  });

  it("JSON of something else", async () => {
    const server = await testServer((_req, res) => json(res, 200, { hello: "world" }));
    const { hub, config } = lab({ apiUrl: server.url });
    expect((await hub.backend(config).search(QUERY)).notices[0]?.en).toContain(
      "did not answer like a knowledge server",
    );
  });

  it("a redirect to another host is not followed: neither key nor text go there", async () => {
    const thief = await testServer((_req, res) => json(res, 200, { results: [] }));
    const server = await testServer(
      (_req, res) => void res.writeHead(307, { location: `${thief.url}/api/knowledge/search` }).end(),
    );
    const { hub, config } = lab({ apiUrl: server.url, apiKey: "k-1" });
    const backend = hub.backend(config);
    expect((await backend.search(QUERY)).notices[0]?.en).toContain(`redirects to ${thief.url}`);
    expect(await backend.save(item("任务", "内容"), AGENT)).toMatchObject({ state: "queued" });
    expect(thief.requests).toEqual([]);
  });

  it("slow-loris: headers at once, the body a byte at a time", async () => {
    const server = await testServer((_req, res) => {
      res.writeHead(200, { "content-type": "application/json" });
      const timer = setInterval(() => res.write(" "), 100);
      res.on("close", () => clearInterval(timer));
    });
    const { hub, config } = lab({ apiUrl: server.url, searchDeadlineMs: 400 });
    const at = performance.now();
    expect((await hub.backend(config).search(QUERY)).notices[0]?.en).toContain(
      "did not answer within 400 ms",
    );
    // The server never ends its answer: any end is the deadline's.
    expect(performance.now() - at).toBeLessThan(3_000);
  });

  it("an endless answer is cut off", async () => {
    const server = await testServer((_req, res) => {
      res.writeHead(200, { "content-type": "application/json" });
      const chunk = "x".repeat(1 << 20);
      const more = () => {
        while (!res.destroyed && res.write(chunk));
      };
      res.on("drain", more);
      more();
    });
    const { hub, config } = lab({ apiUrl: server.url, searchDeadlineMs: 10_000 });
    expect((await hub.backend(config).search(QUERY)).notices[0]?.en).toContain("too long");
  });

  it("errors never hold the key", async () => {
    const server = await testServer((_req, res) => json(res, 401, {}));
    const key = ["se", "cret", "-key"].join("");
    const { hub, config, logs } = lab({ apiUrl: server.url, apiKey: key });
    const outcome = await hub.backend(config).search(QUERY);
    expect(JSON.stringify([outcome, logs])).not.toContain(key);
  });
});

describe("the outbox", () => {
  it("delivers 200 saves made while the server was down, each once, though the process died in between", async () => {
    const seen = new Map<string, string>();
    let duplicates = 0;
    const server = await testServer((req, res, body) => {
      if (req.method === "GET") return json(res, 200, { results: [], count: 0 });
      const key = String(req.headers["idempotency-key"]);
      // The answer to every twentieth request is lost after the work was done.
      const lost = !seen.has(key) && seen.size % 20 === 19;
      if (seen.has(key)) duplicates += 1;
      else seen.set(key, (JSON.parse(body) as { task: string }).task);
      if (lost) return void res.destroy();
      return json(res, 200, { id: `knowledge-20260101-${[...seen.keys()].indexOf(key)}` });
    });
    await server.stop();
    const stateDir = temporaryFolder();
    const first = lab({ apiUrl: server.url }, stateDir);
    const backend = first.hub.backend(first.config);
    const times: number[] = [];
    for (let i = 0; i < 200; i += 1) {
      const at = performance.now();
      expect((await backend.save(item(`任务 ${i}`, `第 ${i} 条`), AGENT)).state).toBe("queued");
      times.push(performance.now() - at);
    }
    expect(times.toSorted((a, b) => a - b)[100]).toBeLessThan(50);
    expect(first.hub.parts(first.config).outbox.depth().waiting).toBe(200);
    // The first process is never stopped in order: a second one opens the same file, as after a kill.
    await server.start();
    const second = new KnowHub(stateDir, { info() {}, warn() {} });
    await second.start(first.config);
    try {
      await until("all delivered", () => second.parts(first.config).outbox.depth().waiting === 0, 60_000);
    } finally {
      await second.stop();
    }
    expect(new Set(seen.values()).size).toBe(200);
    expect(seen.size).toBe(200);
    expect(duplicates).toBeGreaterThan(0);
  }, 90_000);

  it("sends feedback on an item that is still in the outbox to the ID it gets", async () => {
    const server = await testServer((req, res) =>
      json(res, 200, req.method === "POST" ? { id: "knowledge-20260101-real" } : { results: [] }),
    );
    await server.stop();
    const { hub, config } = lab({ apiUrl: server.url });
    const backend = hub.backend(config);
    const { id } = await backend.save(item("任务", "内容"), AGENT);
    expect((await backend.feedback({ id, helpful: true, feedback: "好用" }, AGENT)).state).toBe("queued");
    await server.start();
    await hub.start(config);
    await until("delivered", () => hub.parts(config).outbox.depth().waiting === 0);
    const put = server.requests.find((r) => r.method === "PUT");
    expect(put?.path).toBe("/api/knowledge/knowledge-20260101-real");
    expect(JSON.parse(put?.body ?? "{}")).toMatchObject({
      add_helpful_case: { task: "好用", outcome: "有效", by: "agent" },
    });
  });

  it("says that an item is unknown to the server", async () => {
    const server = await testServer((_req, res) => json(res, 404, {}));
    const { hub, config } = lab({ apiUrl: server.url });
    const error = await hub
      .backend(config)
      .feedback({ id: "nope", helpful: true }, AGENT)
      .catch((e: unknown) => e);
    expect(error).toBeInstanceOf(KnowledgeError);
    expect((error as KnowledgeError).notice.zh).toContain("没有 ID 为 nope 的知识");
    expect(hub.parts(config).outbox.depth()).toEqual({ waiting: 0, refused: 0 });
  });
});
