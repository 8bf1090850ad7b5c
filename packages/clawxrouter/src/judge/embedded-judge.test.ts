import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultConfig } from "../config-file/parse.ts";
import { TIERS } from "../config-file/schema.ts";
import modelFile from "./data/model.json" with { type: "json" };
import { EmbeddedJudge } from "./embedded-judge.ts";

const judge = new EmbeddedJudge();
const minConfidence = defaultConfig().tokenSaver.minConfidence;

describe("EmbeddedJudge", () => {
  it.each([
    ["What is the difference between HTTP 401 and 403?", "SIMPLE"],
    ["HTTP 401 和 403 有什么区别？", "SIMPLE"],
    ["Good morning!", "SIMPLE"],
    ["把这句话翻译成英文：今天天气不错", "SIMPLE"],
    ["Write an email to the tax office asking for two more weeks", "MEDIUM"],
    ["写一个脚本，把图片按日期重命名", "MEDIUM"],
    [
      "Extract date, total and vendor from every invoice in the folder and merge them into one sheet",
      "COMPLEX",
    ],
    ["把所有邮件逐封分类，提取订单号，汇总成表并去重", "COMPLEX"],
    ["Write a comprehensive market research report on oat milk, with sources", "RESEARCH"],
    ["写一份氢能行业的调研报告，要有数据来源和政策梳理", "RESEARCH"],
    ["Prove that the square root of 5 is irrational", "REASONING"],
    ["证明任意两个偶数之和是偶数，过程要严格", "REASONING"],
  ])("%s is %s, surely enough to be acted on", async (prompt, tier) => {
    const verdict = await judge.classify(prompt, {});
    expect(verdict.tier).toBe(tier);
    expect(verdict.confidence).toBeGreaterThan(minConfidence);
    expect(verdict.reason).not.toBe("");
  });

  it("says which features spoke and quotes nothing of the prompt", () => {
    const { reason } = judge.grade("Prove by induction that Zanzibarquux has a counterexample");
    expect(reason).toContain("proof or mathematics");
    expect(reason.toLowerCase()).not.toContain("zanzibarquux");
  });

  it.each(["", "   \n", "!!!", "\u0000\u0001", "🙂🙂"])("has no opinion on %j", (prompt) => {
    expect(judge.grade(prompt).confidence).toBe(0);
  });

  it.each([
    "go ahead",
    "继续",
    "Докажите, что простых чисел бесконечно много",
    "Wie spät ist es jetzt eigentlich in Tokio?",
    "東京は今何時ですか、教えてください",
  ])("leaves the default model in place where the text does not tell the work: %s", (prompt) => {
    expect(judge.grade(prompt).confidence).toBeLessThan(minConfidence);
  });

  it("raises a simple request that brings a document, not one that brings a picture", () => {
    const prompt = "What does it say, in one sentence?";
    expect(judge.grade(prompt).tier).toBe("SIMPLE");
    expect(judge.grade(prompt, { attachments: [{ kind: "image" }] }).tier).toBe("SIMPLE");
    const withFile = judge.grade(prompt, { attachments: [{ kind: "file", mimeType: "application/pdf" }] });
    expect(withFile.tier).toBe("MEDIUM");
    expect(withFile.reason).toContain("document");
    expect(judge.grade(prompt, { attachments: [{ kind: "document", mimeType: "image/png" }] }).tier).toBe(
      "SIMPLE",
    );
  });

  it("never gives a long pasted text to the smallest model", () => {
    const paste = "The meeting began at nine and everybody was there. ".repeat(600);
    expect(judge.grade(`Summarize this in one sentence please: ${paste}`).tier).not.toBe("SIMPLE");
  });

  it("code is work, not a plain question", () => {
    const prompt =
      "Fix the bug and write a unit test for this function\n```ts\nexport const add = (a, b) => a - b;\n```";
    expect(TIERS.indexOf(judge.grade(prompt).tier)).toBeGreaterThanOrEqual(TIERS.indexOf("MEDIUM"));
  });

  it("grades an exam question by the need for a strong model", () => {
    const easy = judge.grade("Public relations aims at\nA. goodwill\nB. war\nC. silence\nD. harm\nAnswer:");
    const hard = judge.grade(
      "A train leaves at 9 with 120 people. At each of the next 4 stops 15 people get off and 7 get on, and at the last stop before the end a third of the people on board leave. How many people are still on the train when it arrives?",
    );
    expect([easy.isQuestion, hard.isQuestion]).toEqual([true, true]);
    expect(hard.strongNeed).toBeGreaterThan(easy.strongNeed);
    expect(TIERS.indexOf(hard.tier)).toBeGreaterThan(TIERS.indexOf(easy.tier));
    expect(hard.reason).toContain("strong model");
  });

  it("gives a well-formed verdict for any text, the same every time", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: "binary", maxLength: 3_000 }), fc.string({ unit: "grapheme" })),
        (text) => {
          const verdict = judge.grade(text);
          expect(TIERS).toContain(verdict.tier);
          expect(verdict.confidence).toBeGreaterThanOrEqual(0);
          expect(verdict.confidence).toBeLessThanOrEqual(1);
          expect(verdict.probabilities.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 9);
          expect(judge.grade(text)).toEqual(verdict);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("takes no longer for ten times the text beyond its window (100 kB of anything: < 5 ms of CPU)", () => {
    for (const unit of [
      "a",
      "汉",
      " ",
      "\n",
      "9",
      "__",
      "A. 1\n",
      "\nA. 9 ",
      "```",
      "😀",
      "\ud800",
      '"',
      "at a(",
      "a@",
    ]) {
      const text = unit.repeat(Math.ceil(100_000 / unit.length));
      judge.grade(text);
      const times = Array.from({ length: 5 }, () => {
        const before = process.threadCpuUsage();
        judge.grade(text);
        const used = process.threadCpuUsage(before);
        return (used.user + used.system) / 1_000;
      });
      expect(Math.min(...times), JSON.stringify(unit)).toBeLessThan(5);
    }
  });

  it("refuses a model file of another shape and says what to do", () => {
    expect(() => new EmbeddedJudge({ version: 2 })).toThrow(/train-judge/);
    const short = structuredClone(modelFile);
    short.tiers.mean.pop();
    expect(() => new EmbeddedJudge(short)).toThrow(/train-judge/);
    const truncated = structuredClone(modelFile);
    truncated.strong.words.weak.weights.bytes = "AAAA";
    expect(() => new EmbeddedJudge(truncated)).toThrow(RangeError);
    const circular = structuredClone(modelFile);
    circular.strong.trees.weak.nodes[2] = 0;
    expect(() => new EmbeddedJudge(circular)).toThrow(/trees/);
  });

  it("stays small", () => {
    expect(JSON.stringify(modelFile).length).toBeLessThan(300_000);
  });
});
