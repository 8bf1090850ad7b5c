import { statSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { AGENT, item, type Lab, lab, until } from "../testing/lab.ts";
import type { ServedKnowledge } from "./http-server.ts";
import { serveToken, tokenFile } from "./token.ts";

// Servers, files and properties: a busy machine needs longer than the default.
vi.setConfig({ testTimeout: 30_000 });

interface Served extends Lab {
  served: ServedKnowledge;
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; body: Record<string, unknown> & { results?: Record<string, unknown>[] } }>;
}

async function serve(settings: Record<string, unknown> = {}): Promise<Served> {
  const made = lab(settings);
  const served = await made.hub.serve(made.config, 0);
  onTestFinished(() => served.close());
  const token = serveToken(made.hub.stateDir);
  return {
    ...made,
    served,
    async call(method, path, body, headers = {}) {
      const response = await fetch(served.url + path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { "content-type": "application/json" }),
          ...headers,
        },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    },
  };
}

function nested(depth: number): object {
  let value: object = {};
  for (let i = 0; i < depth; i += 1) value = { a: value };
  return value;
}

const NEW = {
  task: "部署",
  content: "部署前先跑测试",
  types: ["plan"],
  score: 4,
  eval: { score: 4 },
  owner: "agent:a",
};

describe("the served wire contract", () => {
  it("saves as pending, finds, lists, patches, verifies and deletes", async () => {
    const { call } = await serve();
    const saved = await call("POST", "/api/knowledge", NEW);
    expect(saved).toMatchObject({ status: 200, body: { status: "pending" } });
    const id = String(saved.body.id);
    expect(id).toMatch(/^knowledge-\d{8}-[0-9a-z]{4}$/);
    const found = await call(
      "GET",
      "/api/knowledge/search?q=%E9%83%A8%E7%BD%B2%E6%B5%8B%E8%AF%95&top_k=5&min_score=3&types=plan&owner=agent:a,agent:b",
    );
    expect(found.body).toMatchObject({
      count: 1,
      reranked: false,
      results: [{ id, quality_score: 4, owner: "agent:a", source: { category: "exp" } }],
    });
    expect((await call("GET", "/api/knowledge/search?q=%E9%83%A8%E7%BD%B2&types=plan,tool")).body.count).toBe(
      0,
    );
    expect((await call("GET", "/api/knowledge/search?q=%E9%83%A8%E7%BD%B2&owner=agent:z")).body.count).toBe(
      0,
    );
    expect(
      (
        await call(
          "GET",
          "/api/knowledge?page=1&page_size=10&types=plan&scopes=org:openclaw&owner=agent:a&status=pending",
        )
      ).body,
    ).toMatchObject({ total: 1 });
    expect(
      (
        await call("PUT", `/api/knowledge/${id}`, {
          add_helpful_case: { task: "ok", outcome: "有效", session_key: "s1" },
        })
      ).body,
    ).toMatchObject({ quality_score: 5 });
    // One vote an item and session.
    expect(
      (
        await call("PUT", `/api/knowledge/${id}`, {
          add_helpful_case: { task: "again", outcome: "有效", session_key: "s1" },
        })
      ).body,
    ).toMatchObject({ quality_score: 5 });
    expect((await call("PUT", `/api/knowledge/${id}`, { update_score: 5 })).body).toMatchObject({
      eval: { score: 5 },
    });
    expect(
      (await call("PATCH", `/api/knowledge/${id}`, { content: "部署前先跑全部测试" })).body,
    ).toMatchObject({ revision: 2, content: "部署前先跑全部测试" });
    expect(
      (await call("POST", `/api/knowledge/${id}/verify`, { action: "approve", verified_by: "howard" })).body,
    ).toMatchObject({ status: "approved", trust: "wire" });
    expect(
      (await call("POST", "/api/knowledge/batch_verify", { knowledge_ids: [id, "nope"], action: "reject" }))
        .body,
    ).toMatchObject({ ids: [id], failed: [{ id: "nope" }] });
    expect((await call("GET", "/api/knowledge/search?q=%E9%83%A8%E7%BD%B2")).body.count).toBe(0);
    expect(
      (
        await call("POST", "/api/knowledge/batch_update", {
          feedback_list: [{ knowledge_id: id, is_effective: false, feedback: "坏" }],
        })
      ).body,
    ).toMatchObject({ updated: [id] });
    expect((await call("POST", "/api/knowledge/slim")).body).toMatchObject({ before: 1, after: 1 });
    expect((await call("POST", "/api/knowledge/batch_delete", { knowledge_ids: [id] })).body).toMatchObject({
      ids: [id],
    });
    expect((await call("GET", `/api/knowledge/${id}`)).status).toBe(404);
  });

  it("does a request with a key once and answers it the same again", async () => {
    const { call } = await serve();
    const headers = { "idempotency-key": "key-1" };
    const first = await call("POST", "/api/knowledge", NEW, headers);
    expect(await call("POST", "/api/knowledge", NEW, headers)).toEqual(first);
    expect((await call("POST", "/api/knowledge", { ...NEW, task: "other" }, headers)).status).toBe(422);
    expect((await call("GET", "/api/knowledge")).body.total).toBe(1);
  });

  it("an agent cannot make its own items trusted by verifying them", async () => {
    const { call } = await serve();
    const { body } = await call("POST", "/api/knowledge", NEW);
    expect(
      (await call("POST", `/api/knowledge/${body.id}/verify`, { verified_by: "agent:main" })).body,
    ).toMatchObject({ status: "approved", trust: "wire" });
  });

  it("another plugin can use it as its server", async () => {
    const { served, hub } = await serve();
    const client = lab({ apiUrl: served.url, apiKey: serveToken(hub.stateDir) });
    const backend = client.hub.backend(client.config);
    const saved = await backend.save(item("远程保存", "从另一台机器保存的经验"), AGENT);
    expect(saved.state).toBe("pending");
    expect((await backend.search({ query: "远程保存", topK: 5, minScore: 3 })).items[0]?.record.id).toBe(
      saved.id,
    );
    const voted = await backend.feedback({ id: saved.id, helpful: true }, AGENT);
    expect(voted.record?.quality_score).toBe(5);
    expect((await backend.feedback({ id: saved.id, helpful: true }, AGENT)).record?.quality_score).toBe(5);
  });

  it("evolve_feedback writes a new revision with the user's model, keeps the feedback without one", async () => {
    const { call, hub, config } = await serve();
    const { body } = await call("POST", "/api/knowledge", NEW);
    const path = `/api/knowledge/${body.id}`;
    expect((await call("PUT", path, { evolve_feedback: "还要检查覆盖率" })).body.evolution).toEqual({
      state: "kept",
      reason: "no model is available",
    });
    hub.complete = async () => 'Sure: ```json\n{"task":"部署","content":"部署前先跑测试并检查覆盖率"}\n```';
    hub.parts(config).curator.complete = hub.complete;
    const evolved = (await call("PUT", path, { evolve_feedback: "覆盖率要到 80%" })).body;
    expect(evolved).toMatchObject({
      revision: 2,
      content: "部署前先跑测试并检查覆盖率",
      evolution: { state: "revised" },
    });
    expect(JSON.stringify(evolved.evolution)).toContain("{+");
    hub.parts(config).curator.complete = async () => '{"task":"coffee","content":"brew at 92 degrees"}';
    expect((await call("PUT", path, { evolve_feedback: "x" })).body).toMatchObject({
      revision: 2,
      evolution: { state: "kept" },
    });
  });
});

