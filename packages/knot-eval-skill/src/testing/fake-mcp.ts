import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import * as z from "zod";

/**
 * A knowledge base over the official MCP server SDK, with the three gates of the real one: the token, the
 * knowledge base header (without it no tool is offered), and one tools/call a session. Test code only.
 */

export interface FakeDocument {
  title: string;
  docId: string;
  chunks: string[];
}

export interface FakeMcpOptions {
  documents: readonly FakeDocument[];
  token: string;
  knowledgeUuid: string;
  port?: number;
  /** Plain JSON replies instead of event streams. */
  json?: boolean;
  /** This many sessions are stale: their tools/call gets a 404. */
  staleSessions?: number;
}

export interface FakeMcp {
  url: string;
  /** JSON-RPC methods in order of arrival, with the session they came in. */
  calls: { method: string; session: string | undefined; params: unknown }[];
  close(): Promise<void>;
}

function bigramScore(query: string, text: string): number {
  let score = 0;
  for (let i = 0; i + 1 < query.length; i++) if (text.includes(query.slice(i, i + 2))) score += 1;
  return score;
}

/** Chunks of the best documents for a query, deliberately out of order. */
function search(documents: readonly FakeDocument[], query: string, limit: number): Record<string, unknown>[] {
  return documents
    .map((doc) => ({
      doc,
      score: doc.title === query ? 1_000 : bigramScore(query, doc.title + doc.chunks.join("")),
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .flatMap(({ doc }) =>
      doc.chunks
        .map((content, index) => ({
          chunk_title: doc.title,
          chunk_content: content,
          doc_id: doc.docId,
          chunk_index: index,
        }))
        .reverse(),
    )
    .slice(0, limit);
}

function buildServer(options: FakeMcpOptions, withTools: boolean): McpServer {
  const server = new McpServer({ name: "fake-knowledge", version: "1" }, { capabilities: { tools: {} } });
  if (withTools) {
    server.registerTool(
      "knowledgebase_search",
      {
        description: "Searches the knowledge base",
        inputSchema: {
          query: z.string(),
          search_domain: z.string().optional(),
          top_k: z.number().optional(),
        },
      },
      ({ query, top_k }) => ({
        content: [
          {
            type: "text",
            text: JSON.stringify({ total: 1, chunks: search(options.documents, query, top_k ?? 20) }),
          },
        ],
      }),
    );
  }
  return server;
}

async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString("utf8");
  return text === "" ? undefined : JSON.parse(text);
}

export async function startFakeMcp(options: FakeMcpOptions): Promise<FakeMcp> {
  const calls: FakeMcp["calls"] = [];
  const sessions = new Map<string, { transport: StreamableHTTPServerTransport; toolCalls: number }>();
  let stale = options.staleSessions ?? 0;
  const refuse = (reply: ServerResponse, status: number, message: string) => {
    reply.writeHead(status, { "content-type": "application/json" });
    reply.end(JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32000, message } }));
  };
  const handle = async (request: IncomingMessage, reply: ServerResponse) => {
    const body = await readJsonBody(request);
    const header = request.headers["mcp-session-id"];
    const id = Array.isArray(header) ? header[0] : header;
    const method = (body as { method?: string } | undefined)?.method ?? request.method ?? "";
    calls.push({ method, session: id, params: (body as { params?: unknown } | undefined)?.params });
    if (request.headers["x-knot-api-token"] !== options.token) return refuse(reply, 401, "invalid token");
    const session = id === undefined ? undefined : sessions.get(id);
    if (id !== undefined && !session) return refuse(reply, 404, "session not found");
    if (session && method === "tools/call") {
      if (stale > 0) {
        stale -= 1;
        sessions.delete(id as string);
        return refuse(reply, 404, "session expired");
      }
      session.toolCalls += 1;
      if (session.toolCalls > 1) return refuse(reply, 400, "one tools/call a session");
    }
    if (session) return await session.transport.handleRequest(request, reply, body);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      enableJsonResponse: options.json ?? false,
      onsessioninitialized: (created) => {
        sessions.set(created, { transport, toolCalls: 0 });
      },
    });
    await buildServer(options, request.headers["x-knot-knowledge-uuids"] === options.knowledgeUuid).connect(
      transport as never,
    );
    await transport.handleRequest(request, reply, body);
  };
  const server = createServer((request, reply) => {
    handle(request, reply).catch(() =>
      reply.headersSent ? reply.destroy() : refuse(reply, 500, "server error"),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/open/mcp`,
    calls,
    close: async () => {
      for (const { transport } of sessions.values()) await transport.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
