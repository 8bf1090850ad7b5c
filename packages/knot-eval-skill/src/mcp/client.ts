import * as z from "zod";
import type { KbMcpConfig } from "../config/schema.ts";
import { discardBody, type HttpReply, NetError, sendRequest } from "../net/http.ts";
import { pause, RETRY_STATUSES, type RetryPolicy, retryDelay } from "../net/retry.ts";
import { type Chunk, parseChunks } from "./chunks.ts";
import { McpError, type RpcReply, readRpcReply, resultOf } from "./rpc.ts";

const PROTOCOL_VERSION = "2025-06-18";

const toolsResult = z.object({
  tools: z.array(
    z.object({ name: z.string(), description: z.string().optional(), inputSchema: z.unknown().optional() }),
  ),
});

const callResult = z.object({
  content: z.array(z.unknown()).default([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
});

/** A result in the form the protocol gives it. @throws McpError with the first fault, not a dump of all */
function shaped<T>(schema: z.ZodType<T>, value: unknown, method: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new McpError(
    `the reply to ${method} has another form than MCP's: ${issue?.path.join(".") || "result"}: ${issue?.message ?? ""}`,
  );
}

/** One tool as the server describes it. */
export interface McpTool {
  name: string;
  description?: string | undefined;
  inputSchema?: unknown;
}

export interface McpClientOptions {
  config: KbMcpConfig;
  token: string;
  clientVersion: string;
  retries: RetryPolicy;
  signal?: AbortSignal;
}

interface Session {
  id: string | undefined;
  protocolVersion: string;
}

/** Properties by which servers take the query, the number of results and so on; the first one the schema has is used. */
const QUERY_NAMES = ["query", "question", "keyword", "keywords", "q", "text", "search_query"];
const LIMIT_NAMES = ["top_k", "topK", "limit", "size", "page_size", "max_results", "num"];
const UUID_NAMES = ["knowledge_uuid", "knowledge_uuids", "knowledgeUuid"];

function propertiesOf(schema: unknown): Record<string, unknown> | undefined {
  const parsed = z.object({ properties: z.record(z.string(), z.unknown()) }).safeParse(schema);
  return parsed.success ? parsed.data.properties : undefined;
}

/** Arguments for the search tool, fitted to its schema; without a schema the documented names are used. */
export function searchArguments(
  config: KbMcpConfig,
  query: string,
  schema: unknown,
): Record<string, unknown> {
  const properties = propertiesOf(schema);
  const has = (names: readonly string[]) =>
    names.find((name) => properties && Object.hasOwn(properties, name));
  const args: Record<string, unknown> = { [has(QUERY_NAMES) ?? "query"]: query };
  if (config.search_domain) {
    const name = properties ? has(["search_domain", "searchDomain", "domain"]) : "search_domain";
    if (name) args[name] = config.search_domain;
  }
  const limit = has(LIMIT_NAMES);
  if (limit) args[limit] = config.top_k;
  const uuid = has(UUID_NAMES);
  if (uuid) {
    const wantsList = z.object({ type: z.literal("array") }).safeParse(properties?.[uuid]).success;
    args[uuid] = wantsList ? [config.knowledge_uuid] : config.knowledge_uuid;
  }
  return args;
}

/**
 * Knowledge base search over MCP streamable HTTP. The server allows one tools/call a session, so every search is
 * initialize -> notifications/initialized -> tools/call -> DELETE.
 */
export class McpClient {
  readonly #options: McpClientOptions;
  #nextId = 1;
  #schema: Promise<unknown> | undefined;

  constructor(options: McpClientOptions) {
    this.#options = options;
  }

  /** The tools the server offers, in a session of their own. @throws McpError | NetError */
  async listTools(): Promise<McpTool[]> {
    const reply = await this.#withSession((session) => this.#request(session, "tools/list", {}));
    return shaped(toolsResult, resultOf(reply), "tools/list").tools;
  }

  /** Searches once. @throws McpError | NetError */
  async search(query: string): Promise<Chunk[]> {
    this.#schema ??= this.#loadSchema();
    const args = searchArguments(this.#options.config, query, await this.#schema);
    const reply = await this.#withSession((session) =>
      this.#request(session, "tools/call", { name: this.#options.config.tool, arguments: args }),
    );
    const result = shaped(callResult, resultOf(reply), "tools/call");
    if (result.isError)
      throw new McpError(
        `${this.#options.config.tool} failed: ${JSON.stringify(result.content).slice(0, 300)}`,
      );
    const structured = parseChunks(result.structuredContent);
    return structured.length > 0 ? structured : parseChunks(result.content);
  }

  async #loadSchema(): Promise<unknown> {
    try {
      return (await this.listTools()).find((tool) => tool.name === this.#options.config.tool)?.inputSchema;
    } catch (error) {
      // Some servers refuse tools/list; the documented argument names are then used.
      if (error instanceof McpError && (error.status === undefined || error.status < 500)) return undefined;
      throw error;
    }
  }

  /** Runs one request in a fresh session; a 404 (stale session) starts one more session, once. */
  async #withSession(run: (session: Session) => Promise<RpcReply>): Promise<RpcReply> {
    const { retries, signal } = this.#options;
    let renewed = false;
    for (let attempt = 0; ; ) {
      let session: Session | undefined;
      try {
        session = await this.#initialize();
        return await run(session);
      } catch (error) {
        if (session?.id !== undefined && error instanceof McpError && error.status === 404 && !renewed) {
          renewed = true;
          continue;
        }
        const passing =
          (error instanceof NetError && error.kind === "connect") ||
          (error instanceof McpError && error.status !== undefined && RETRY_STATUSES.has(error.status));
        if (!passing || attempt >= retries.max) throw error;
        await pause(retryDelay(retries, attempt), signal);
        attempt += 1;
      } finally {
        if (session) await this.#end(session);
      }
    }
  }

  async #initialize(): Promise<Session> {
    const id = this.#nextId++;
    const params = {
      protocolVersion: PROTOCOL_VERSION,
      capabilities: {},
      clientInfo: { name: "knot-agent-eval", version: this.#options.clientVersion },
    };
    const { reply, signal } = await this.#exchange(undefined, {
      jsonrpc: "2.0",
      id,
      method: "initialize",
      params,
    });
    const rpc = await readRpcReply(reply, id, this.#options.config.url, signal);
    const result = shaped(
      z.object({
        protocolVersion: z
          .string()
          .regex(/^[\w.-]{1,40}$/)
          .default(PROTOCOL_VERSION),
      }),
      resultOf(rpc) ?? {},
      "initialize",
    );
    const header = reply.headers["mcp-session-id"];
    const session: Session = {
      id: Array.isArray(header) ? header[0] : header,
      protocolVersion: result.protocolVersion,
    };
    const note = await this.#exchange(session, { jsonrpc: "2.0", method: "notifications/initialized" });
    discardBody(note.reply);
    if (note.reply.status >= 300)
      throw new McpError(`notifications/initialized: HTTP ${note.reply.status}`, note.reply.status);
    return session;
  }

  async #request(session: Session, method: string, params: Record<string, unknown>): Promise<RpcReply> {
    const id = this.#nextId++;
    const { reply, signal } = await this.#exchange(session, { jsonrpc: "2.0", id, method, params });
    return await readRpcReply(reply, id, this.#options.config.url, signal);
  }

  #headers(session: Session | undefined): Record<string, string> {
    return {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "x-knot-api-token": this.#options.token,
      // Without this header the server offers no tool at all, even for the right token.
      "x-knot-knowledge-uuids": this.#options.config.knowledge_uuid,
      ...(session?.id === undefined ? {} : { "mcp-session-id": session.id }),
      ...(session ? { "mcp-protocol-version": session.protocolVersion } : {}),
    };
  }

  async #exchange(
    session: Session | undefined,
    message: unknown,
  ): Promise<{ reply: HttpReply; signal: AbortSignal }> {
    const { config, signal: outer } = this.#options;
    const limit = AbortSignal.timeout(config.timeout_ms);
    const signal = outer ? AbortSignal.any([outer, limit]) : limit;
    const reply = await sendRequest(config.url, {
      method: "POST",
      headers: this.#headers(session),
      body: JSON.stringify(message),
      signal,
    });
    return { reply, signal };
  }

  /** Ends a session politely; a server that does not support it answers 405, which is fine. */
  async #end(session: Session): Promise<void> {
    if (session.id === undefined) return;
    try {
      discardBody(
        await sendRequest(this.#options.config.url, {
          method: "DELETE",
          headers: this.#headers(session),
          signal: AbortSignal.timeout(5_000),
        }),
      );
    } catch {
      // The session times out on the server by itself.
    }
  }
}
