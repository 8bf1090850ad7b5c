import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { configSchema } from "../config/schema.ts";
import type { Chunk } from "../mcp/chunks.ts";
import { type AttributionSignals, attribute } from "./attribution.ts";
import { canonicalise } from "./canonical.ts";
import { matchDocuments } from "./documents.ts";
import { KeywordMatcher, type MatcherOptions } from "./matcher.ts";
import { parseChineseNumeral } from "./numerals.ts";
import { scoreAnswer } from "./score.ts";

const find = (keyword: string, answer: string, options: MatcherOptions = {}) => {
  const matcher = new KeywordMatcher(options);
  return matcher.match(keyword, matcher.prepareAnswer(answer));
};

describe("layers, in their order", () => {
  it.each([
    ["批量导出", "支持批量导出。", {}, "exact"],
    ["批量导出", "支持批量“导出”。", {}, "punctuation"],
    ["部门的审批", "需要部门审批。", {}, "stop_words"],
    ["提交采购申请", "提交一份采购申请。", {}, "fragments"],
    ["审批通过", "需要主管点头同意。", { synonymPhrases: { 审批通过: ["点头同意"] } }, "synonym"],
  ] as const)("%s in %s: %s", (keyword, answer, options, layer) => {
    expect(find(keyword, answer, options)).toMatchObject({ hit: { layer } });
  });

  it("names the rule of an equivalence", () => {
    expect(find("30天", "一个月内办理", { equivalents: [["一个月", "30天"]] })).toMatchObject({
      hit: { because: "30天 = 一个月" },
    });
    expect(find("30天", "一个月内办理")).toMatchObject({ miss: { reason: "absent" } });
  });

  it("reports the place in the original answer, folded characters included", () => {
    const answer = "上限：５，０００元（含税）。\u200b支持ＡＰＩ。";
    const hit = find("API", answer);
    expect("hit" in hit && answer.slice(hit.hit.spans[0]?.start, hit.hit.spans[0]?.end)).toBe("ＡＰＩ");
    const denied = find("支持导出", "系统不支持导出");
    expect(denied).toMatchObject({ miss: { reason: "negated", spans: [{ start: 3, end: 7 }] } });
  });

  it("a keyword without a negation is found in itself, as a whole (property)", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[甲乙丙丁审批部门报销系统a-z0-9%]{2,12}$/), (keyword) => {
        const matcher = new KeywordMatcher();
        const result = matcher.match(keyword, matcher.prepareAnswer(keyword));
        return (
          "hit" in result &&
          result.hit.spans[0]?.start === 0 &&
          result.hit.spans.at(-1)?.end === keyword.length
        );
      }),
      { numRuns: 1_000 },
    );
  });

  it("offsets always lie inside the original and in order (property)", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 80 }), (text) => {
        const { base } = canonicalise(text);
        return (
          base.text.length === base.starts.length &&
          base.starts.every(
            (s, i) =>
              s >= 0 &&
              (base.ends[i] ?? 0) <= text.length &&
              s <= (base.ends[i] ?? 0) &&
              (i === 0 || s >= (base.starts[i - 1] ?? 0)),
          )
        );
      }),
      { numRuns: 500 },
    );
  });
});

describe("Chinese numerals", () => {
  it.each([
    ["三十", 30],
    ["一百零五", 105],
    ["一百二", 120],
    ["两千", 2000],
    ["五千万", 5e7],
    ["一亿二千万", 1.2e8],
    ["三点五", 3.5],
    ["二〇二四", 2024],
    ["十五", 15],
    ["一万零五百", 10500],
  ])("%s = %d", (text, value) => {
    expect(parseChineseNumeral(text)).toBe(value);
  });

  it.each(["万", "点", "三三十", "abc", ""])("%s is none", (text) => {
    expect(parseChineseNumeral(text)).toBeUndefined();
  });
});