it("the gateway serves when the setting says so, and goes on when the port is taken", async () => {
  const { served } = await serve();
  const busy = lab({ serve: { enabled: true, port: served.port } });
  await busy.hub.start(busy.config);
  expect(busy.logs.join()).toContain("is taken");
  await served.close();
  const free = lab({ serve: { enabled: true, port: served.port } });
  await free.hub.start(free.config);
  const response = await fetch(`http://127.0.0.1:${served.port}/api/knowledge`, {
    headers: { authorization: `Bearer ${serveToken(free.hub.stateDir)}` },
  });
  expect(response.status).toBe(200);
  await free.hub.stop();
  await expect(fetch(`http://127.0.0.1:${served.port}/api/knowledge`)).rejects.toThrow();
});

it("feedback that waited for a model is used when the gateway has one", async () => {
  const { hub, config } = lab();
  const { id } = await hub.backend(config).save(item("部署", "部署前先跑测试"), AGENT);
  const { curator } = hub.parts(config);
  expect(await curator.evolve(id, "还要检查覆盖率", "wire", 1)).toMatchObject({ state: "kept" });
  hub.complete = async () => '{"task":"部署","content":"部署前先跑测试并检查覆盖率"}';
  await hub.start(config);
  await until("rewritten", () => hub.store().get(id)?.revision === 2);
  expect(hub.store().get(id)?.record.content).toBe("部署前先跑测试并检查覆盖率");
});

