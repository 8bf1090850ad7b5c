/** The shared paths through the user's own gateway, with recorders in the models' place. */
import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Upstream } from "../egress/types.ts";
import { selfTestSession } from "./names.ts";
import { type LeakPath, PATHS, type PathStage, type Said, type ScriptedReply } from "./paths.ts";
import type { NotTried, SelfTestRow } from "./proxy-paths.ts";
import { type Recorder, startRecorder } from "./recorder.ts";
import { LeakSearch } from "./search.ts";
import { Values } from "./values.ts";
import { hasContent } from "./workspace.ts";

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
  /** Where the models of the user's conversations are: what goes to a local one shows nothing of the cloud. */
  models: { main: Place; utility: Place };
  progress: (line: string) => void;
  /** Ends the test early; it then rejects, with everything put back. */
  signal?: AbortSignal;
}

/** Where a model is; undefined when none is set. */
export type Place = "cloud" | "local" | undefined;

/**
 * Plays every shared path on the gateway; its conversations are deleted at the end.
 * @throws the signal's reason when it was ended early
 */
export async function selfTestGateway(options: GatewaySelfTestOptions): Promise<SelfTestRow[]> {
  const { signal } = options;
  signal?.throwIfAborted();
  const [cloud, local] = [await startRecorder(), await startRecorder()];
  const end = options.detour(detoured(options.upstreams, cloud, local));
  const search = new LeakSearch();
  const seed = randomBytes(8).toString("hex");
  const stage = new GatewayStage(options, cloud, seed.slice(0, 6));
  try {
    await stage.pause(500);
    const rows: SelfTestRow[] = [];
    for (const [i, path] of PATHS.entries()) {
      signal?.throwIfAborted();
      options.progress(path.name);
      rows.push(await tryPath(path, stage, { options, cloud, search, seed: `${seed}-${i}` }));
    }
    signal?.throwIfAborted();
    return rows;
  } finally {
    await stage.deleteSessions();
    end();
    await Promise.all([cloud.close(), local.close()]);
  }
}

interface Trial {
  options: GatewaySelfTestOptions;
  cloud: Recorder;
  search: LeakSearch;
  seed: string;
}

async function tryPath(
  path: LeakPath,
  stage: GatewayStage,
  { options, cloud, search, seed }: Trial,
): Promise<SelfTestRow> {
  // Asked anew for each path: a first turn may have filled the workspace.
  if (path.needs === "workspace" && !hasContent(options.workspace))
    return { ...untried(path, "empty-workspace"), values: 0, requests: 0 };
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
    options.signal?.throwIfAborted();
    fault = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
  }
  await stage.pause(500);
  const { requests } = cloud;
  const sent = { values: values.used.length, requests: requests.length };
  if (fault === undefined && requests.length === 0) {
    const why = whyNothing(path, options.models);
    if (why !== undefined) return { ...untried(path, why), ...sent };
    fault = "nothing was sent: this shows nothing";
  }
  return {
    path: `gateway: ${path.name}`,
    ...sent,
    leaked: [...new Set([...requests.flatMap((wire) => search.find(wire)), ...search.findAcross(requests)])],
    answered: fault === undefined,
    detail: fault ?? "",
  };
}

function untried(path: LeakPath, notTried: NotTried): Omit<SelfTestRow, "values" | "requests"> {
  return { path: `gateway: ${path.name}`, leaked: [], answered: false, detail: "", notTried };
}

/** Why a path whose turns were answered sent nothing to the cloud, when that is as it should be. */
function whyNothing({ needs }: LeakPath, { main, utility }: GatewaySelfTestOptions["models"]) {
  if (needs !== "utility-model") return main === "local" ? "local-model" : undefined;
  if (utility === "local") return "local-utility-model";
  return utility === undefined ? "no-utility-model" : undefined;
}

class GatewayStage implements PathStage {
  readonly workspace: string;
  private readonly callGateway: GatewayCall;
  /** Whatever was ended early. */
  private readonly callToTheEnd: GatewayCall;
  private readonly recorder: Recorder;
  private readonly run: string;
  private readonly sessions = new Set<string>();
  private readonly signal: AbortSignal | undefined;

  constructor({ call, workspace, signal }: GatewaySelfTestOptions, recorder: Recorder, run: string) {
    this.callGateway = (...request) => orAborted(signal, () => call(...request));
    this.callToTheEnd = call;
    this.signal = signal;
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
      this.signal?.throwIfAborted();
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
    return selfTestSession(this.run, name);
  }

  async pause(ms: number): Promise<void> {
    await orAborted(this.signal, () => sleep(ms));
  }

  async deleteSessions(): Promise<void> {
    for (const key of this.sessions) {
      // Of a turn that still runs the conversation cannot be deleted.
      if (this.signal?.aborted === true)
        await this.callToTheEnd("sessions.abort", { key }, { timeoutMs: 10_000 }).catch(() => undefined);
      // A conversation that is left over does no harm, and must not hide what the test found.
      await this.callToTheEnd("sessions.delete", { key, deleteTranscript: true }).catch(() => undefined);
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

/** What `work` gives, unless the signal comes first: then its reason is thrown at once. */
async function orAborted<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  if (signal === undefined) return work();
  signal.throwIfAborted();
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
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
