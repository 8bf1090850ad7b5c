import * as z from "zod";
import { SseDecoder } from "../agui/sse.ts";
import {
  bodyChunks,
  bodyText,
  describeRedirect,
  discardBody,
  type HttpReply,
  isRedirect,
} from "../net/http.ts";

/** JSON-RPC 2.0 replies over MCP's streamable HTTP transport (specification 2025-06-18, "Transports"). */

const rpcReply = z.object({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.number(), z.string(), z.null()]).optional(),
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string() }).optional(),
});

export type RpcReply = z.infer<typeof rpcReply>;

/** The server answered, but not with a result. */
export class McpError extends Error {
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.name = "McpError";
    this.status = status;
  }
}

function replyIn(payload: unknown, id: number): RpcReply | undefined {
  const list = Array.isArray(payload) ? payload : [payload];
  for (const item of list) {
    const parsed = rpcReply.safeParse(item);
    if (parsed.success && String(parsed.data.id) === String(id)) return parsed.data;
  }
  return undefined;
}

/** Reads the reply with one id from a JSON or an event-stream body. @throws McpError */
export async function readRpcReply(
  reply: HttpReply,
  id: number,
  url: string,
  signal?: AbortSignal,
): Promise<RpcReply> {
  if (isRedirect(reply)) {
    discardBody(reply);
    throw new McpError(describeRedirect(reply, url), reply.status);
  }
  if (reply.status < 200 || reply.status >= 300) {
    const text = await bodyText(reply, signal, 64 * 1024).catch(() => "");
    throw new McpError(
      `HTTP ${reply.status}${text.trim() ? `: ${text.trim().replace(/\s+/g, " ").slice(0, 300)}` : ""}`,
      reply.status,
    );
  }
  if ((reply.headers["content-type"] ?? "").includes("text/event-stream")) {
    const decoder = new SseDecoder();
    for await (const chunk of bodyChunks(reply, signal)) {
      const found = fromEvents(decoder.push(chunk), id);
      if (found) {
        reply.body.destroy();
        return found;
      }
    }
    const last = fromEvents(decoder.end(), id);
    if (last) return last;
    throw new McpError("the event stream ended without a reply");
  }
  const text = await bodyText(reply, signal);
  let payload: unknown;
  try {
    payload = JSON.parse(text);
  } catch {
    throw new McpError(`the reply is neither JSON nor an event stream: ${text.trim().slice(0, 200)}`);
  }
  const found = replyIn(payload, id);
  if (!found) throw new McpError("the reply holds no JSON-RPC result for this request");
  return found;
}

function fromEvents(events: { data: string }[], id: number): RpcReply | undefined {
  for (const event of events) {
    try {
      const found = replyIn(JSON.parse(event.data), id);
      if (found) return found;
    } catch {
      // A keep-alive or a foreign event.
    }
  }
  return undefined;
}

/** The result of a reply. @throws McpError for a JSON-RPC error */
export function resultOf(reply: RpcReply): unknown {
  if (reply.error) throw new McpError(`${reply.error.message} (code ${reply.error.code})`);
  return reply.result;
}
