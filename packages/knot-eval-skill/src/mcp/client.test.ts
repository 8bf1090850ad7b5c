import { afterEach, describe, expect, it } from "vitest";
import { kbMcpSchema } from "../config/schema.ts";
import { closeIdleConnections } from "../net/http.ts";
import { type FakeMcp, type FakeMcpOptions, startFakeMcp } from "../testing/fake-mcp.ts";
import { HANDBOOK } from "../testing/handbook.ts";
import { McpClient, searchArguments } from "./client.ts";

let server: FakeMcp | undefined;

afterEach(async () => {
  closeIdleConnections();
  await server?.close();
  server = undefined;
});

const TOKEN = ["mcp", "unit", "token"].join("-");

async function start(options: Partial<FakeMcpOptions> = {}): Promise<FakeMcp> {
  server = await startFakeMcp({
    documents: HANDBOOK.map((entry) => entry.document),
    token: TOKEN,
    knowledgeUuid: "kb",
    ...options,
  });
  return server;
}

function client(url: string, overrides: Record<string, unknown> = {}, token = TOKEN): McpClient {
  const config = kbMcpSchema.parse({ url, api_token_env: "T", knowledge_uuid: "kb", ...overrides });
  return new McpClient({
    config,
    token,
    clientVersion: "0",
    retries: { max: 1, base_delay_ms: 1, max_delay_ms: 2 },
  });
}

describe("McpClient against the SDK's server", () => {
  it.each([false, true])("searches in sessions of one call each (JSON replies: %s)", async (json) => {
    const { url, calls } = await start({ json });
    const mcp = client(url);
    const first = await mcp.search("员工休假管理办法");
    expect(first.filter((c) => c.title === "员工休假管理办法").map((c) => c.index)).toEqual([1, 0]);
    expect(first[0]).toMatchObject({ docId: "d-101" });
    await mcp.search("采购管理规定");
    const sequence = calls.map((c) => c.method);
    const session = ["initialize", "notifications/initialized", "tools/call", "DELETE"];
    expect(sequence).toEqual([
      "initialize",
      "notifications/initialized",
      "tools/list",
      "DELETE",
      ...session,
      ...session,
    ]);
    const ids = calls.filter((c) => c.method === "tools/call").map((c) => c.session);
    expect(new Set(ids).size).toBe(2);
    expect(ids).not.toContain(undefined);
  });

  it("uses the names of the server's own schema", async () => {
    const { url, calls } = await start();
    await client(url, { top_k: 7, search_domain: "hr" }).search("年假");
    expect(calls.find((c) => c.method === "tools/call")?.params).toMatchObject({
      name: "knowledgebase_search",
      arguments: { query: "年假", top_k: 7, search_domain: "hr" },
    });
  });

  it("offers no tool without the right knowledge base id", async () => {
    const { url } = await start();
    expect(
      await client(url, { knowledge_uuid: "other" })
        .listTools()
        .catch((e: Error) => e.message),
    ).not.toEqual(expect.arrayContaining([expect.anything()]));
    await expect(client(url, { knowledge_uuid: "other" }).search("年假")).rejects.toThrow(
      /knowledgebase_search|not found|Method/i,
    );
  });

  it("starts one new session after a 404 on a stale one, and only one", async () => {
    const once = await start({ staleSessions: 1 });
    expect((await client(once.url).search("年假")).length).toBeGreaterThan(0);
    expect(once.calls.filter((c) => c.method === "tools/call")).toHaveLength(2);
    await once.close();
    const twice = await start({ staleSessions: 2 });
    await expect(client(twice.url).search("年假")).rejects.toThrow(/HTTP 404/);
  });

  it("reports a wrong token with the status and without the token", async () => {
    const { url } = await start();
    await expect(client(url, {}, "wrong-token").search("年假")).rejects.toThrow(/HTTP 401: .*invalid token/);
  });
});

describe("searchArguments", () => {
  const config = kbMcpSchema.parse({
    url: "http://127.0.0.1/",
    api_token_env: "T",
    knowledge_uuid: "kb",
    search_domain: "d",
  });

  it("falls back to the documented names without a schema", () => {
    expect(searchArguments(config, "q", undefined)).toEqual({ query: "q", search_domain: "d" });
  });

  it("fits the schema", () => {
    const schema = {
      type: "object",
      properties: {
        keyword: { type: "string" },
        limit: { type: "number" },
        knowledge_uuids: { type: "array" },
      },
    };
    expect(searchArguments(config, "q", schema)).toEqual({
      keyword: "q",
      limit: 20,
      knowledge_uuids: ["kb"],
    });
  });
});
