import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { defaultConfig, parseConfig } from "../config-file/parse.ts";
import type { EndEvent, ForwardEvent } from "../egress/types.ts";
import { Ledger } from "../ledger/ledger.ts";
import type { Judge, RouterContext } from "../routing/types.ts";
import { budgetReport } from "./budget.ts";
import { CachedJudge, parseTier } from "./judges.ts";
import { costOf, priceOf } from "./prices.ts";
import { savingOfSwitch } from "./stickiness.ts";
import { type LastUse, TokenSaver } from "./token-saver.ts";

const M = (id: string, more: object = {}) => ({
  id,
  contextWindow: 100_000,
  maxTokens: 4_000,
  input: ["text"],
  supportsTools: undefined,
  cost: undefined,
  ...more,
});

describe("prices", () => {
  const host: Record<string, { input: number; output: number }> = {
    "openai/gpt-4o": { input: 2.5, output: 10 },
    "a/x": { input: 1, output: 2 },
    "b/x": { input: 3, output: 6 },
    "c/zero": { input: 0, output: 0 },
  };
  const sources = {
    configured: { "openai/gpt-4o-mini": { input: 0.15, output: 0.6 } },
    host: (ref: { provider: string; model: string }) => host[`${ref.provider}/${ref.model}`],
    isLocal: (p: string) => p === "ollama",
  };
  it("a small sibling has its own price, an unknown model none (case: mini-price)", () => {
    expect(priceOf({ provider: "openai", model: "gpt-4o-mini" }, sources)?.input).toBe(0.15);
    expect(priceOf({ provider: "openai", model: "gpt-4o-nano" }, sources)).toBeUndefined();
    expect(priceOf({ provider: "c", model: "zero" }, sources)).toBeUndefined();
  });
  it("one id at two providers has two prices (case: one-id-two-providers)", () => {
    expect(priceOf({ provider: "a", model: "x" }, sources)?.input).toBe(1);
    expect(priceOf({ provider: "b", model: "x" }, sources)?.input).toBe(3);
    expect(priceOf({ provider: "ollama", model: "any" }, sources)).toMatchObject({ input: 0, output: 0 });
  });
  it("counts cached tokens once, whichever way the API reports them", () => {
    const price = { input: 10, output: 20, cacheRead: 1, cacheWrite: 12 };
    const openai = costOf(
      { inputTokens: 1_000, cacheReadTokens: 800, outputTokens: 100 },
      price,
      "openai-completions",
    );
    const anthropic = costOf(
      { inputTokens: 200, cacheReadTokens: 800, outputTokens: 100 },
      price,
      "anthropic-messages",
    );
    expect(openai).toBeCloseTo((200 * 10 + 800 + 100 * 20) / 1e6, 12);
    expect(anthropic).toBeCloseTo(openai ?? 0, 12);
    expect(costOf({ inputTokens: 1 }, undefined, "x")).toBeUndefined();
  });
});

describe("stickiness and budget", () => {
  it("a long warm conversation does not switch for a small saving, a cold or short one does", () => {
    const from = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
    const to = { input: 1, output: 2, cacheRead: 0.1 };
    const q = { conversationTokens: 80_000, messageTokens: 50, answerTokens: 600, idleMs: 1_000, from, to };
    expect(savingOfSwitch(q)).toBeLessThan(0);
    expect(savingOfSwitch({ ...q, idleMs: 600_000 })).toBeGreaterThan(0);
    expect(savingOfSwitch({ ...q, conversationTokens: 500 })).toBeGreaterThan(0);
    expect(savingOfSwitch({ ...q, to: undefined })).toBeUndefined();
  });
  it("budget states", () => {
    const budget = { dayUsd: 1, warnAt: 0.8, onExceeded: "downgrade" as const };
    expect(budgetReport({ dayUsd: 0.5, monthUsd: 9 }, budget).state).toBe("ok");
    expect(budgetReport({ dayUsd: 0.85, monthUsd: 9 }, budget).state).toBe("warn");
    expect(budgetReport({ dayUsd: 1, monthUsd: 9 }, budget).state).toBe("exceeded");
    expect(budgetReport({ dayUsd: 1, monthUsd: 9 }, { warnAt: 0.8, onExceeded: "warn" }).state).toBe("none");
  });
});