describe("documents, three ways", () => {
  const chunk = (title: string, docId?: string): Chunk => ({
    title,
    content: "",
    docId,
    index: undefined,
    url: undefined,
  });

  it.each([
    ["by title", "员工手册.docx", "", [chunk("《员工手册》")], "retrieved"],
    ["by id", "d-1", "", [chunk("别名", "d-1")], "retrieved"],
    ["named in the answer", "员工休假管理办法", "根据《员工休假管理办法》第三条", [], "cited"],
    ["by a similar title", "差旅费用报销流程说明", "", [chunk("差旅费用报销流程说明书")], "similar_title"],
  ] as const)("%s", (_, doc, answer, chunks, way) => {
    expect(matchDocuments([doc], answer, chunks)).toMatchObject([{ doc, way }]);
  });

  it("another year or edition is another document", () => {
    expect(matchDocuments(["考勤管理办法2023版"], "", [chunk("考勤管理办法2024版")])).toEqual([]);
  });
});

describe("attribution", () => {
  const base: AttributionSignals = {
    grade: "FAIL",
    keywordRate: 0,
    docHit: true,
    substantive: true,
    refusal: false,
    chunks: 2,
    missingInChunks: 1,
    missingNotInSource: 0,
    nearMisses: 0,
    missing: 2,
    denied: 0,
    scoringMethodLimited: false,
  };
  it.each([
    ["A1", { missingNotInSource: 2 }],
    ["A2", { nearMisses: 2, keywordRate: 0.5, grade: "PARTIAL" }],
    ["A3", {}],
    ["A3", { scoringMethodLimited: true, keywordRate: 0.5, grade: "PARTIAL" }],
    ["B1", { docHit: false, substantive: false, refusal: true }],
    ["B2", { docHit: false }],
    ["B3", { keywordRate: 0.3, missingInChunks: 0 }],
    ["C1", { docHit: false, chunks: 0 }],
    ["C2", { keywordRate: 0.5, grade: "PARTIAL" }],
    ["C3", { substantive: false, refusal: true }],
    ["C4", { keywordRate: 0.3 }],
    ["C4", { keywordRate: 0.5, grade: "PARTIAL", denied: 1 }],
  ] as const)("%s", (code, over) => {
    expect(attribute({ ...base, ...over } as AttributionSignals)?.attribution).toBe(code);
  });

  it("has none for PASS", () => expect(attribute({ ...base, grade: "PASS" })).toBeUndefined());

  it("A3 never stands beside C2 or C4 (property)", () => {
    fc.assert(
      fc.property(
        fc.record({
          grade: fc.constantFrom("PARTIAL" as const, "FAIL" as const),
          keywordRate: fc.double({ min: 0, max: 0.79, noNaN: true }),
          docHit: fc.constantFrom(true, false, null),
          substantive: fc.boolean(),
          refusal: fc.boolean(),
          chunks: fc.nat(3),
          missingInChunks: fc.constantFrom(null, 0, 0.5, 1),
          missingNotInSource: fc.nat(2),
          nearMisses: fc.nat(2),
          missing: fc.constant(2),
          denied: fc.nat(2),
          scoringMethodLimited: fc.boolean(),
        }),
        (signals) => {
          const result = attribute(signals);
          const all = result ? [result.attribution, ...result.alternatives] : [];
          return (
            all.length > 0 &&
            new Set(all).size === all.length &&
            !(all.includes("A3") && (all.includes("C2") || all.includes("C4")))
          );
        },
      ),
    );
  });
});

describe("scoreAnswer", () => {
  const grading = configSchema.shape.grading.parse({});
  const question = {
    q_id: "q",
    question: "?",
    keywords: ["5天", "3月31日", "部门审批", "书面申请", "休假系统"],
    expected_docs: ["休假办法"],
  };
  it("grades by rate, tells negated from absent", () => {
    const score = scoreAnswer(
      question,
      "《休假办法》规定结转5天，到3月31日，需要部门审批，无需书面申请。",
      [],
      new KeywordMatcher(),
      grading,
    );
    expect(score).toMatchObject({ grade: "PARTIAL", keyword_rate: 0.6, doc_hit: true });
    expect(score.keyword_missed.map((m) => [m.keyword, m.reason])).toEqual([
      ["书面申请", "negated"],
      ["休假系统", "absent"],
    ]);
  });
});
