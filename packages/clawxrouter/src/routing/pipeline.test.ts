import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseConfig } from "../config-file/parse.ts";
import { Settings } from "../engine/settings.ts";
import { mergeDecisions } from "./merge.ts";
import { Pipeline } from "./pipeline.ts";
import type {
  ClawXrouterRouter,
  Level,
  RoutedDecision,
  RouterAction,
  RouterContext,
  RouterDecision,
} from "./types.ts";

const S1: RouterDecision = { level: "S1", action: "passthrough" };
const ctx = (message = "hello"): RouterContext => ({
  checkpoint: "onUserMessage",
  message,
  signal: new AbortController().signal,
});

function build(
  privacy: object,
  routers: Record<string, ClawXrouterRouter["detect"]>,
  log: string[] = [],
  more: Partial<ClawXrouterRouter> = {},
) {
  const config = parseConfig(JSON.stringify({ privacy }), "f").privacy;
  const map = new Map(
    Object.entries(routers).map(([id, detect]) => [
      id,
      {
        ...more,
        id,
        detect: (c: RouterContext, e: Parameters<typeof detect>[1]) => {
          log.push(id);
          return detect(c, e);
        },
      },
    ]),
  );
  return new Pipeline({ config: () => config, routers: () => map, warn: (m) => log.push(`warn: ${m}`) });
}
const target = (model: string) => ({ provider: "p", model });

describe("pipeline", () => {
  it("runs privacy first and skips the judge when something private was found (case: judge-raw)", async () => {
    const log: string[] = [];
    const pipeline = build(
      {},
      { privacy: () => ({ level: "S3", action: "redirect" }), "token-saver": () => S1 },
      log,
    );
    const result = await pipeline.run(ctx());
    expect(result).toMatchObject({ level: "S3", router: "privacy", skipped: ["token-saver"] });
    expect(log).toEqual(["privacy"]);
  });

  it("keeps the judge after privacy even when its weight says otherwise, and privacy on a list without it", async () => {
    const log: string[] = [];
    const privacy = {
      routers: { "token-saver": { weight: 99 } },
      pipeline: { onUserMessage: ["token-saver"] },
    };
    const pipeline = build(
      privacy,
      { privacy: () => ({ level: "S2", action: "transform" }), "token-saver": () => S1 },
      log,
    );
    expect(pipeline.plan("onUserMessage")).toEqual({ first: ["privacy"], second: ["token-saver"] });
    await pipeline.run(ctx());
    expect(log).toEqual(["privacy"]);
  });

  it("passthrough of privacy yields to the redirect of the token saver", async () => {
    const pipeline = build(
      {},
      {
        privacy: () => S1,
        "token-saver": () => ({ level: "S1", action: "redirect", target: target("cheap"), tier: "SIMPLE" }),
      },
    );
    expect(await pipeline.run(ctx())).toMatchObject({
      action: "redirect",
      target: target("cheap"),
      router: "token-saver",
      tier: "SIMPLE",
    });
  });

  it("runs the first phase in parallel and follows the list of each checkpoint", async () => {
    let running = 0;
    let together = 0;
    const slow = async (): Promise<RouterDecision> => {
      running += 1;
      together = Math.max(together, running);
      await new Promise((resolve) => setTimeout(resolve, 20));
      running -= 1;
      return S1;
    };
    const privacy = {
      routers: { a: { weight: 60 }, b: { weight: 70 } },
      pipeline: { onUserMessage: ["privacy", "a", "b"], onToolCallExecuted: ["b"] },
    };
    const pipeline = build(privacy, { privacy: slow, a: slow, b: slow });
    expect((await pipeline.run(ctx())).decisions.map((d) => d.router)).toEqual(["privacy", "a", "b"]);
    expect(together).toBe(3);
    expect(pipeline.plan("onToolCallExecuted").first).toEqual(["privacy", "b"]);
  });

  describe("a router that throws", () => {
    const boom = () => {
      throw new Error("boom");
    };
    const failing = (entry: object, privacy: object = {}, router: object = {}) => {
      const log: string[] = [];
      const pipeline = build(
        { ...privacy, routers: { a: entry }, pipeline: { onUserMessage: ["a"] } },
        { privacy: () => S1, a: boom },
        log,
        router,
      );
      return { log, pipeline };
    };

    it.each([
      ["S2", "transform"],
      ["S3", "redirect"],
    ] as const)("fails closed when it is there for privacy: %s", async (failClosed, action) => {
      const { log, pipeline } = failing({ weight: 60 }, { failClosed });
      const reason = `router failed: boom: treated as ${failClosed} (privacy.failClosed)`;
      expect(await pipeline.run(ctx())).toMatchObject({ level: failClosed, action, router: "a", reason });
      expect(log.at(-1)).toBe(`warn: router "a": ${reason}`);
    });

    it("is left out, and that is said, when it is there for the cost or the user wants it so", async () => {
      for (const { pipeline } of [
        failing({ weight: 40 }),
        failing({ weight: 60 }, {}, { purpose: "cost" }),
        failing({ weight: 60 }, { failClosed: "off" }),
      ]) {
        const result = await pipeline.run(ctx());
        expect(result).toMatchObject({ level: "S1" });
        expect(result.decisions.find((d) => d.router === "a")).toMatchObject({
          action: "passthrough",
          error: "boom",
          reason: "router failed: boom",
        });
      }
    });

    it("fails closed below weight 50, too, when it says that it is there for privacy", async () => {
      const { pipeline } = failing({ weight: 10 }, {}, { purpose: "privacy" });
      expect(await pipeline.run(ctx())).toMatchObject({ level: "S2", router: "a" });
    });

    it("counts as failed when its module could not be loaded", async () => {
      const pipeline = build(
        {
          routers: { a: { type: "custom", module: "./gone.js", weight: 60 } },
          pipeline: { onUserMessage: ["a"] },
        },
        { privacy: () => S1 },
      );
      expect(await pipeline.run(ctx())).toMatchObject({
        level: "S2",
        reason: expect.stringContaining("could not be loaded"),
      });
    });

    it("leaves the failure of the privacy router to the caller", async () => {
      await expect(build({}, { privacy: boom }).run(ctx())).rejects.toThrow("boom");
    });
  });

  it("asks a single router for the test panel, and not a disabled one in a run", async () => {
    const pipeline = build(
      { routers: { a: { enabled: false } }, pipeline: { onUserMessage: ["a"] } },
      { privacy: () => S1, a: () => ({ level: "S2", action: "transform" }) },
    );
    expect((await pipeline.run(ctx())).level).toBe("S1");
    expect(await pipeline.runOne("a", ctx())).toMatchObject({ level: "S2" });
    await expect(pipeline.runOne("nobody", ctx())).rejects.toThrow('no router "nobody"');
  });
});

