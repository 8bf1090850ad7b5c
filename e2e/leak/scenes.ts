/** The ways text can reach a cloud model, each a scene that plays on a running gateway. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Gateway, ModelServer } from "../harness/index.ts";
import { reply } from "./replies.ts";
import { type Secret, secrets } from "./secrets.ts";

export interface Stage {
  gateway: Gateway;
  cloud: ModelServer;
  local: ModelServer;
  /** Fresh values for one scene; everything made so far is searched for in every body. */
  fresh: () => { s2: string; s3: string; all: Secret[] };
  /** Edits clawxrouter.json and waits until it is in force. */
  settings: (privacy: Record<string, unknown>) => Promise<void>;
}

/** What a user got: an answer, or a reason. */
export interface SceneResult {
  said: string[];
}

export interface Scene {
  name: string;
  /** Played in the quick suite too. */
  quick?: boolean;
  play: (stage: Stage) => Promise<SceneResult>;
}

let count = 0;
export function fresh(seed: string): { s2: string; s3: string; all: Secret[] } {
  const all = secrets(`${seed}-${count++}`);
  const join = (level: "S2" | "S3") =>
    all
      .filter((s) => s.level === level)
      .map((s) => s.text)
      .join("\n\n");
  return { s2: join("S2"), s3: join("S3"), all };
}

const SAFE = "Thanks. What is a symlink?";
const session = (name: string) => `${name}-${count}`;
const workspace = (stage: Stage) => path.join(stage.gateway.stateDir, "workspace");

async function turns(
  stage: Stage,
  key: string,
  texts: readonly string[],
  via: "agent" | "chat.send" | "http" | "cli" | "local" = "agent",
): Promise<SceneResult> {
  const said: string[] = [];
  for (const text of texts) {
    const { text: reply, error } = await stage.gateway.turn(key, text, { via });
    said.push(reply || error);
  }
  return { said };
}

const call = (name: string, args: Record<string, unknown>) => ({ toolCalls: [{ name, arguments: args }] });

function entry(via: "agent" | "chat.send" | "http" | "cli" | "local", level: "s2" | "s3"): Scene {
  return {
    name: `${via}, new session, ${level.toUpperCase()}`,
    quick: via === "agent" || via === "chat.send",
    play: (stage) => turns(stage, session(`${via}-${level}`.replace(".", "")), [stage.fresh()[level]], via),
  };
}

