import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { firstGraphemes } from "./normalise.ts";
import { stem } from "./stem.ts";
import { queryTokens, singleCjk, tokenise } from "./tokenise.ts";

describe("tokens", () => {
  it.each([
    ["使用缓存", ["使用", "用缓", "缓存"]],
    ["A股", ["a", "股"]],
    ["GitHub备份脚本", ["git", "hub", "github", "备份", "份脚", "脚本"]],
    ["getUserId", ["get", "user", "id", "getuserid"]],
    ["HTTPServer", ["http", "server", "httpserver"]],
    ["max_retry-count", ["max", "retry", "count", "maxretrycount"]],
    ["ＡＢＣ１２３", ["abc123", "abc"]],
    ["C++ 和 C#", ["c", "c++", "和", "c", "c#"]],
    ["v1.2.3", ["v1", "2", "3", "v123"]],
    ["忽\u200b略", ["忽略"]],
    ["コンテナ", ["コン", "ンテ", "テナ"]],
    ["🎉 !!! ——", []],
  ])("%s", (text, tokens) => {
    expect(tokenise(text)).toEqual(tokens);
  });

  it("folds inflections of English words only", () => {
    for (const [a, b] of [
      ["caches", "cached"],
      ["retries", "retry"],
      ["deployed", "deploying"],
      ["tests", "testing"],
      ["running", "run"],
    ] as const) {
      expect(stem(a)).toBe(stem(b));
    }
    for (const word of ["status", "less", "analysis", "redis", "bus"]) expect(stem(word)).toBe(word);
  });

  it("leaves stop words out of queries, unless there is nothing else", () => {
    expect(queryTokens("请问什么缓存")).not.toContain("什么");
    expect(queryTokens("请问什么缓存")).toContain("缓存");
    expect(queryTokens("how do I use the cache")).toEqual([stem("cache")]);
    expect(queryTokens("什么")).toEqual(["什么"]);
  });

  it("knows a query of one CJK character", () => {
    expect(singleCjk(" 猫 ")).toBe("猫");
    expect(singleCjk("猫咪")).toBeUndefined();
    expect(singleCjk("a")).toBeUndefined();
  });

  it("gives only lower-case letters, digits, + and # whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        for (const token of tokenise(text)) {
          expect(token).toMatch(/^[\p{L}\p{N}\p{M}+#ー々〆]+$/u);
          expect(token.length).toBeLessThanOrEqual(64);
        }
      }),
    );
  });
});

it("cuts by user-perceived characters", () => {
  expect(firstGraphemes("👩‍👩‍👧‍👦x", 1)).toEqual({ text: "👩‍👩‍👧‍👦", cut: true });
  expect(firstGraphemes("e\u0301a", 1)).toEqual({ text: "e\u0301", cut: true });
  expect(firstGraphemes("abc", 3)).toEqual({ text: "abc", cut: false });
});