describe("token saver", () => {
  const config = parseConfig(
    JSON.stringify({
      tokenSaver: {
        tiers: {
          SIMPLE: { provider: "c", model: "small" },
          MEDIUM: { model: "mid" },
          COMPLEX: { provider: "c", model: "eyes" },
        },
      },
    }),
    "f",
  ).tokenSaver;
  let tier = "SIMPLE";
  let confidence = 0.9;
  let asked = 0;
  const judge: Judge = {
    id: "fake",
    classify: async () => {
      asked++;
      return { tier: tier as "SIMPLE", confidence, reason: "because" };
    },
  };
  const models = {
    "c/small": M("small"),
    "c/eyes": M("eyes", { input: ["text", "image"] }),
    "d/mid": M("mid", { contextWindow: 5_000 }),
  } as Record<string, ReturnType<typeof M>>;
  const build = (
    more: {
      last?: LastUse;
      spent?: { dayUsd: number; monthUsd: number };
      config?: typeof config;
      now?: () => number;
    } = {},
  ) =>
    new TokenSaver({
      config: () => more.config ?? config,
      judge: new CachedJudge(
        () => ({ embedded: judge, localLlm: undefined }),
        () => more.config ?? config,
        more.now,
      ),
      providerOf: (model) => (model === "mid" ? "d" : undefined),
      find: (ref) => models[`${ref.provider}/${ref.model}`],
      isDefault: (ref) => ref.model !== "by-hand",
      prices: () => ({
        configured: {
          "c/small": { input: 1, output: 2 },
          "c/eyes": { input: 3, output: 15, cacheRead: 0.3 },
        },
        host: () => undefined,
        isLocal: () => false,
      }),
      lastUse: () => more.last,
      spent: () => more.spent ?? { dayUsd: 0, monthUsd: 0 },
      warn: () => {},
      now: more.now,
    });
  const ctx = (more: Partial<RouterContext> = {}): RouterContext => ({
    checkpoint: "onUserMessage",
    message: "hi",
    sessionKey: "s",
    signal: new AbortController().signal,
    ...more,
  });

  it("gives each tier its model, by provider or by the only provider that lists it", async () => {
    tier = "SIMPLE";
    expect((await build().detect(ctx())).target).toEqual({ provider: "c", model: "small" });
    tier = "MEDIUM";
    expect((await build().detect(ctx())).target).toEqual({ provider: "d", model: "mid" });
    tier = "REASONING";
    expect(await build().detect(ctx())).toMatchObject({ action: "passthrough" });
  });
  it("goes a tier up for images and long texts", async () => {
    tier = "SIMPLE";
    expect((await build().detect(ctx({ attachments: [{ kind: "image" }] }))).target?.model).toBe("eyes");
    tier = "MEDIUM";
    expect((await build().detect(ctx({ conversationTokens: 50_000 }))).target?.model).toBe("eyes");
  });
  it("keeps the default when unsure, exempts subagents by option", async () => {
    tier = "SIMPLE";
    confidence = 0.2;
    expect((await build().detect(ctx())).action).toBe("passthrough");
    confidence = 0.9;
    const exempt = { ...config, exemptSubagents: true };
    expect((await build({ config: exempt }).detect(ctx({ subagent: true }))).action).toBe("passthrough");
  });
  it("leaves a model alone that somebody chose", async () => {
    tier = "SIMPLE";
    const chosen = ctx({ currentModel: { provider: "c", model: "by-hand" } });
    expect(await build().detect(chosen)).toMatchObject({
      action: "passthrough",
      reason: "the model was chosen by hand",
    });
  });
  it("asks the judge once for the same prompt within the time to live", async () => {
    let now = 1_000;
    const saver = build({ now: () => now });
    asked = 0;
    await saver.detect(ctx());
    await saver.detect(ctx());
    expect(asked).toBe(1);
    now += config.cacheTtlMs + 1;
    await saver.detect(ctx());
    expect(asked).toBe(2);
  });
  it("stays where a switch would cost more, and leaves for a harder task", async () => {
    tier = "SIMPLE";
    const last: LastUse = {
      model: { provider: "c", model: "eyes" },
      tier: "COMPLEX",
      conversationTokens: 80_000,
      at: Date.now(),
    };
    const stayed = await build({ last }).detect(ctx());
    expect(stayed.target?.model).toBe("eyes");
    expect(stayed.reason).toContain("USD more");
    expect((await build({ last: { ...last, conversationTokens: 100 } }).detect(ctx())).target?.model).toBe(
      "small",
    );
    tier = "COMPLEX";
    expect(
      (
        await build({ last: { ...last, model: { provider: "c", model: "small" }, tier: "SIMPLE" } }).detect(
          ctx(),
        )
      ).target?.model,
    ).toBe("eyes");
  });
  it("downgrades when the budget is used up", async () => {
    tier = "COMPLEX";
    const tight = { ...config, budget: { ...config.budget, dayUsd: 1 } };
    const decision = await build({ config: tight, spent: { dayUsd: 2, monthUsd: 2 } }).detect(ctx());
    expect(decision).toMatchObject({ target: { model: "small" }, tier: "SIMPLE" });
    expect(decision.reason).toContain("budget");
  });
  it("reads a judge's answer", () => {
    expect(parseTier('```json\n{"tier":"reasoning","confidence":2}\n```')).toMatchObject({
      tier: "REASONING",
      confidence: 1,
    });
    expect(parseTier("COMPLEX")).toBeUndefined();
    expect(defaultConfig().tokenSaver.judge).toBe("auto");
  });
});

