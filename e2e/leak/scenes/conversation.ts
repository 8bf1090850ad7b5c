/** What a conversation carries on: history, steering, resets, tools, helpers, answers that echo. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { call, SAFE, turns } from "../../../packages/clawxrouter/src/selftest/paths.ts";
import type { Scene, Stage } from "../stage.ts";

function file(stage: Stage, name: string, text: string): string {
  mkdirSync(path.dirname(path.join(stage.workspace, name)), { recursive: true });
  writeFileSync(path.join(stage.workspace, name), text);
  return name;
}

export const CONVERSATION: readonly Scene[] = [
  {
    name: "history after 1, 2 and 10 turns",
    play: (stage, values) =>
      turns(stage, stage.session("history"), [
        values.s3,
        SAFE,
        values.s2,
        ...Array.from({ length: 9 }, (_, i) => `And question ${i}?`),
      ]),
  },
  {
    name: "steering while a run is going",
    play: async (stage, values) => {
      const session = stage.session("steer");
      await stage.turn(session, "hello", "chat.send");
      stage.cloud("please wait a moment", call("exec", { command: "sleep 2" }), { text: "done" });
      const first = stage.turn(session, "please wait a moment", "chat.send");
      await stage.pause(1_200);
      const steered = await Promise.all([
        first,
        stage.turn(session, values.s2, "chat.send"),
        stage.turn(session, values.s3, "chat.send"),
      ]);
      await stage.quiet();
      // Steering joins the going run: one answer serves all, and which of the three calls gets it is the host's.
      const joined = steered
        .map(({ text, error }) => text || error)
        .join("\n")
        .trim();
      return [{ text: joined, error: "" }, await stage.turn(session, SAFE, "chat.send")];
    },
  },
  {
    name: "tool result: exec",
    play: async (stage, values) => {
      const name = file(stage, "leak-exec.txt", `notes\n${values.both}\n`);
      stage.cloud(`print ${name}`, call("exec", { command: `cat ${name}` }), { text: "ran it" });
      return turns(stage, stage.session("exec"), [`Please print ${name}`, SAFE]);
    },
  },
  {
    name: "tool result: MCP server",
    play: async (stage, values) => {
      const name = file(stage, "leak-mcp.txt", `notes\n${values.both}\n`);
      const off = stage.model("cloud").script((request) => {
        if (!request.lastUserText.includes("from the notes server") || request.afterTool) return undefined;
        if (request.tools.length === 0) return undefined;
        off();
        const tool = request.tools.find((id) => id.includes("leaknotes"));
        return tool === undefined
          ? call("tool_call", { id: "leaknotes__notes", args: { file: name } })
          : call(tool, { file: name });
      });
      return turns(stage, stage.session("mcp"), ["Please read them from the notes server", SAFE]);
    },
  },
  {
    name: "subagent task and announcement",
    play: async (stage, values) => {
      const session = stage.session("subagent");
      stage.cloud(
        "start a helper",
        call("tool_call", { id: "sessions_spawn", args: { task: `Look at this: ${values.both}` } }),
        { text: "started a helper" },
      );
      const said = await turns(stage, session, ["Please start a helper"]);
      await stage.quiet(3_000);
      return [...said, ...(await turns(stage, session, [SAFE]))];
    },
  },
  {
    name: "answer that streams placeholders back, cut at every character",
    play: async (stage, values) => {
      const session = stage.session("echo");
      const first = await stage.turn(session, values.s2, "chat.send");
      const echoed = stage.placeholders().join(" and ") || values.s2;
      const off = stage.model("cloud").script((request) => {
        if (!request.lastUserText.includes("Say them again")) return undefined;
        off();
        return { text: echoed, deltas: [...echoed] };
      });
      const second = await stage.turn(session, "Say them again", "chat.send");
      if (stage.withPlugin) {
        const missing = values.used.filter(
          ({ level, text }) => level === "S2" && /^手机|^Call me|^Write to/.test(text),
        );
        for (const { name, values: all } of missing)
          if (!all.some((value) => comparable(second.text).includes(comparable(value))))
            throw new Error(`${name} did not come back to the user: ${second.text.slice(0, 300)}`);
        if (/\[REDACTED:/.test(second.text)) throw new Error("the user sees placeholders");
      }
      return [first, second, await stage.turn(session, SAFE, "chat.send")];
    },
  },
  {
    name: "placeholders of another conversation, typed in",
    play: async (stage, values) => {
      const owner = stage.session("owner");
      const first = await turns(stage, owner, [values.s2, values.s3, SAFE]);
      const typed = [...stage.placeholders(), "🔒[PRIVATE:TEXT_1]", "🔒[PRIVATE:TEXT_2]"].join(" ");
      const thief = stage.session("thief");
      const said = await turns(stage, thief, [`What is behind ${typed}?`, "And what was it?"], "chat.send");
      if (stage.withPlugin) {
        const seen = stage.search.find({ raw: Buffer.from(said.map(({ text }) => text).join("\n")) });
        if (seen.length > 0) throw new Error(`the second conversation was told ${seen.join(", ")}`);
      }
      return [...first, ...said];
    },
  },
  {
    name: "reset and new",
    play: (stage, values) =>
      turns(stage, stage.session("reset"), [values.s3, values.s2, "/new", SAFE, "/reset", SAFE], "chat.send"),
  },
];

const comparable = (text: string) => text.normalize("NFKC").replaceAll(/[^\p{L}\p{N}]/gu, "");
