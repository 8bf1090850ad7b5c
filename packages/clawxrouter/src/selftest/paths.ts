/**
 * Ways by which text reaches a model, that anyone can play on his own running gateway. `openclaw clawxrouter selftest`
 * and the leak suite of `e2e/` play these same ones; what needs a hand on the process (restarts, taken ports, other
 * models) is in `e2e/leak/scenes` and has the same shape.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Values } from "./values.ts";

/** What the user got for one turn. */
export interface Said {
  text: string;
  error: string;
}

/** What the recording cloud answers. */
export interface ScriptedReply {
  text?: string;
  toolCalls?: { name: string; arguments: Record<string, unknown> }[];
}

/** What a path plays on. */
export interface PathStage {
  /** One user turn in a session (key below `agent:main:`); never rejects. */
  turn(session: string, text: string, via?: "agent" | "chat.send"): Promise<Said>;
  /** Any call of the gateway's protocol. */
  request(method: string, params: Record<string, unknown>): Promise<unknown>;
  /** The cloud's answers, in order, to the turn whose user text holds `match`. */
  cloud(match: string, ...replies: ScriptedReply[]): void;
  /** The first S2 placeholder the cloud has seen in this path. */
  placeholder(): string | undefined;
  /** The agent's workspace folder. */
  workspace: string;
  /** A session key that no other path uses. */
  session(name: string): string;
  pause(ms: number): Promise<void>;
}

/** A way for text to get out, played on a gateway. */
export interface LeakPath<Stage extends PathStage = PathStage> {
  name: string;
  /** In the fast part too. */
  quick?: boolean;
  /**
   * Recorders of which each must get a body: a path that sends nothing shows nothing. Default: the cloud.
   * Without the plugin each of them must see values.
   */
  reaches?: readonly string[];
  /**
   * What it rests on besides the gateway: a workspace that has content (it puts files there, see `workspace.ts`), or a
   * utility model in a cloud.
   */
  needs?: "workspace" | "utility-model";
  play(stage: Stage, values: Values): Promise<Said[]>;
}

export const SAFE = "Thanks. What is a symlink?";

/** The turns of one conversation, one after the other. */
export async function turns(
  stage: PathStage,
  session: string,
  texts: readonly string[],
  via: "agent" | "chat.send" = "agent",
): Promise<Said[]> {
  const said: Said[] = [];
  for (const text of texts) said.push(await stage.turn(session, text, via));
  return said;
}

export const call = (name: string, args: Record<string, unknown>): ScriptedReply => ({
  toolCalls: [{ name, arguments: args }],
});

/** A private turn in a new session, then a safe one whose history holds it; once for S2 and once for S3. */
function entry(via: "agent" | "chat.send"): LeakPath {
  return {
    name: `user message by ${via}, and the turn after it`,
    quick: true,
    play: async (stage, values) => [
      ...(await turns(stage, stage.session(`${via}-s2`), [values.s2, SAFE], via)),
      ...(await turns(stage, stage.session(`${via}-s3`), [values.s3, SAFE], via)),
    ],
  };
}

/** Writes a file into the workspace while `run` runs. */
async function withFile<T>(stage: PathStage, name: string, text: string, run: () => Promise<T>): Promise<T> {
  const file = path.join(stage.workspace, name);
  mkdirSync(stage.workspace, { recursive: true });
  writeFileSync(file, text, { mode: 0o600 });
  try {
    return await run();
  } finally {
    rmSync(file, { force: true });
  }
}

export const PATHS: readonly LeakPath[] = [
  entry("agent"),
  entry("chat.send"),
  {
    name: "private message in an existing chat.send session",
    quick: true,
    play: (stage, values) =>
      turns(stage, stage.session("existing"), ["hello there", values.s3, values.s2, SAFE], "chat.send"),
  },
  {
    name: "tool result: read",
    quick: true,
    needs: "workspace",
    play: (stage, values) => {
      const file = `${stage.session("notes")}.txt`;
      return withFile(stage, file, `notes\n${values.both}\n`, () => {
        stage.cloud(`read ${file}`, call("read", { path: file }), { text: "read it" });
        return turns(stage, stage.session("read"), [`Please read ${file}`, SAFE]);
      });
    },
  },
  {
    name: "tool arguments",
    quick: true,
    needs: "workspace",
    play: async (stage, values) => {
      const session = stage.session("arguments");
      const file = `${stage.session("out")}.txt`;
      return withFile(stage, file, "", async () => {
        const first = await turns(stage, session, [values.s2]);
        const written = `for ${stage.placeholder() ?? values.one("zh-mobile").text}`;
        stage.cloud("Write it down", call("write", { path: file, content: written }), { text: "wrote it" });
        return [...first, ...(await turns(stage, session, ["Write it down", SAFE]))];
      });
    },
  },
  {
    name: "title and recap by the utility model",
    quick: true,
    needs: "utility-model",
    play: async (stage, values) => {
      const said = await turns(
        stage,
        stage.session("title"),
        [values.both, SAFE, "One more question about links?"],
        "chat.send",
      );
      await stage.pause(2_500);
      return said;
    },
  },
  {
    name: "compaction",
    play: async (stage, values) => {
      const session = stage.session("compact");
      const before = await turns(stage, session, [values.s3, values.s2, SAFE, "And one more?"]);
      await stage.request("sessions.compact", { key: `agent:main:${session}` });
      return [...before, ...(await turns(stage, session, [SAFE]))];
    },
  },
];