describe("ledger", () => {
  it("adds up requests by hour, model and route, with unknown prices counted apart, and holds no text", () => {
    const dir = mkdtempSync(path.join(os.tmpdir(), "clawx-ledger-"));
    const ledger = new Ledger(path.join(dir, "ledger.sqlite"), {
      price: (forward) => (forward.model === "m" ? 0.25 : undefined),
    });
    try {
      const at = Date.now();
      for (const [i, model] of ["m", "m", "x"].entries()) {
        const forward: ForwardEvent = {
          kind: "forward",
          requestId: `r${i}`,
          at,
          providerId: "p",
          session: "s",
          api: "openai-completions",
          endpoint: "chat",
          model,
          local: false,
          stream: true,
          level: "S2",
          replaced: { PHONE: 1 },
          mediaWithheld: 0,
          signaturesStripped: 0,
          reasons: ["rule contact/phone"],
          degraded: undefined,
          requestBytes: 1,
          sentBytes: 1,
          inspectMs: 1,
        };
        const end: EndEvent = {
          kind: "end",
          requestId: `r${i}`,
          at,
          providerId: "p",
          session: "s",
          status: 200,
          outcome: "ok",
          usage: { inputTokens: 10, outputTokens: 5 },
          restored: 1,
          ttfbMs: 1,
          durationMs: 3,
          responseBytes: 1,
          upstreamRequestId: undefined,
        };
        ledger.egress(forward);
        ledger.egress(end);
        ledger.egress(end);
      }
      ledger.egress({
        kind: "refused",
        requestId: "r9",
        at,
        providerId: "p",
        session: undefined,
        code: "bad-key",
        status: 401,
        detail: "no",
        level: undefined,
      });
      expect(ledger.spentSince(at - 1)).toBeCloseTo(0.5);
      const rows = ledger.hourly(at - 7_200_000, at + 7_200_000);
      expect(rows.find((r) => r.model === "m")).toMatchObject({
        n: 2,
        input: 20,
        output: 10,
        route: "redacted",
        unpriced: 0,
      });
      expect(rows.find((r) => r.model === "x")).toMatchObject({ n: 1, unpriced: 1, usd: 0 });
      expect(rows.find((r) => r.kind === "refused")?.n).toBe(1);
      expect(ledger.requests({ session: "s" }).length).toBe(3);
    } finally {
      ledger.close();
      rmSync(dir, { recursive: true, force: true });
    }
  });
});
