/** Ways in beside those of every gateway: the OpenAI endpoints, the command line, webhooks, an editor. */
import { SAFE, type Said } from "../../../packages/clawxrouter/src/selftest/paths.ts";
import { acpPrompt, openclawEntry } from "../../harness/index.ts";
import { HOOK_TOKEN, type Scene, type Stage } from "../stage.ts";

function entry(via: "http" | "responses" | "cli", quick = false): Scene {
  const names = { http: "/v1/chat/completions", responses: "/v1/responses", cli: "openclaw agent" };
  return {
    name: `user message by ${names[via]}, and the turn after it`,
    quick,
    play: async (stage, values) => {
      const said: Said[] = [];
      for (const level of ["s2", "s3"] as const) {
        const session = stage.session(`${via}-${level}`);
        said.push(await stage.turn(session, values[level], via));
        said.push(await stage.turn(session, SAFE, via === "cli" ? "agent" : via));
      }
      return said;
    },
  };
}

async function hook(stage: Stage, path: "agent" | "wake", body: object): Promise<Said> {
  const response = await fetch(`${stage.gateway.url}/hooks/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${HOOK_TOKEN}` },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(60_000),
  });
  const text = await response.text();
  return response.ok ? { text, error: "" } : { text: "", error: `${response.status} ${text}` };
}

export const ENTRIES: readonly Scene[] = [
  entry("http", true),
  entry("responses", true),
  entry("cli"),
  {
    name: "history and instructions by /v1/responses",
    play: async (stage, values) => {
      const response = await fetch(`${stage.gateway.url}/v1/responses`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          authorization: `Bearer ${stage.gateway.token}`,
          "x-openclaw-session-key": `agent:main:${stage.session("items")}`,
        },
        body: JSON.stringify({
          model: "openclaw/main",
          instructions: values.s2,
          input: [
            { type: "message", role: "user", content: values.s3 },
            { type: "message", role: "assistant", content: `Noted: ${values.s2}` },
            {
              type: "message",
              role: "user",
              content: [
                {
                  type: "input_file",
                  source: {
                    type: "base64",
                    media_type: "text/plain",
                    data: Buffer.from(values.both).toString("base64"),
                    filename: "private.txt",
                  },
                },
                { type: "input_text", text: SAFE },
              ],
            },
          ],
        }),
        signal: AbortSignal.timeout(60_000),
      });
      const raw = (await response.json()) as {
        output?: { content?: { text?: string }[] }[];
        error?: { message: string };
      };
      const text = (raw.output ?? []).flatMap((item) => item.content ?? []).map((part) => part.text ?? "");
      return [
        { text: text.join("\n"), error: raw.error?.message ?? "" },
        await stage.turn(stage.session("items-after"), SAFE),
      ];
    },
  },
  {
    name: "user message by `agent --local`, and the turns after it",
    play: async (stage, values) => {
      const session = stage.session("local");
      await stage.gateway.kill();
      let said: Said[];
      try {
        said = [await stage.turn(session, values.s2, "local"), await stage.turn(session, values.s3, "local")];
      } finally {
        await stage.gateway.start();
      }
      return [...said, await stage.turn(session, SAFE)];
    },
  },
  {
    name: "webhook: agent turn and wake",
    play: async (stage, values) => {
      const turn = (message: string) =>
        hook(stage, "agent", {
          message,
          name: "Leak",
          agentId: "main",
          deliver: false,
          waitForCompletion: true,
        });
      const said = [await turn(values.s2), await turn(values.s3)];
      said.push(await hook(stage, "wake", { text: values.both, mode: "now", agentId: "main" }));
      await stage.quiet();
      return [...said, await stage.turn("main", SAFE)];
    },
  },
  {
    name: "an editor by the Agent Client Protocol",
    play: async (stage, values) => {
      const session = stage.session("acp");
      const host = { home: stage.gateway.home, env: stage.gateway.env, entry: openclawEntry };
      const said: Said[] = [];
      for (const text of [values.s2, values.s3]) {
        said.push(
          await acpPrompt(host, `agent:main:${session}`, text).then(
            (answer) => ({ text: answer, error: "" }),
            (error: unknown) => ({ text: "", error: String(error) }),
          ),
        );
      }
      return [...said, await stage.turn(session, SAFE, "chat.send")];
    },
  },
];
