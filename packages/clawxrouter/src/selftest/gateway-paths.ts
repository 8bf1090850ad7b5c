/** Canaries through the user's own gateway, by the ways messages come in, with recorders in the models' place. */
import { execFile } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { Upstream } from "../egress/types.ts";
import { type Canary, canaries, leaked } from "./canaries.ts";
import type { SelfTestRow } from "./proxy-paths.ts";
import { type Recorder, startRecorder } from "./recorder.ts";

const run = promisify(execFile);
const TURN_TIMEOUT_MS = 120_000;

export interface GatewaySelfTestOptions {
  /** Runs the host's own CLI, e.g. `[node, openclaw.mjs]`. */
  host: readonly [string, ...string[]];
  /** Upstreams of the user's providers; their ids are what the gateway's models go by. */
  upstreams: Readonly<Record<string, Upstream>>;
  /** Sends the proxy to the recorders, and back. */
  detour: (upstreams: Record<string, Upstream>) => () => void;
  progress: (line: string) => void;
}

type Send = (session: string, text: string) => Promise<string>;

export async function selfTestGateway(options: GatewaySelfTestOptions): Promise<SelfTestRow[]> {
  const [cloud, local] = [await startRecorder(), await startRecorder()];
  const end = options.detour(detoured(options.upstreams, cloud, local));
  try {
    await sleep(500);
    const rows: SelfTestRow[] = [];
    const ways: [string, Send][] = [
      ["agent", (session, text) => agent(options.host, session, text)],
      ["chat.send", (session, text) => chatSend(options.host, cloud, local, session, text)],
    ];
    for (const [name, send] of ways) {
      for (const level of ["S2", "S3"] as const) {
        options.progress(`${name}, ${level}`);
        rows.push(...(await tryWay(name, level, send, cloud)));
      }
    }
    return rows;
  } finally {
    end();
    await Promise.all([cloud.close(), local.close()]);
  }
}

/** A private turn in a new session, then a safe one whose history holds it, then a private one in the existing session. */
async function tryWay(name: string, level: "S2" | "S3", send: Send, cloud: Recorder): Promise<SelfTestRow[]> {
  const session = `agent:main:clawxrouter-selftest-${randomBytes(4).toString("hex")}`;
  const all = canaries().filter((canary) => canary.level === level);
  const rows: SelfTestRow[] = [];
  const step = async (path: string, text: string, seen: readonly Canary[]) => {
    cloud.bodies.length = 0;
    let detail = "";
    try {
      detail = await send(session, text);
    } catch (error) {
      detail = `!${error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error)}`;
    }
    const found = leaked(cloud.bodies, seen);
    rows.push({
      path: `gateway: ${name}, ${level}, ${path}`,
      leaked: found,
      answered: !detail.startsWith("!"),
      detail: detail.startsWith("!") ? detail.slice(1) : "",
    });
  };
  const text = all.map((canary) => canary.message).join("\n\n");
  await step("new session", text, all);
  await step("history in a safe turn", "Thank you. What is a symlink?", all);
  const again = canaries().filter((canary) => canary.level === level);
  await step("existing session", again.map((canary) => canary.message).join("\n\n"), [...all, ...again]);
  return rows;
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

async function agent(
  [node, ...host]: readonly [string, ...string[]],
  session: string,
  text: string,
): Promise<string> {
  await run(
    node,
    [...host, "agent", "--agent", "main", "--session-key", session, "--message", text, "--json"],
    { timeout: TURN_TIMEOUT_MS },
  );
  return "";
}

/** Answers at once: the turn is over when nothing has come to either recorder for a while. */
async function chatSend(
  [node, ...host]: readonly [string, ...string[]],
  cloud: Recorder,
  local: Recorder,
  session: string,
  text: string,
): Promise<string> {
  const params = JSON.stringify({ sessionKey: session, message: text, idempotencyKey: randomUUID() });
  const before = local.bodies.length;
  await run(node, [...host, "gateway", "call", "chat.send", "--params", params, "--json"], {
    timeout: TURN_TIMEOUT_MS,
  });
  let seen = -1;
  let quiet = 0;
  for (let i = 0; i < 60 && quiet < 4; i++) {
    await sleep(1_000);
    const now = cloud.bodies.length + local.bodies.length - before;
    quiet = now > 0 && now === seen ? quiet + 1 : 0;
    seen = now;
  }
  if (seen <= 0) throw new Error("no model was asked");
  return "";
}
