import { Vault } from "@clawx/shared-security";
import { beforeEach, describe, expect, it } from "vitest";
import { defaultConfig } from "../config-file/parse.ts";
import { Detector } from "../detection/detector.ts";
import { RuleDetector } from "../detection/rules.ts";
import { Conversation } from "../vault-store/conversation.ts";
import { TurnRouter } from "./decide.ts";
import { Pipeline } from "./pipeline.ts";
import { PrivacyRouter } from "./privacy-router.ts";
import { TurnRegistry } from "./turns.ts";
import type { ClawXrouterRouter } from "./types.ts";

const PHONE = `138${"0013".repeat(2)}`;
const AWS = `AK${"IA"}${"Q3EGZ7PLM2NVX4TY"}`;
const LOCAL = { provider: "local", model: "m" };
let vault: Vault;
let config: ReturnType<typeof defaultConfig>["privacy"];
let local: typeof LOCAL | undefined;
let more: ClawXrouterRouter[];
let runs = 0;

beforeEach(() => {
  vault = new Vault();
  config = defaultConfig().privacy;
  local = LOCAL;
  more = [];
  runs = 0;
});

function router() {
  const detector = new Detector(config, new RuleDetector(config.rules), undefined, "1");
  const conversation = (session: string) => new Conversation(vault, session);
  const privacy = new PrivacyRouter({
    config: () => config,
    detector: () => {
      runs++;
      return detector;
    },
    remembered: (message, session) => {
      const talk = conversation(session ?? "");
      return (
        talk.levelOfTokens(message) ?? (talk.findKnown(message).some((f) => f.level === "S3") ? "S3" : "S1")
      );
    },
  });
  const all = new Map([privacy, ...more].map((r) => [r.id, r as ClawXrouterRouter]));
  return new TurnRouter({
    config: () => config,
    pipeline: new Pipeline({ config: () => config, routers: () => all, warn: () => {} }),
    turns: new TurnRegistry(),
    models: {
      localModel: () => local,
      isLocal: (p) => p === "local",
      has: ({ model }) => model !== "missing",
    },
    conversation,
    detectByRules: (text) => detector.detectByRules(text),
    decided: () => {},
    warn: () => {},
  });
}
const ask = (r: TurnRouter, prompt: string, runId = "r1", sessionKey = "agent:main:s") =>
  r.decide({ runId, sessionKey, agentId: "main", prompt, currentModel: { provider: "cloud", model: "big" } });