describe("who may ask", () => {
  it("keeps its token in a private file", async () => {
    const { hub } = await serve();
    expect(statSync(tokenFile(hub.stateDir)).mode & 0o777).toBe(0o600);
  });

  it.each([
    ["no token", { authorization: "" }, 401],
    ["a wrong token", { authorization: "Bearer nope" }, 401],
    ["a web page's origin", { origin: "https://evil.example" }, 403],
    ["even a loopback origin", { origin: "http://127.0.0.1:3000" }, 403],
    ["a cross-site fetch", { "sec-fetch-site": "cross-site" }, 403],
  ])("refuses %s", async (_name, headers, status) => {
    const { call } = await serve();
    const answer = await call("GET", "/api/knowledge", undefined, headers as Record<string, string>);
    expect(answer.status).toBe(status);
  });

  it("refuses a foreign Host (DNS rebinding) and allows nothing by CORS", async () => {
    const { served, hub } = await serve();
    const ask = (headers: Record<string, string>) =>
      new Promise<{ status: number; headers: NodeJS.Dict<string | string[]> }>((resolve, reject) => {
        const req = httpRequest(
          { port: served.port, host: "127.0.0.1", path: "/api/knowledge", headers },
          (res) => {
            res.resume();
            resolve({ status: res.statusCode ?? 0, headers: res.headers });
          },
        );
        req.once("error", reject).end();
      });
    const authorization = `Bearer ${serveToken(hub.stateDir)}`;
    expect((await ask({ host: "evil.example", authorization })).status).toBe(403);
    const good = await ask({ authorization });
    expect(good.status).toBe(200);
    expect(Object.keys(good.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  it.each([
    ["a body that is too long", "POST", "/api/knowledge", { ...NEW, content: "x".repeat(10 << 20) }, 413],
    ["content that is too long", "POST", "/api/knowledge", { ...NEW, content: "x".repeat(200_000) }, 422],
    ["a record without content", "POST", "/api/knowledge", { task: "x", types: ["a"] }, 422],
    ["an unknown update", "PUT", "/api/knowledge/x", { drop_table: 1 }, 422],
    ["an empty query", "GET", "/api/knowledge/search?q=", undefined, 422],
    ["a number that is none", "GET", "/api/knowledge/search?q=a&top_k=many", undefined, 422],
    ["an unknown path", "GET", "/api/users", undefined, 404],
    ["a broken ID", "GET", "/api/knowledge/%E0%A4%A", undefined, 400],
  ])("answers %s clearly", async (_name, method, path, body, status) => {
    const { call } = await serve();
    const answer = await call(method, path, body).catch((error: unknown) => ({
      status: 413,
      body: { error: String(error) },
    }));
    expect(answer.status).toBe(status);
    expect(answer.body.error).toBeTypeOf("string");
  });

  it("refuses what a form on a web page could send", async () => {
    const { call } = await serve();
    expect((await call("POST", "/api/knowledge", NEW, { "content-type": "text/plain" })).status).toBe(415);
  });

  it("answers 413 to a client that is still sending, with and without a length", async () => {
    const { served, hub } = await serve();
    const token = serveToken(hub.stateDir);
    for (const headers of [{ "content-length": String(9_000_000) }, { "transfer-encoding": "chunked" }]) {
      const status = await new Promise<number | undefined>((resolve, reject) => {
        const req = httpRequest(
          `${served.url}/api/knowledge`,
          {
            method: "POST",
            headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
          },
          (res) => {
            res.resume();
            resolve(res.statusCode);
          },
        );
        req.on("error", reject);
        req.end(Buffer.alloc(9_000_000, 0x61));
      });
      expect(status).toBe(413);
    }
    const remote = lab({ apiUrl: served.url });
    const client = remote.hub.parts(remote.config).remote?.client;
    const reply = await client?.request({
      method: "POST",
      path: "/api/knowledge",
      body: "x".repeat(9_000_000),
      deadlineMs: 20_000,
    });
    // Without the key it is 401, and that arrives as well.
    expect(reply).toMatchObject({ ok: false, kind: "unauthorized" });
  });

  it.each([
    ["GET", "/api/knowledge?page_size=1.5", undefined, 422],
    ["GET", "/api/knowledge?page=1e300", undefined, 422],
    ["GET", "/api/knowledge/search?q=a&top_k=2.5", undefined, 422],
    ["GET", "/api/knowledge/search?q=a&min_score=NaN", undefined, 422],
    ["GET", "/api/knowledge/search?q=a&min_score=2.5", undefined, 200],
    ["GET", "/api/knowledge/%2e%2e%2f%2e%2e%2fetc%2fpasswd", undefined, 404],
    ["GET", "/api/knowledge/%ff", undefined, 400],
    ["POST", "/api/knowledge", { ...NEW, tags: nested(1_000) }, 422],
    ["POST", "/api/knowledge", [], 422],
    ["POST", "/api/knowledge", null, 422],
  ] as const)("%s %s is answered, never a fault", async (method, target, body, status) => {
    const { call, logs } = await serve();
    expect((await call(method, target, body)).status).toBe(status);
    expect(logs).toEqual([]);
  });

  it("a path that is no URL is refused", async () => {
    const { served, hub } = await serve();
    const status = await new Promise((resolve, reject) => {
      httpRequest(
        {
          port: served.port,
          host: "127.0.0.1",
          path: "//",
          headers: { authorization: `Bearer ${serveToken(hub.stateDir)}` },
        },
        (res) => {
          res.resume();
          resolve(res.statusCode);
        },
      )
        .on("error", reject)
        .end();
    });
    expect(status).toBe(400);
  });

  it("says what to do when the port is taken", async () => {
    const { served, hub, config } = await serve();
    await expect(hub.serve(config, served.port)).rejects.toThrow(/is taken; choose another/);
  });
});
