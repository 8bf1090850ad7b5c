import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { CliResult } from "./cli.ts";
import type { GatewayClient } from "./ws-client.ts";

/** Preload that keeps a process on loopback. */
export const CUT_NETWORK = fileURLToPath(new URL("./cut-network.cjs", import.meta.url));

export interface TurnOptions {
  /**
   * The entry path: `agent` RPC (what `openclaw agent` calls), the `openclaw agent` process itself, `chat.send`,
   * the OpenAI endpoints of the gateway (`http`: chat completions), or `openclaw agent --local` (the host refuses it
   * while a gateway holds the state directory: `kill()` first).
   */
  via?: "agent" | "cli" | "chat.send" | "http" | "responses" | "local";
  agent?: string;
  timeoutMs?: number;
  /** Files with a `chat.send`: `{type, mimeType, fileName, content}`, the content in base64. */
  attachments?: readonly Attachment[];
}

/** A file of a message as `chat.send` takes it. */
export interface Attachment {
  type: "file" | "image" | "audio";
  mimeType: string;
  fileName: string;
  /** base64 */
  content: string;
}

export interface TurnResult {
  ok: boolean;
  /** What the user sees: all reply texts joined. */
  text: string;
  error: string;
  raw: unknown;
}

/** What a turn needs of a gateway. */
export interface TurnHost {
  url: string;
  token: string;
  client: GatewayClient;
  cli(args: string[], options?: { timeoutMs?: number; env?: Record<string, string> }): Promise<CliResult>;
}

/** One turn in a session, by the entry path asked for. Never rejects: what went wrong is in the result. */
export async function turn(
  gateway: TurnHost,
  session: string,
  text: string,
  options: TurnOptions,
): Promise<TurnResult> {
  const { via = "agent", agent = "main", timeoutMs = 120_000 } = options;
  const sessionKey = `agent:${agent}:${session}`;
  try {
    switch (via) {
      case "agent": {
        const payload = await gateway.client.request(
          "agent",
          { message: text, sessionKey, agentId: agent, idempotencyKey: randomUUID() },
          { final: true, timeoutMs },
        );
        return fromAgentResult(payload);
      }
      case "chat.send":
        return await chatSend(gateway, sessionKey, text, timeoutMs, options.attachments);
      case "http":
        return await overHttp(gateway, sessionKey, agent, text, timeoutMs);
      case "responses":
        return await overResponses(gateway, sessionKey, agent, text, timeoutMs);
      case "cli":
      case "local": {
        const args = [
          "agent",
          "--agent",
          agent,
          "--session-key",
          sessionKey,
          "--message",
          text,
          "--json",
          ...(via === "local" ? ["--local"] : []),
        ];
        const result = await gateway.cli(args, {
          timeoutMs,
          ...(via === "local" && {
            env: { NODE_OPTIONS: `--require ${CUT_NETWORK}` },
          }),
        });
        const json = lastJson(result.stdout);
        if (!json) return { ok: false, text: "", error: result.stderr || result.stdout, raw: result };
        const parsed = fromAgentResult(json);
        return result.code === 0 ? parsed : { ...parsed, ok: false, error: parsed.error || result.stderr };
      }
    }
  } catch (error) {
    return { ok: false, text: "", error: error instanceof Error ? error.message : String(error), raw: error };
  }
}

interface AgentPayload {
  status?: string;
  summary?: string;
  error?: unknown;
  payloads?: { text?: string; isError?: boolean }[];
  result?: { payloads?: { text?: string; isError?: boolean }[]; meta?: { error?: { message?: string } } };
  meta?: { error?: { message?: string } };
}

function fromAgentResult(raw: object): TurnResult {
  const payload = raw as AgentPayload;
  const payloads = payload.result?.payloads ?? payload.payloads ?? [];
  const text = payloads.map((p) => p.text ?? "").join("\n");
  const meta = payload.result?.meta ?? payload.meta;
  const failed = payload.status === "error" || Boolean(meta?.error) || payloads.some((p) => p.isError);
  return {
    ok: !failed,
    text,
    error: failed
      ? (meta?.error?.message ?? (text || JSON.stringify(payload.error ?? payload.summary ?? "")))
      : "",
    raw,
  };
}

async function chatSend(
  gateway: TurnHost,
  sessionKey: string,
  message: string,
  timeoutMs: number,
  attachments: readonly Attachment[] = [],
): Promise<TurnResult> {
  const runId = randomUUID();
  const done = gateway.client.waitFor(
    (e) =>
      e.event === "chat" &&
      e.payload.runId === runId &&
      ["final", "error", "aborted"].includes(String(e.payload.state)),
    timeoutMs,
    `chat.send to ${sessionKey}`,
  );
  done.catch(() => {}); // Awaited below; a failing chat.send must not leave it unhandled.
  await gateway.client.request("chat.send", {
    sessionKey,
    message,
    ...(attachments.length > 0 && { attachments }),
    idempotencyKey: runId,
  });
  const { payload } = await done;
  const content = (payload.message as { content?: unknown } | undefined)?.content;
  const text = Array.isArray(content)
    ? content.map((c: { text?: string }) => c.text ?? "").join("\n")
    : String(content ?? "");
  const ok = payload.state === "final";
  return { ok, text, error: ok ? "" : String(payload.errorMessage ?? payload.state), raw: payload };
}

async function overHttp(
  gateway: TurnHost,
  sessionKey: string,
  agent: string,
  text: string,
  timeoutMs: number,
): Promise<TurnResult> {
  const response = await post(gateway, "/v1/chat/completions", sessionKey, agent, timeoutMs, {
    model: `openclaw/${agent}`,
    messages: [{ role: "user", content: text }],
  });
  const raw = (await response.json()) as {
    choices?: { message?: { content?: string } }[];
    error?: { message?: string };
  };
  return {
    ok: response.ok,
    text: raw.choices?.[0]?.message?.content ?? "",
    error: raw.error?.message ?? "",
    raw,
  };
}

/** The OpenResponses endpoint: https://www.openresponses.org */
async function overResponses(
  gateway: TurnHost,
  sessionKey: string,
  agent: string,
  text: string,
  timeoutMs: number,
): Promise<TurnResult> {
  const response = await post(gateway, "/v1/responses", sessionKey, agent, timeoutMs, {
    model: `openclaw/${agent}`,
    input: text,
  });
  const raw = (await response.json()) as {
    output?: { content?: { text?: string }[] }[];
    error?: { message?: string };
  };
  return {
    ok: response.ok && !raw.error,
    text: (raw.output ?? [])
      .flatMap((item) => item.content ?? [])
      .map((part) => part.text ?? "")
      .join("\n"),
    error: raw.error?.message ?? "",
    raw,
  };
}

function post(
  gateway: TurnHost,
  path: string,
  sessionKey: string,
  agent: string,
  timeoutMs: number,
  body: object,
): Promise<Response> {
  return fetch(gateway.url + path, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${gateway.token}`,
      "x-openclaw-session-key": sessionKey,
      "x-openclaw-agent-id": agent,
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(timeoutMs),
  });
}

/** The last JSON object printed: the CLI may print notices before it. */
function lastJson(stdout: string): object | undefined {
  for (let at = stdout.indexOf("{"); at >= 0; at = stdout.indexOf("{", at + 1)) {
    try {
      return JSON.parse(stdout.slice(at)) as object;
    } catch {
      // A notice with a brace in it: try from the next one.
    }
  }
  return undefined;
}