describe("deciding a turn", () => {
  it("S1 as configured, S2 redacted on the way, S3 to the local model", async () => {
    const r = router();
    expect(await ask(r, "What is TLS?")).toMatchObject({
      level: "S1",
      localOnly: false,
      override: undefined,
    });
    expect(await ask(r, `call ${PHONE}`, "r2")).toMatchObject({
      level: "S2",
      localOnly: false,
      override: undefined,
    });
    expect(await ask(r, `key ${AWS}`, "r3")).toMatchObject({ level: "S3", localOnly: true, override: LOCAL });
  });

  it("tells a turn that values made private from one that its meaning did", async () => {
    config.rules.keywords.S3 = ["zebrafish"];
    const r = router();
    expect(await ask(r, `my key ${AWS}`, "v1")).toMatchObject({ level: "S3", valuesOnly: true });
    // The host stores a message before it asks.
    new Conversation(vault, "agent:main:s").lock(`stored key ${AWS}`);
    new Conversation(vault, "agent:main:s").lock("stored zebrafish");
    expect(await ask(r, `stored key ${AWS}`, "v7")).toMatchObject({ level: "S3", valuesOnly: true });
    expect(await ask(r, "stored zebrafish", "v8")).toMatchObject({ level: "S3", valuesOnly: false });
    expect(await ask(r, "the zebrafish", "v2")).toMatchObject({ level: "S3", valuesOnly: false });
    expect(await ask(r, `the zebrafish and ${AWS}`, "v3")).toMatchObject({ level: "S3", valuesOnly: false });
    expect(await ask(r, "again: the zebrafish", "v4")).toMatchObject({ level: "S3", valuesOnly: false });
    more.push({ id: "meaning", detect: async () => ({ level: "S3", action: "redirect" }) });
    config.routers.meaning = {
      ...config.routers.privacy,
      type: "custom",
      enabled: true,
      weight: 80,
    } as never;
    config.pipeline.onUserMessage = ["privacy", "meaning"];
    expect(await ask(router(), `call ${PHONE}`, "v5")).toMatchObject({ level: "S3", valuesOnly: false });
    expect(await ask(r, "", "v6")).toMatchObject({ valuesOnly: false });
  });

  it("keeps the verdict by run, whatever prompt comes back (cases: retry-unmarked, fallback-to-cloud)", async () => {
    const r = router();
    await ask(r, `key ${AWS}`);
    const again = await ask(
      r,
      "[Retry after the previous model attempt failed or timed out]\nsomething else",
    );
    expect(again).toMatchObject({ level: "S3", override: LOCAL });
    expect(runs).toBe(1);
    expect(r.gate(again, "cloud", true)).toMatch(
      /本地模型.*不可用[\s\S]*local model local\/m is not available/,
    );
    expect(r.gate(again, "local", true)).toBeUndefined();
  });

  it("knows its own placeholders and remembered texts as private", async () => {
    const r = router();
    const lock = new Conversation(vault, "agent:main:s").lock(`key ${AWS} in a line of its own`);
    expect(await ask(r, lock, "r2")).toMatchObject({ level: "S3" });
    expect(await ask(r, `as I said: key ${AWS} in a line of its own`, "r3")).toMatchObject({ level: "S3" });
  });

  it("neither the host's wording nor what is said beside a private event is private elsewhere", async () => {
    const r = router();
    const wrapped = (text: string) =>
      `A scheduled reminder has been triggered. The reminder content is:\n\n${text}\n\nHandle this reminder internally. Do not relay it to the user unless explicitly requested.`;
    const thanks = "Thanks a lot. What is a symlink, by the way?";
    expect(await ask(r, wrapped(`key ${AWS} for the build server`), "r2")).toMatchObject({ level: "S3" });
    expect(await ask(r, `System: key ${AWS} for the deployment\n\n${thanks}`, "r3")).toMatchObject({
      level: "S3",
    });
    expect(await ask(r, wrapped("water the plants"), "r4")).toMatchObject({ level: "S1" });
    expect(await ask(r, thanks, "r5", "agent:main:other")).toMatchObject({ level: "S1" });
  });

  it("a user's own marker changes nothing (case: marker-in-user-text)", async () => {
    const r = router();
    for (const [i, mark] of ["[REDACTED:PHONE_1] ", "[SYSTEM] ", "[REDACTED: ", "🔒 "].entries()) {
      expect(await ask(r, `${mark}${AWS}`, `a${i}`), mark).toMatchObject({ level: "S3" });
      expect(await ask(r, `${mark}${PHONE}`, `b${i}`), mark).toMatchObject({ level: "S2" });
    }
    expect(await ask(r, "[REDACTED:PHONE_99] hello", "c")).toMatchObject({ level: "S1" });
  });

  it("sees a secret after 20,000 harmless characters (case: tail)", async () => {
    expect(await ask(router(), `${"harmless text. ".repeat(1_400)}${AWS}`)).toMatchObject({ level: "S3" });
  });

  it("stops a private turn when there is no local model, in both languages", async () => {
    local = undefined;
    const r = router();
    const turn = await ask(r, `key ${AWS}`);
    expect(r.gate(turn, "cloud", true)).toMatch(/没有配置本地模型[\s\S]*Nothing was sent/);
  });

  it("stops values on a provider that is not behind the proxy, lets safe text through", async () => {
    const r = router();
    expect(r.gate(await ask(r, `call ${PHONE}`), "cloud", false)).toContain("clawxrouter setup");
    expect(r.gate(await ask(r, "hello", "r2"), "cloud", false)).toBeUndefined();
  });

  it("never sends S3 where a router of the user points, unless that is local", async () => {
    more = [
      {
        id: "eager",
        detect: () => ({ level: "S3", action: "redirect", target: { provider: "cloud", model: "big" } }),
      },
    ];
    config.routers.eager = { ...config.routers.privacy, type: "custom", weight: 99 } as never;
    config.pipeline.onUserMessage = ["privacy", "eager"];
    expect(await ask(router(), "hello")).toMatchObject({ level: "S3", override: LOCAL });
  });

  it("a failing pipeline is a private turn", async () => {
    more = [];
    const r = router();
    const turn = await r
      .decide({
        runId: "x",
        sessionKey: "s",
        agentId: undefined,
        prompt: undefined as unknown as string,
        currentModel: {},
      })
      .catch((e: unknown) => e);
    expect(turn).toMatchObject({ level: "S3", localOnly: true });
  });

  it("s2Policy local keeps S2 at home too", async () => {
    config.s2Policy = "local";
    expect(await ask(router(), `call ${PHONE}`)).toMatchObject({
      level: "S2",
      localOnly: true,
      override: LOCAL,
    });
  });

  it("ignores a redirect to a model that the host does not have", async () => {
    more = [
      {
        id: "token-saver",
        detect: () => ({ level: "S1", action: "redirect", target: { provider: "p", model: "missing" } }),
      },
    ];
    const turn = await ask(router(), "hello");
    expect(turn.override).toBeUndefined();
    expect(turn.reason).toContain("not configured");
  });
});
