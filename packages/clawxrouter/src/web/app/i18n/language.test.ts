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
    expect(reasonText("SIMPLE (short, fact question)")).toBe("难度简单（short, fact question）");
    expect(reasonText("constructor")).toBe("constructor");
    setLanguage("en");
    expect(reasonText("rule contact/email")).toBe("rule contact/email");
  });
});
