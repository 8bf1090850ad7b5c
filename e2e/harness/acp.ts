import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { CUT_NETWORK } from "./turns.ts";

interface AcpHost {
  home: string;
  env: Record<string, string>;
  /** The host's own command line. */
  entry: string;
}

/**
 * One prompt through `openclaw acp`, as an editor speaks to it: Agent Client Protocol, JSON-RPC a line on stdio
 * (https://agentclientprotocol.com).
 * @returns the text the agent answered
 */
export async function acpPrompt(
  host: AcpHost,
  session: string,
  text: string,
  timeoutMs = 90_000,
): Promise<string> {
  const child = spawn(process.execPath, [host.entry, "acp", "--session", session], {
    env: { ...host.env, NODE_OPTIONS: `--require ${CUT_NETWORK}` },
    cwd: host.home,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const waiting = new Map<number, (message: AcpMessage) => void>();
  let said = "";
  const lines = createInterface({ input: child.stdout });
  lines.on("line", (line) => {
    if (!line.startsWith("{")) return;
    const message = JSON.parse(line) as AcpMessage;
    if (message.id !== undefined && message.method === undefined) waiting.get(message.id)?.(message);
    const update = message.params?.update;
    if (update?.sessionUpdate === "agent_message_chunk") said += update.content?.text ?? "";
  });
  const ended = new Promise<never>((_, reject) => {
    child.once("exit", (code) => reject(new Error(`openclaw acp ended with ${code}: ${errors.slice(-500)}`)));
  });
  ended.catch(() => {}); // It ends after the last answer as well.
  let next = 0;
  const ask = async (method: string, params: object): Promise<Record<string, unknown>> => {
    const id = next++;
    const answer = new Promise<AcpMessage>((resolve) => waiting.set(id, resolve));
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    const { result, error } = await Promise.race([answer, ended]);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result ?? {};
  };
  try {
    await ask("initialize", { protocolVersion: 1, clientCapabilities: {} });
    const { sessionId } = await ask("session/new", { cwd: host.home, mcpServers: [] });
    await ask("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
    return said;
  } finally {
    clearTimeout(timer);
    lines.close();
    child.kill("SIGKILL");
  }
}

interface AcpMessage {
  id?: number;
  method?: string;
  result?: Record<string, unknown>;
  error?: { message: string };
  params?: { update?: { sessionUpdate?: string; content?: { text?: string } } };
}
