/**
 * The other side of the leak suite: what is private must stay, but a harmless turn must not be kept back because private
 * ones of its kind went before it in the same wording of the host's.
 */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { call } from "../../packages/clawxrouter/src/selftest/paths.ts";
import { HOOK_TOKEN, type Stage } from "./stage.ts";

type Kind = readonly [name: string, play: (stage: Stage, text: string) => Promise<unknown>];

async function runJob(stage: Stage, job: object): Promise<void> {
  const added = await stage.request("cron.add", {
    name: "harmless job",
    enabled: true,
    schedule: { kind: "every", everyMs: 86_400_000 },
    ...job,
  });
  const id = String(added.id ?? (added.job as { id: string }).id);
  await stage.request("cron.run", { id, mode: "force" });
  await stage.asked();
  await stage.quiet();
  await stage.request("cron.remove", { id });
}

const KINDS: readonly Kind[] = [
  ...(["agent", "chat.send", "http", "responses", "cli"] as const).map(
    (via): Kind => [via, (stage, text) => stage.turn(stage.session(`harmless-${via}`), text, via)],
  ),
  [
    "webhook",
    (stage, message) =>
      fetch(`${stage.gateway.url}/hooks/agent`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${HOOK_TOKEN}` },
        body: JSON.stringify({
          message,
          name: "Post",
          agentId: "main",
          deliver: false,
          waitForCompletion: true,
        }),
        signal: AbortSignal.timeout(60_000),
      }),
  ],
  [
    "cron: agent turn",
    (stage, message) =>
      runJob(stage, {
        sessionTarget: "isolated",
        wakeMode: "now",
        payload: { kind: "agentTurn", message },
        delivery: { mode: "none" },
      }),
  ],
  [
    "cron: system event",
    (stage, text) =>
      runJob(stage, { sessionTarget: "main", wakeMode: "now", payload: { kind: "systemEvent", text } }),
  ],
  [
    "heartbeat",
    async (stage, text) => {
      await stage.gateway.cli(["system", "event", "--text", text, "--mode", "now"]);
      await stage.asked();
    },
  ],
  [
    "subagent",
    async (stage, text) => {
      stage.cloud(
        "start a harmless helper",
        call("tool_call", { id: "sessions_spawn", args: { task: text } }),
        {
          text: "started",
        },
      );
      return stage.turn(stage.session("harmless-subagent"), "Please start a harmless helper");
    },
  ],
  [
    "tool result: read",
    async (stage, text) => {
      writeFileSync(path.join(stage.workspace, "harmless.txt"), `${text}\n`);
      stage.cloud("read harmless.txt", call("read", { path: "harmless.txt" }), { text: "read it" });
      return stage.turn(stage.session("harmless-read"), "Please read harmless.txt");
    },
  ],
];

/** Plays a harmless turn of every kind; the kinds whose text did not reach the cloud, with what was said to the user. */
export async function keptBack(stage: Stage): Promise<string[]> {
  const kept: string[] = [];
  for (const [number, [name, play]] of KINDS.entries()) {
    const mark = `lighthouse-${number}-keeper`;
    const said = await play(stage, `Write one line about a ${mark} who likes the sea`);
    await stage.quiet();
    if (!stage.bodies("cloud").some(({ body }) => body.includes(mark)))
      kept.push(`${name}: ${JSON.stringify(said ?? "").slice(0, 300)}`);
  }
  return kept;
}
