import { describe, expect, it } from "vitest";
import { MODELS } from "../../testing/fixed.ts";
import { halfPriced, priceOf, priceRows, withPrice } from "./prices.ts";

describe("prices", () => {
  it("show the host's until the user has his own", () => {
    const own = { "openrouter/kimi-k2.5": { input: 1, output: 2 } };
    const row = (key: string) => priceRows(own, MODELS).find((entry) => entry.key === key);
    expect(row("openrouter/glm-5")).toMatchObject({
      own: undefined,
      from: "host",
      host: { input: 1, output: 3.2 },
    });
    expect(row("openrouter/kimi-k2.5")).toMatchObject({
      own: { input: 1, output: 2 },
      from: "settings",
      host: undefined,
    });
  });

  it("never make up one that nobody knows", () => {
    expect(priceOf({ provider: "openrouter", model: "kimi-k2.5" }, {}, MODELS)).toBeUndefined();
    expect(priceOf({ model: "not-there" }, {}, MODELS)).toBeUndefined();
    expect(priceOf({ model: "glm-5" }, {}, MODELS)).toEqual({ input: 1, output: 3.2 });
  });

  it("of models that the host no longer lists stay visible", () => {
    expect(priceRows({ "gone/model": { input: 1, output: 1 } }, MODELS).at(-1)?.key).toBe("gone/model");
  });

  it("with only one side cannot be saved; emptied they go away", () => {
    const half = withPrice({}, "a/b", "input", 3);
    expect(halfPriced(half)).toBe(true);
    const whole = withPrice(half, "a/b", "output", 4);
    expect(halfPriced(whole)).toBe(false);
    const none = withPrice(withPrice(whole, "a/b", "input", undefined), "a/b", "output", undefined);
    expect(none).toEqual({});
  });
});