describe("merge", () => {
  const decision = (
    level: Level,
    action: RouterAction,
    weight: number,
    router = `${level}-${action}-${weight}`,
  ): RoutedDecision => ({ level, action, weight, router, durationMs: 0 });
  it.each([
    ["strictest level", [decision("S1", "block", 99), decision("S2", "transform", 1)], "S2-transform-1"],
    [
      "an opinion before none",
      [decision("S1", "passthrough", 90), decision("S1", "redirect", 40)],
      "S1-redirect-40",
    ],
    [
      "weight among opinions",
      [decision("S2", "transform", 90), decision("S2", "block", 40)],
      "S2-transform-90",
    ],
    [
      "strictness at equal weight",
      [decision("S1", "redirect", 50), decision("S1", "block", 50), decision("S1", "transform", 50)],
      "S1-block-50",
    ],
  ])("%s", (_, decisions, winner) => {
    expect(mergeDecisions(decisions, []).router).toBe(winner);
  });
  it("does not depend on the order, and never lowers a level", () => {
    const any = fc.record({
      level: fc.constantFrom<Level>("S1", "S2", "S3"),
      action: fc.constantFrom<RouterAction>("passthrough", "transform", "redirect", "block"),
      weight: fc.nat(100),
    });
    fc.assert(
      fc.property(fc.array(any, { minLength: 1, maxLength: 6 }), (list) => {
        const decisions = list.map((d) => decision(d.level, d.action, d.weight));
        const merged = mergeDecisions(decisions, []);
        expect(mergeDecisions([...decisions].reverse(), []).router).toBe(merged.router);
        for (const d of decisions) expect(merged.level >= d.level).toBe(true);
      }),
    );
  });
});

describe("routers from settings", () => {
  it("configurable by keywords and target; code routers from a file; the example of the repository works", async () => {
    const dir = mkdtempSync(path.join(os.tmpdir(), "clawx-routers-"));
    try {
      const example = fileURLToPath(new URL("../../examples/long-message-router.js", import.meta.url));
      writeFileSync(path.join(dir, "broken.mjs"), "export default { id: 'other', detect() {} };");
      const file = path.join(dir, "clawxrouter.json");
      writeFileSync(
        file,
        JSON.stringify({
          privacy: {
            routers: {
              "content-filter": { weight: 60, keywords: { S2: ["bluewhale"] }, target: target("safe") },
              "long-messages": { type: "custom", module: example, weight: 60, target: target("long") },
              broken: { type: "custom", module: "./broken.mjs", weight: 40 },
            },
            pipeline: { onUserMessage: ["privacy", "content-filter", "long-messages", "broken"] },
          },
        }),
      );
      const errors: string[] = [];
      const settings = new Settings({
        configFile: file,
        builtin: [{ id: "privacy", detect: () => S1 }],
        detectionPrompt: () => "",
        error: (m) => errors.push(m),
      });
      await settings.ready();
      const pipeline = new Pipeline({
        config: () => settings.config().privacy,
        routers: () => settings.routers(),
        warn: () => {},
      });
      expect(await pipeline.run(ctx("about bluewhale"))).toMatchObject({
        level: "S2",
        action: "redirect",
        target: target("safe"),
      });
      expect(await pipeline.run(ctx("x".repeat(20_000)))).toMatchObject({
        level: "S1",
        target: target("long"),
        router: "long-messages",
      });
      expect(await pipeline.run(ctx("short"))).toMatchObject({ level: "S1", action: "passthrough" });
      expect(errors.join("\n")).toContain('the router\'s id is "other"');
      // A bad edit changes nothing.
      writeFileSync(file, '{"privacy":{"rules":{"patterns":{"S2":["(unclosed"]}}}}');
      settings.reload();
      expect(settings.error()).toContain("/privacy/rules/patterns/S2/0");
      expect(settings.config().privacy.routers["content-filter"]).toBeDefined();
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });
});
