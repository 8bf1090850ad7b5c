/** The shared paths through the user's own gateway, with recorders in the models' place. */
import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Upstream } from "../egress/types.ts";
import { type LeakPath, PATHS, type PathStage, type Said, type ScriptedReply } from "./paths.ts";
import type { SelfTestRow } from "./proxy-paths.ts";
import { type Recorder, startRecorder } from "./recorder.ts";
import { LeakSearch } from "./search.ts";
import { Values } from "./values.ts";

const TURN_TIMEOUT_MS = 120_000;

/** A call of the gateway's own protocol, as its command line makes them. */
export type GatewayCall = (
  method: string,
  params: Record<string, unknown>,
  options?: { final?: boolean; timeoutMs?: number },
) => Promise<Record<string, unknown>>;

export interface GatewaySelfTestOptions {
  call: GatewayCall;
  /** Workspace of the agent `main`. */
  workspace: string;
  /** Upstreams of the user's providers; their ids are what the gateway's models go by. */
  upstreams: Readonly<Record<string, Upstream>>;
  /** Sends the proxy to the recorders, and back. */
  detour: (upstreams: Record<string, Upstream>) => () => void;
  progress: (line: string) => void;
}

/** Plays every shared path on the gateway; its conversations are deleted at the end. */
export async function selfTestGateway(options: GatewaySelfTestOptions): Promise<SelfTestRow[]> {
  const [cloud, local] = [await startRecorder(), await startRecorder()];
  const end = options.detour(detoured(options.upstreams, cloud, local));
  const search = new LeakSearch();
  const seed = randomBytes(8).toString("hex");
  const stage = new GatewayStage(options, cloud, seed.slice(0, 6));
  try {
    await sleep(500);
    const rows: SelfTestRow[] = [];
    for (const [i, path] of PATHS.entries()) {
      options.progress(path.name);
      rows.push(await tryPath(path, stage, cloud, search, `${seed}-${i}`));
    }
    return rows;
  } finally {
    await stage.deleteSessions();
    end();
    await Promise.all([cloud.close(), local.close()]);
  }
}

async function tryPath(
  path: LeakPath,
  stage: GatewayStage,
  cloud: Recorder,
  search: LeakSearch,
  seed: string,
): Promise<SelfTestRow> {
  const values = new Values(seed, (secrets) => {
    for (const secret of secrets) search.add(secret);
  });
  cloud.clear();
  let fault: string | undefined;
  try {
    const said = await path.play(stage, values);
    fault = said
      .map(({ text, error }) => (text.trim() === "" ? error || "no answer" : ""))
      .find((one) => one !== "");
  } catch (error) {
    fault = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
  }
  await stage.pause(500);
  const { requests } = cloud;
  if (fault === undefined && requests.length === 0) fault = "nothing was sent: this shows nothing";
  return {
    path: `gateway: ${path.name}`,
    values: values.used.length,
    requests: requests.length,
    leaked: [...new Set([...requests.flatMap((wire) => search.find(wire)), ...search.findAcross(requests)])],
    answered: fault === undefined,
    detail: fault ?? "",
  };
}

class GatewayStage implements PathStage {
  readonly workspace: string;
  private readonly callGateway: GatewayCall;
  private readonly recorder: Recorder;
  private readonly run: string;
  private readonly sessions = new Set<string>();

  constructor({ call, workspace }: GatewaySelfTestOptions, recorder: Recorder, run: string) {
    this.callGateway = call;
    this.workspace = workspace;
    this.recorder = recorder;
    this.run = run;
  }

  async turn(session: string, text: string, via: "agent" | "chat.send" = "agent"): Promise<Said> {
    const sessionKey = `agent:main:${session}`;
    this.sessions.add(sessionKey);
    try {
      return via === "agent" ? await this.agent(sessionKey, text) : await this.chatSend(sessionKey, text);
    } catch (error) {
      return { text: "", error: error instanceof Error ? error.message : String(error) };
    }
  }

  request(method: string, params: Record<string, unknown>): Promise<unknown> {
    return this.callGateway(method, params);
  }

  cloud(match: string, ...replies: ScriptedReply[]): void {
    this.recorder.script(match, ...replies);
  }

  placeholder(): string | undefined {
    return /\[REDACTED:[A-Z0-9_]+\]/.exec(this.recorder.bodies.join("\n"))?.[0];
  }

  session(name: string): string {
    return `clawxrouter-selftest-${this.run}-${name.replaceAll(".", "")}`;
  }

  async pause(ms: number): Promise<void> {
    await sleep(ms);
  }

  async deleteSessions(): Promise<void> {
    for (const key of this.sessions) {
      // A conversation that is left over does no harm, and must not hide what the test found.
      await this.callGateway("sessions.delete", { key, deleteTranscript: true }).catch(() => undefined);
    }
  }

  private async agent(sessionKey: string, message: string): Promise<Said> {
    const answer = await this.callGateway(
      "agent",
      { message, sessionKey, agentId: "main", idempotencyKey: randomUUID() },
      { final: true, timeoutMs: TURN_TIMEOUT_MS },
    );
    const { result, status } = answer as {
      status?: string;
      result?: { payloads?: { text?: string; isError?: boolean }[] };
    };
    const payloads = result?.payloads ?? [];
    const text = payloads.map((payload) => payload.text ?? "").join("\n");
    return status === "error" || payloads.some(({ isError }) => isError === true)
      ? { text: "", error: text || "the turn failed" }
      : { text, error: "" };
  }

  private async chatSend(sessionKey: string, message: string): Promise<Said> {
    const runId = randomUUID();
    await this.callGateway("chat.send", { sessionKey, message, idempotencyKey: runId });
    const ended = await this.callGateway(
      "agent.wait",
      { runId, timeoutMs: TURN_TIMEOUT_MS },
      { timeoutMs: TURN_TIMEOUT_MS + 5_000 },
    );
    if (ended.status !== "ok")
      return {
        text: "",
        error: typeof ended.error === "string" ? ended.error : `the run ended with ${String(ended.status)}`,
      };
    const { messages } = (await this.callGateway("chat.history", { sessionKey, limit: 4 })) as {
      messages?: { role?: string; content?: unknown }[];
    };
    const last = messages?.findLast(({ role }) => role === "assistant");
    return { text: JSON.stringify(last?.content ?? ""), error: "" };
  }
}

function detoured(
  upstreams: Readonly<Record<string, Upstream>>,
  cloud: Recorder,
  local: Recorder,
): Record<string, Upstream> {
  return Object.fromEntries(
    Object.entries(upstreams).map(([id, upstream]) => {
      const path = new URL(upstream.baseUrl).pathname.replace(/\/$/, "");
      return [id, { ...upstream, baseUrl: (upstream.local ? local : cloud).origin + path }];
    }),
  );
}
