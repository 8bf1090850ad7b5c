/** When something is down, slow, taken, revoked or changed: text is stopped, and that is said. */
import { createServer } from "node:net";
import { SAFE, type Said, turns } from "../../../packages/clawxrouter/src/selftest/paths.ts";
import type { Scene, Stage } from "../stage.ts";

const CLASSIFIER = "You classify how private a text is";
const asksClassifier = (request: { texts: readonly { text: string }[] }) =>
  request.texts.some(({ text }) => text.includes(CLASSIFIER));

function expectReason(stage: Stage, { text, error }: Said, pattern: RegExp): void {
  if (stage.withPlugin && !pattern.test(`${text}${error}`))
    throw new Error(`no clear reason (${pattern}): ${text}${error}`);
}

export const FAILURES: readonly Scene[] = [
  {
    name: "fallback with the local model down",
    quick: true,
    play: async (stage, values) => {
      const session = stage.session("down");
      const said: Said[] = [];
      await stage.model("local").stop();
      try {
        for (const via of ["agent", "chat.send"] as const)
          said.push(await stage.turn(`${session}-${via.length}`, values.s3, via));
        for (const one of said) expectReason(stage, one, /local|本地/i);
        said.push(
          await stage.turn(`${session}-5`, SAFE),
          await stage.turn(`${session}-9`, SAFE, "chat.send"),
        );
      } finally {
        await stage.model("local").start();
      }
      return said;
    },
  },
  {
    name: "retry after errors and cut connections",
    play: async (stage, values) => {
      const replies = [
        { status: 500 },
        { refuse: true },
        { text: "partial answer of many words", cutAfter: 3 },
        { text: "at last" },
      ];
      stage.model("cloud").script((request) => (request.tools.length > 0 ? replies.shift() : undefined));
      return turns(stage, stage.session("retry"), [values.s2, SAFE]);
    },
  },
  {
    name: "local model breaks off within a private answer, and is asked again",
    play: async (stage, values) => {
      const told = "the surgeon will remove it on Thursday in the small theatre";
      const replies = [
        { text: `I read that ${told}, and then some more words`, cutAfter: 12 },
        { text: `So I read that ${told}.` },
      ];
      stage.model("local").script((request) => (request.tools.length > 0 ? replies.shift() : undefined));
      const said = await turns(stage, stage.session("broken-off"), [values.s3, SAFE, "And one more?"]);
      await stage.quiet();
      for (const model of ["cloud", "utility", "backup"] as const)
        if (stage.withPlugin && stage.bodies(model).some(({ body }) => body.includes("surgeon will remove")))
          throw new Error(`${model} got what the local model answered`);
      return said;
    },
  },
  {
    name: "fallback model of another provider",
    reaches: ["cloud", "backup"],
    play: async (stage, values) => {
      const off = stage
        .model("cloud")
        .script((request) => (request.tools.length > 0 ? { status: 400, text: "no such model" } : undefined));
      const session = stage.session("fallback");
      try {
        return await turns(stage, session, [values.s2, values.s3, SAFE]);
      } finally {
        off();
      }
    },
  },
  ...(["down", "slow", "garbage"] as const).map(
    (how): Scene => ({
      name: `detector ${how}`,
      play: async (stage, values) => {
        const endpoint = how === "down" ? "http://127.0.0.1:9" : stage.model("local").origin;
        const off = stage
          .model("local")
          .script((request) =>
            asksClassifier(request)
              ? how === "slow"
                ? { text: '{"level":"S1"}', delayMs: 4_000 }
                : { text: "I think this is fine." }
              : undefined,
          );
        await stage.settings({ localModel: { enabled: true, endpoint, timeoutMs: 800 } });
        try {
          return await turns(stage, stage.session(`detector-${how}`), ["hello", values.s2, values.s3, SAFE]);
        } finally {
          off();
          await stage.settings({ localModel: { enabled: false } });
        }
      },
    }),
  ),
  {
    name: "what only the local model finds private, in the history",
    play: async (stage, values) => {
      const room = Math.random().toString(36).slice(2, 10);
      const story = `My neighbour told me about the operation on his heart in the room ${room}`;
      values.add({ name: "semantic", level: "S3", text: story, values: [story] });
      const off = stage.model("local").script((request) =>
        asksClassifier(request)
          ? {
              text: JSON.stringify({
                level: request.lastUserText.includes("operation on his heart") ? "S3" : "S1",
                reason: "health",
                entities: [],
              }),
            }
          : undefined,
      );
      await stage.settings({
        localModel: { enabled: true, endpoint: stage.model("local").origin, timeoutMs: 5_000 },
      });
      try {
        return await turns(stage, stage.session("semantic"), [story, values.both, SAFE, SAFE]);
      } finally {
        off();
        await stage.settings({ localModel: { enabled: false } });
      }
    },
  },
  {
    name: "access revoked",
    play: async (stage, values) => {
      const key = "plugins.entries.clawxrouter.hooks.allowConversationAccess";
      const grant = async (value: boolean) => {
        await stage.plugin("config", "set", key, String(value));
        if (!stage.withPlugin) return;
        await stage.pause(7_000);
        if ((await stage.pluginHasAccess()) === value) return;
        // The host takes no change over while a run of its own (a cron job, dreaming) is going.
        await stage.quiet();
        await stage.gateway.kill();
        await stage.gateway.start();
      };
      await grant(false);
      const session = stage.session("revoked");
      let said: Said[];
      try {
        said = await turns(stage, session, [values.s3, values.s2]);
        for (const one of said) expectReason(stage, one, /allowConversationAccess/);
      } finally {
        await grant(true);
      }
      return [...said, ...(await turns(stage, session, [SAFE]))];
    },
  },
  {
    name: "proxy port taken",
    play: async (stage, values) => {
      const blocker = createServer();
      const port = await new Promise<number>((resolve) =>
        blocker.listen(0, "127.0.0.1", () => resolve((blocker.address() as { port: number }).port)),
      );
      await stage.settings({ proxyPort: port });
      await stage.pause(1_000);
      const session = stage.session("port");
      let said: Said[];
      try {
        said = await turns(stage, session, [values.s2, values.s3]);
        for (const one of said) expectReason(stage, one, /proxy|代理|port|端口/i);
      } finally {
        await new Promise((resolve) => blocker.close(resolve));
        await stage.settings({ proxyPort: stage.proxyPort });
        await stage.pause(1_000);
      }
      return [...said, ...(await turns(stage, session, [SAFE]))];
    },
  },
  {
    name: "gateway restart between turns",
    play: async (stage, values) => {
      const session = stage.session("restart");
      const before = await turns(stage, session, [values.s3, values.s2]);
      await stage.gateway.kill("SIGKILL");
      await stage.gateway.start();
      return [...before, ...(await turns(stage, session, [SAFE, values.s2]))];
    },
  },
  {
    name: "plugin reload between turns",
    quick: true,
    play: async (stage, values) => {
      const session = stage.session("reload");
      const before = await turns(stage, session, [values.s3, values.s2]);
      await stage.plugin("plugins", "reload", "clawxrouter");
      return [...before, ...(await turns(stage, session, [SAFE, values.s2]))];
    },
  },
  {
    name: "plugin reload while turns are going",
    play: async (stage, values) => {
      const off = stage
        .model("cloud")
        .script((request) =>
          request.tools.length > 0 ? { text: "a slow answer of a few words", chunkDelayMs: 150 } : undefined,
        );
      const session = stage.session("load");
      let going = true;
      const line = async (i: number): Promise<Said[]> => {
        const said: Said[] = [];
        for (let n = 0; going || n < 4; n++)
          said.push(
            await stage.turn(
              `${session}-${i}`,
              [values.s2, values.s3, SAFE][n % 3] ?? SAFE,
              i % 2 ? "agent" : "chat.send",
            ),
          );
        said.push(await stage.turn(`${session}-${i}`, SAFE));
        return said;
      };
      const lines = Promise.all([0, 1, 2, 3].map(line));
      await stage.plugin("plugins", "reload", "clawxrouter");
      await stage.plugin("plugins", "reload", "clawxrouter");
      going = false;
      const said = (await lines).flat();
      off();
      return said;
    },
  },
  {
    name: "provider added at run time that is not behind the proxy",
    leaksAt: ["extra"],
    play: async (stage, values) => {
      const origin = stage.model("extra").origin;
      const primary = (ref: string) => (config: Record<string, unknown>) => {
        const { providers } = config.models as { providers: Record<string, unknown> };
        const { defaults } = config.agents as { defaults: { model: { primary: string } } };
        if (ref.startsWith("extra/")) {
          providers.extra = {
            baseUrl: `${origin}/v1`,
            apiKey: "extra-test-key",
            api: "openai-completions",
            models: [{ id: "main", name: "main", contextWindow: 128_000, maxTokens: 4_096, input: ["text"] }],
          };
        } else delete providers.extra;
        defaults.model.primary = ref;
      };
      await stage.hostConfig(primary("extra/main"));
      const session = stage.session("extra");
      let said: Said[];
      try {
        said = await turns(stage, session, [values.s2, values.s3, values.both]);
        if (stage.withPlugin) {
          const posture = JSON.parse(await stage.plugin("clawxrouter", "posture", "--json")) as {
            state: string;
            items: { ok: boolean; text: string }[];
          };
          const named = posture.items.filter(({ ok, text }) => !ok && text.includes("extra"));
          if (posture.state !== "red" || named.length === 0)
            throw new Error(`posture is ${posture.state}, the provider is not named`);
          for (const one of said.filter((_, i) => i === 0)) expectReason(stage, one, /extra|proxy|代理/i);
        }
      } finally {
        await stage.hostConfig(primary("cloud/main"));
      }
      return [...said, ...(await turns(stage, session, [SAFE]))];
    },
  },
];
