/** Turns that nobody typed: heartbeat, cron, dreaming, memory flush, summaries. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { call, SAFE, type Said, turns } from "../../../packages/clawxrouter/src/selftest/paths.ts";
import type { Scene, Stage } from "../stage.ts";

/** The host's own words to the model that is to save what it knows (OpenClaw 2026.9.6). */
const FLUSH = /Pre-compaction memory flush/i;

interface CronJob {
  id: string;
  name?: string;
}

async function runJob(stage: Stage, id: string): Promise<void> {
  await stage.request("cron.run", { id, mode: "force" });
  await stage.asked();
  await stage.quiet(2_000);
}

export const BACKGROUND: readonly Scene[] = [
  {
    name: "system event and heartbeat",
    play: async (stage, values) => {
      await stage.gateway.cli(["system", "event", "--text", values.both, "--mode", "now"]);
      await stage.asked();
      await stage.quiet();
      return turns(stage, "main", [SAFE]);
    },
  },
  {
    name: "cron: agent turn and system event",
    play: async (stage, values) => {
      const add = async (job: object): Promise<string> => {
        const added = await stage.request("cron.add", {
          name: `leak ${Math.random()}`,
          enabled: true,
          schedule: { kind: "every", everyMs: 86_400_000 },
          ...job,
        });
        return String((added as { id?: unknown; job?: { id?: unknown } }).id ?? (added.job as CronJob).id);
      };
      const jobs: string[] = [];
      for (const message of [values.s2, values.s3]) {
        jobs.push(
          await add({
            sessionTarget: "isolated",
            wakeMode: "now",
            payload: { kind: "agentTurn", message },
            delivery: { mode: "none" },
          }),
        );
      }
      jobs.push(
        await add({
          sessionTarget: "main",
          wakeMode: "now",
          payload: { kind: "systemEvent", text: values.both },
        }),
      );
      for (const id of jobs) await runJob(stage, id);
      for (const id of jobs) await stage.request("cron.remove", { id });
      return turns(stage, "main", [SAFE]);
    },
  },
  {
    name: "memory flush before a compaction",
    play: async (stage, values) => {
      const flush = (bytes: number | undefined) =>
        stage.hostConfig((config) => {
          const { defaults } = config.agents as { defaults: { compaction?: object } };
          if (bytes === undefined) delete defaults.compaction;
          else defaults.compaction = { memoryFlush: { enabled: true, forceFlushTranscriptBytes: bytes } };
        });
      await flush(2_000);
      try {
        const said: Said[] = [];
        for (const level of ["s2", "s3"] as const) {
          const session = stage.session(`flush-${level}`);
          said.push(...(await turns(stage, session, [values[level], SAFE], "chat.send")));
          await stage.quiet(2_500);
          said.push(...(await turns(stage, session, [SAFE], "chat.send")));
          await stage.quiet(2_500);
        }
        if (!stage.bodies("cloud").some(({ body }) => FLUSH.test(body)))
          throw new Error("there was no memory flush");
        return said;
      } finally {
        await flush(undefined);
      }
    },
  },
  {
    name: "dreaming: memory days to the diary",
    play: async (stage, values) => {
      mkdirSync(path.join(stage.workspace, "memory"), { recursive: true });
      const days = ["2026-11-28.md", "2026-11-29.md", "2026-11-30.md"];
      for (const day of days) {
        const lines = values.both.split("\n").filter((line) => line !== "");
        writeFileSync(
          path.join(stage.workspace, "memory", day),
          `# ${day}\n\n## Customers\n${lines.map((line) => `- ${line}`).join("\n")}\n`,
        );
      }
      const { jobs } = (await stage.request("cron.list", { includeDisabled: true })) as { jobs?: CronJob[] };
      const dream = jobs?.find(({ name }) => /dream/i.test(name ?? ""));
      if (dream === undefined)
        throw new Error(`no dreaming job among ${jobs?.map(({ name }) => name).join(", ")}`);
      await stage.request("cron.run", { id: dream.id, mode: "force" });
      await stage.asked(30_000);
      await stage.quiet(3_000, 40_000);
      return turns(stage, stage.session("dream"), [SAFE]);
    },
  },
  {
    name: "compaction whose summary quotes placeholders",
    play: async (stage, values) => {
      const session = stage.session("quoting");
      const before = await turns(stage, session, [values.s2, values.s3, SAFE, "And one more?"]);
      const quoted = stage.placeholders().join(" ") || values.s2;
      const off = stage
        .model("cloud")
        .script((request) =>
          request.tools.length === 0 && /summar/i.test(request.texts.map(({ text }) => text).join("\n"))
            ? { text: `## Summary\nThe user gave ${quoted}` }
            : undefined,
        );
      await stage.request("sessions.compact", { key: `agent:main:${session}` });
      off();
      stage.cloud("Write the summary", call("write", { path: "summary.txt", content: quoted }), {
        text: "done",
      });
      return [...before, ...(await turns(stage, session, ["Write the summary", SAFE]))];
    },
  },
];