export const SCENES: readonly Scene[] = [
  ...(["agent", "chat.send", "http", "cli", "local"] as const).flatMap((via) => [
    entry(via, "s2"),
    entry(via, "s3"),
  ]),
  {
    name: "chat.send, existing session",
    quick: true,
    play: (stage) => {
      const { s2, s3 } = stage.fresh();
      return turns(stage, session("existing"), ["hello there", s3, s2, SAFE], "chat.send");
    },
  },
  {
    name: "history after 1, 2 and 10 turns",
    play: (stage) => {
      const { s2, s3 } = stage.fresh();
      return turns(stage, session("history"), [
        s3,
        SAFE,
        s2,
        ...Array.from({ length: 9 }, (_, i) => `And question ${i}?`),
      ]);
    },
  },
  {
    name: "steering while a run is going",
    play: async (stage) => {
      const { s3, s2 } = stage.fresh();
      const key = session("steer");
      await stage.gateway.turn(key, "hello", { via: "chat.send" });
      reply(stage.cloud, "please wait a moment", call("exec", { command: "sleep 2" }), { text: "done" });
      const first = stage.gateway.turn(key, "please wait a moment", { via: "chat.send" });
      await sleep(1_200);
      const second = stage.gateway.turn(key, `${s2}\n${s3}`, { via: "chat.send", timeoutMs: 60_000 });
      const said = (await Promise.all([first, second])).map((r) => r.text || r.error);
      await stage.gateway.turn(key, SAFE, { via: "chat.send" });
      return { said };
    },
  },
  {
    name: "tool result: read",
    quick: true,
    play: async (stage) => {
      const { s2, s3 } = stage.fresh();
      writeFileSync(path.join(workspace(stage), "leak-notes.txt"), `notes\n${s2}\n${s3}\n`);
      reply(stage.cloud, "read leak-notes.txt", call("read", { path: "leak-notes.txt" }), {
        text: "read it",
      });
      return turns(stage, session("read"), ["Please read leak-notes.txt", SAFE]);
    },
  },
  {
    name: "tool result: exec",
    play: async (stage) => {
      const { s2, s3 } = stage.fresh();
      writeFileSync(path.join(workspace(stage), "leak-exec.txt"), `notes\n${s2}\n${s3}\n`);
      reply(stage.cloud, "print leak-exec.txt", call("exec", { command: "cat leak-exec.txt" }), {
        text: "ran it",
      });
      return turns(stage, session("exec"), ["Please print leak-exec.txt", SAFE]);
    },
  },
  {
    name: "tool arguments",
    play: async (stage) => {
      const { s2 } = stage.fresh();
      const key = session("arguments");
      const first = await turns(stage, key, [s2]);
      const token = /\[REDACTED:[A-Z0-9_]+\]/.exec(stage.cloud.everything())?.[0] ?? "none";
      reply(stage.cloud, "Write it down", call("write", { path: "leak-out.txt", content: `for ${token}` }), {
        text: "wrote it",
      });
      const rest = await turns(stage, key, ["Write it down", SAFE]);
      return { said: [...first.said, ...rest.said] };
    },
  },
  {
    name: "subagent task and announcement",
    play: async (stage) => {
      const { s2, s3 } = stage.fresh();
      const key = session("subagent");
      reply(
        stage.cloud,
        "start a helper",
        call("tool_call", { id: "sessions_spawn", args: { task: `Look at this: ${s2}\n${s3}` } }),
        { text: "started a helper" },
      );
      const result = await turns(stage, key, ["Please start a helper"]);
      await sleep(6_000);
      const after = await turns(stage, key, [SAFE]);
      return { said: [...result.said, ...after.said] };
    },
  },
  {
    name: "system event and heartbeat",
    play: async (stage) => {
      const { s2, s3 } = stage.fresh();
      await stage.gateway.cli(["system", "event", "--text", `${s2}\n${s3}`, "--mode", "now"]);
      await sleep(5_000);
      return turns(stage, "main", [SAFE]);
    },
  },
  {
    name: "fallback with the local model down",
    quick: true,
    play: async (stage) => {
      const { s3 } = stage.fresh();
      await stage.local.stop();
      try {
        return await turns(stage, session("down"), [s3, SAFE]);
      } finally {
        await stage.local.start();
      }
    },
  },
  {
    name: "retry after errors and cut connections",
    play: async (stage) => {
      const { s2 } = stage.fresh();
      stage.cloud.queue(
        { status: 500 },
        { refuse: true },
        { text: "partial answer", cutAfter: 2 },
        { text: "at last" },
      );
      return turns(stage, session("retry"), [s2, SAFE]);
    },
  },
  {
    name: "fallback model of another provider",
    play: async (stage) => {
      const { s2 } = stage.fresh();
      const off = stage.cloud.script(() => ({ status: 503 }));
      try {
        return await turns(stage, session("fallback"), [s2]);
      } finally {
        off();
      }
    },
  },
  {
    name: "compaction",
    play: async (stage) => {
      const { s2, s3 } = stage.fresh();
      const key = session("compact");
      const before = await turns(stage, key, [s3, s2, SAFE, "And one more?"]);
      await stage.gateway.client
        .request("sessions.compact", { key: `agent:main:${key}` })
        .catch(() => undefined);
      const after = await turns(stage, key, [SAFE]);
      return { said: [...before.said, ...after.said] };
    },
  },
  {
    name: "title and recap by the utility model",
    play: async (stage) => {
      const { s2, s3 } = stage.fresh();
      const result = await turns(
        stage,
        session("title"),
        [`${s2}\n${s3}`, SAFE, "One more question about links?"],
        "chat.send",
      );
      await sleep(4_000);
      return result;
    },
  },
  {
    name: "MEMORY.md and memory days",
    quick: true,
    play: async (stage) => {
      const { s2, s3 } = stage.fresh();
      mkdirSync(path.join(workspace(stage), "memory"), { recursive: true });
      writeFileSync(path.join(workspace(stage), "MEMORY.md"), `# Memory\n${s2}\n${s3}\n`);
      writeFileSync(path.join(workspace(stage), "memory", "2026-11-30.md"), `# Day\n${s2}\n`);
      return turns(stage, session("memory"), ["What do you remember?", SAFE]);
    },
  },
  {
    name: "bootstrap files",
    play: async (stage) => {
      const { s2, s3 } = stage.fresh();
      writeFileSync(path.join(workspace(stage), "USER.md"), `# User\n${s2}\n${s3}\n`);
      writeFileSync(path.join(workspace(stage), "AGENTS.md"), `# Agents\n${s2}\n`);
      return turns(stage, session("bootstrap"), ["Who am I?"]);
    },
  },
  {
    name: "embeddings: memory search and CLI index",
    play: async (stage) => {
      const { s2, s3 } = stage.fresh();
      mkdirSync(path.join(workspace(stage), "memory"), { recursive: true });
      writeFileSync(path.join(workspace(stage), "memory", "2026-11-29.md"), `# Day\n${s2}\n${s3}\n`);
      await stage.gateway.cli(["memory", "index", "--force"], { timeoutMs: 120_000 });
      reply(
        stage.cloud,
        "Search your memory",
        call("tool_call", { id: "memory_search", args: { query: s2.slice(0, 200) } }),
        {
          text: "searched",
        },
      );
      return turns(stage, session("embed"), ["Search your memory"]);
    },
  },
  {
    name: "attachments: text and image",
    play: async (stage) => {
      const { s2, s3 } = stage.fresh();
      const key = `agent:main:${session("attach")}`;
      const send = (attachments: object[]) =>
        stage.gateway.client
          .request("chat.send", {
            sessionKey: key,
            message: "Look at the attachment",
            attachments,
            idempotencyKey: `att-${Math.random()}`,
          })
          .catch((error: unknown) => ({ error: String(error) }));
      await send([
        {
          type: "file",
          mimeType: "text/plain",
          fileName: "private.txt",
          content: Buffer.from(`${s2}\n${s3}`).toString("base64"),
        },
      ]);
      await sleep(4_000);
      const png = Buffer.from(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
        "base64",
      );
      await send([
        { type: "image", mimeType: "image/png", fileName: "x.png", content: png.toString("base64") },
      ]);
      await sleep(4_000);
      return { said: ["sent"] };
    },
  },
  {
    name: "reset and new",
    play: async (stage) => {
      const { s2, s3 } = stage.fresh();
      const key = session("reset");
      return turns(stage, key, [s3, s2, "/new", SAFE, "/reset", SAFE], "chat.send");
    },
  },
  {
    name: "gateway restart between turns",
    play: async (stage) => {
      const { s2, s3 } = stage.fresh();
      const key = session("restart");
      const before = await turns(stage, key, [s3, s2]);
      await stage.gateway.kill("SIGKILL");
      await stage.gateway.start();
      const after = await turns(stage, key, [SAFE]);
      return { said: [...before.said, ...after.said] };
    },
  },
  {
    name: "plugin reload between turns",
    play: async (stage) => {
      const { s2, s3 } = stage.fresh();
      const key = session("reload");
      const before = await turns(stage, key, [s3, s2]);
      await stage.gateway.cli(["plugins", "reload", "clawxrouter"]);
      const after = await turns(stage, key, [SAFE, s2]);
      return { said: [...before.said, ...after.said] };
    },
  },
  {
    name: "access revoked",
    quick: true,
    play: async (stage) => {
      const { s2, s3 } = stage.fresh();
      const grant = (value: boolean) =>
        stage.gateway.cli([
          "config",
          "set",
          "plugins.entries.clawxrouter.hooks.allowConversationAccess",
          String(value),
        ]);
      await grant(false);
      await sleep(7_000);
      try {
        return await turns(stage, session("revoked"), [s3, s2]);
      } finally {
        await grant(true);
        await sleep(7_000);
      }
    },
  },
  ...(["down", "slow", "garbage"] as const).map(
    (how): Scene => ({
      name: `detector ${how}`,
      play: async (stage) => {
        const { s2, s3 } = stage.fresh();
        const endpoint = how === "down" ? "http://127.0.0.1:9" : stage.local.origin;
        const off = stage.local.script((request) =>
          request.texts.some(({ text }) => text.includes("You classify how private a text is"))
            ? how === "slow"
              ? { text: '{"level":"S1"}', delayMs: 4_000 }
              : { text: "I think this is fine." }
            : undefined,
        );
        await stage.settings({ localModel: { enabled: true, endpoint, timeoutMs: 800 } });
        try {
          return await turns(stage, session(`detector-${how}`), ["hello", s2, s3, SAFE]);
        } finally {
          off();
          await stage.settings({ localModel: { enabled: false } });
        }
      },
    }),
  ),
  {
    name: "a semantic S3 in the history",
    play: async (stage) => {
      const { all } = stage.fresh();
      const story = `My neighbour told me about the operation on his heart in room ${all.length}${Math.random().toString(36).slice(2, 8)}`;
      all.push({ id: "semantic", level: "S3", text: story, needles: [story] });
      const off = stage.local.script((request) =>
        request.texts.some(({ text }) => text.includes("You classify how private a text is"))
          ? {
              text: JSON.stringify({
                level: request.lastUserText.includes("operation on his heart") ? "S3" : "S1",
                reason: "health",
                entities: [],
              }),
            }
          : undefined,
      );
      await stage.settings({ localModel: { enabled: true, endpoint: stage.local.origin, timeoutMs: 5_000 } });
      try {
        return await turns(stage, session("semantic"), [story, SAFE, SAFE]);
      } finally {
        off();
        await stage.settings({ localModel: { enabled: false } });
      }
    },
  },
  {
    name: "proxy port taken",
    play: async (stage) => {
      const { s2, s3 } = stage.fresh();
      const { createServer } = await import("node:net");
      const blocker = createServer();
      const port = await new Promise<number>((resolve) =>
        blocker.listen(0, "127.0.0.1", () => resolve((blocker.address() as { port: number }).port)),
      );
      await stage.settings({ proxyPort: port });
      await sleep(1_000);
      try {
        return await turns(stage, session("port"), [s2, s3]);
      } finally {
        await new Promise((resolve) => blocker.close(resolve));
        await stage.settings({ proxyPort: Number(process.env.CLAWX_LEAK_PORT) });
        await sleep(1_000);
      }
    },
  },
];
