import { beforeAll, describe, expect, it, vi } from "vitest";

/** The modules read the browser when they are loaded. */
beforeAll(() => {
  vi.stubGlobal("navigator", { language: "zh-TW", languages: ["fr-FR", "zh-TW", "en"] });
});

describe("the language of the page", () => {
  it("is the browser's first one that there are words for", async () => {
    const { language, locale, preferredLanguage } = await import("./language.ts");
    expect(language.value).toBe("zh");
    expect(locale.value).toBe("zh-CN");
    expect(preferredLanguage(["de", "fr"])).toBe("en");
    expect(preferredLanguage(["EN-gb", "zh"])).toBe("en");
  });

  it("decides how numbers and times are written", async () => {
    const { setLanguage } = await import("./language.ts");
    const { ago, compact, duration, percent, usd } = await import("./format.ts");
    setLanguage("en");
    expect(compact(12_345)).toBe("12.3K");
    expect(usd(0.00042)).toBe("$0.0004");
    expect(usd(12.345)).toBe("$12.35");
    expect(usd(0)).toBe("$0.00");
    expect(percent(0.583)).toBe("58.3%");
    expect([duration(0.42), duration(12.4), duration(1_345)]).toEqual(["0.4 ms", "12 ms", "1.3 s"]);
    expect(ago(0, 5 * 60_000)).toBe("5 minutes ago");
    setLanguage("zh");
    expect(compact(12_345)).toBe("1.2万");
    expect(ago(0, 26 * 3_600_000)).toBe("昨天");
  });

  it("is that of the reasons the gateway makes, not of what rules and models wrote", async () => {
    const { setLanguage } = await import("./language.ts");
    const { reasonText } = await import("./reasons.ts");
    setLanguage("zh");
    expect(reasonText("rule contact/email; holds placeholders of this conversation")).toBe(
      "规则 contact/email；含有本会话的占位符",
    );
    expect(reasonText("SIMPLE (short, fact question)")).toBe("难度简单（简短、事实提问）");
    expect(reasonText("SIMPLE (the user says hello)")).toBe("难度简单（the user says hello）");
    expect(reasonText("constructor")).toBe("constructor");
    expect(reasonText("ROUND (short)")).toBe("ROUND (short)");
    setLanguage("en");
    expect(reasonText("rule contact/email")).toBe("rule contact/email");
  });

  it("leaves none of the cost router's own reasons in English", async () => {
    const { setLanguage } = await import("./language.ts");
    const { reasonText } = await import("./reasons.ts");
    const { TIER_FEATURES } = await import("../../../judge/shape.ts");
    setLanguage("zh");
    const judged = [...TIER_FEATURES.slice(1), "short", "long"].map((name) => `SIMPLE (${name})`);
    for (const reason of [
      ...judged,
      `RESEARCH (${[...TIER_FEATURES.slice(1)].join(", ")})`,
      "MEDIUM (wording; long text)",
      "MEDIUM (short, file, path or link; a document is attached); stays on cloud/main: a switch may cost more than it saves (price unknown)",
      "SIMPLE (no words)",
      "MEDIUM (goes on)",
      "SIMPLE (neither English nor Chinese)",
      "COMPLEX (exam question that needs a strong model (need 62 of 100))",
      "MEDIUM (exam question where a strong model gains little (need 12 of 100))",
      "SIMPLE (wording), downgraded from COMPLEX: budget day 1.02 of 1.00 USD, month 3.00 of 9.00 USD",
      "MEDIUM, but unsure (0.42)",
      "COMPLEX: no configured model of this tier or above fits",
      "MEDIUM (wording); stays on cloud/main: a switch would cost 0.0012 USD more",
      "MEDIUM (wording); cloud/main is not configured in the host: its own choice stays",
      "subagents are exempt; switched off; the model was chosen by hand; no judge answered",
      "local model: no answer within 4000 ms: treated as S3 (privacy.failClosed)",
    ]) {
      const shown = reasonText(reason)
        .replaceAll("cloud/main", "")
        .replaceAll(/S3|privacy\.failClosed/g, "");
      expect(shown, reason).not.toMatch(/[a-z]{2}/i);
      expect(shown, reason).not.toMatch(/undefined/);
    }
    expect(reasonText("MEDIUM (short (really")).toBe("MEDIUM (short (really");
  });
});
