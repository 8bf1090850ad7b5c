import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BUILT_IN_RULES } from "../rules/index.ts";
import type { Finding } from "../types.ts";
import { compileUserRules } from "../user-rules/compile.ts";
import { detect, levelOf } from "./detect.ts";

/** Values that are found wherever they stand between spaces. */
const VALUES = [
  "13800138000",
  "alice@corp.io",
  "11010519491231002X",
  "10.1.2.3",
  `ghp_${"a1B2c3D4e5".repeat(4)}`,
];

function values(text: string, policy?: Parameters<typeof detect>[1]): string[] {
  return detect(text, policy).map((finding) => finding.value);
}

/** Any text at all, with the parts that rules are about in it. */
const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary", maxLength: 20 }),
      fc.constantFrom(...BUILT_IN_RULES.flatMap((rule) => [...rule.examples.ok, ...rule.examples.ng])),
      fc.constantFrom(
        "\u200b",
        "\u00ad",
        "％",
        "%E4%BD%A0",
        "\\u5ba2",
        "＠",
        "１３８",
        " ",
        "\n",
        '"',
        "=",
        ": ",
      ),
    ),
    { maxLength: 14 },
  )
  .map((parts) => parts.join(""));

describe("detect", () => {
  it("gives sorted, disjoint, exact spans for any text", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        let end = 0;
        for (const finding of detect(text)) {
          expect(finding.start).toBeGreaterThanOrEqual(end);
          expect(finding.end).toBeGreaterThan(finding.start);
          expect(finding.end).toBeLessThanOrEqual(text.length);
          expect(text.slice(finding.start, finding.end)).toBe(finding.value);
          end = finding.end;
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("finds a value among any Chinese or English words", () => {
    const words = fc.array(
      fc.constantFrom("请", "把", "这个", "发给我", "please", "look", "at", "，", "。", "\n"),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(words, fc.constantFrom(...VALUES), words, (before, value, after) => {
        expect(values(`${before.join(" ")} ${value} ${after.join(" ")}`)).toContain(value);
      }),
    );
  });

  it("sees through zero-width characters and full-width forms wherever they are", () => {
    const hide = (value: string, wide: readonly boolean[], cut: number): string =>
      Array.from(value, (character, index) => {
        const code = character.charCodeAt(0);
        const shown = wide[index] === true && code > 0x20 ? String.fromCharCode(code + 0xfee0) : character;
        return index > 0 && index % cut === 0 ? `\u200b${shown}` : shown;
      }).join("");
    fc.assert(
      fc.property(
        fc.constantFrom(...VALUES),
        fc.array(fc.boolean(), { minLength: 60, maxLength: 60 }),
        fc.integer({ min: 1, max: 9 }),
        (value, wide, cut) => {
          const hidden = hide(value, wide, cut);
          expect(values(`x ${hidden} y`)).toEqual([hidden]);
        },
      ),
    );
  });

  it.each([
    ["percent-encoding", encodeURIComponent("tel: 13800138000"), 1],
    ["all of it percent-encoded", [..."13800138000"].map((digit) => `%3${digit}`).join(""), 1],
    ["double percent-encoding", "x=alice%2540corp.io", 1],
    ["JSON escapes", "\\u5ba2\\u6237\\u9648\\u5efa\\u56fd\\uff0c", 1],
    ["base64", Buffer.from("please call 13800138000 today").toString("base64"), 1],
    [
      "base64url in a query",
      `?q=${Buffer.from("身份证 11010519491231002X 谢谢").toString("base64url")}&b=1`,
      1,
    ],
    [
      "base64 in base64",
      Buffer.from(Buffer.from("mail alice@corp.io to me").toString("base64")).toString("base64"),
      1,
    ],
    ["base64 of nothing private", Buffer.from("please look at the weather today").toString("base64"), 0],
  ])("looks into %s", (_name, text, count) => {
    expect(detect(text)).toHaveLength(count);
    expect(detect(text, { decode: false })).toHaveLength(0);
  });

  it("finds a value after any amount of harmless text", () => {
    const text = `${"Nothing to see here. 没有什么。\n".repeat(20_000)}AKIA${"IOSFODNN7EXAMPLE"}`;
    expect(values(text)).toEqual([`AKIA${"IOSFODNN7EXAMPLE"}`]);
  });

  it("takes text that looks like a placeholder as any text", () => {
    expect(values("[REDACTED:PHONE_1] 13800138000 [SYSTEM]")).toEqual(["13800138000"]);
  });
});

describe("policy", () => {
  const text = "13800138000 alice@corp.io";

  it("switches off rules and families", () => {
    expect(values(text, { disabledRules: ["contact/email"] })).toEqual(["13800138000"]);
    expect(values(text, { disabledRules: ["contact/*"] })).toEqual([]);
  });

  it("lets listed values through, by string or by pattern, every time", () => {
    const allow = ["13800138000", /@corp\.io$/g];
    expect(values(text, { allow })).toEqual([]);
    expect(values(`${text} ${text}`, { allow })).toEqual([]);
  });

  it("drops what it is less sure of, and changes levels by type", () => {
    expect(values(text, { minConfidence: 0.94 })).toEqual(["alice@corp.io"]);
    expect(values(text, { levels: { EMAIL: "S1" } })).toEqual(["13800138000"]);
    expect(levelOf(detect(text, { levels: { PHONE: "S3" } }))).toBe("S3");
  });

  it("adds the user's rules, which see folded text", () => {
    const userRules = compileUserRules({ keywords: { S3: ["项目蓝鲸"] }, patterns: { S2: ["HT-\\d{4}"] } });
    const found = detect("项目\u200b蓝鲸 ＨＴ－２０２４", { userRules });
    expect(found.map(({ value, level, rule }) => [value, level, rule])).toEqual([
      ["项目\u200b蓝鲸", "S3", "user/keyword"],
      ["ＨＴ－２０２４", "S2", "user/patterns.S2[0]"],
    ]);
  });
});

describe("levelOf", () => {
  it("is the strictest", () => {
    const finding = (level: Finding["level"]): Finding => ({
      start: 0,
      end: 1,
      type: "T",
      level,
      rule: "r/r",
      confidence: 1,
      value: "x",
    });
    expect(levelOf([])).toBe("S1");
    expect(levelOf([finding("S2")])).toBe("S2");
    expect(levelOf([finding("S2"), finding("S3"), finding("S2")])).toBe("S3");
  });
});
