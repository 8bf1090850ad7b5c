import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countGroups, GROUPS } from "./lexicon.ts";
import { packWeights, unpackWeights } from "./linear.ts";
import { rankOf } from "./strong-need.ts";
import { gramBuckets, HEAD_CHARS, hash, stem, TAIL_CHARS, tokensOf, viewOf } from "./text.ts";

const groupsOf = (text: string): string[] => {
  const counts = countGroups(tokensOf(text));
  return GROUPS.filter((_, i) => (counts[i] ?? 0) > 0).map((group) => group.name);
};

describe("what the classifier reads", () => {
  it("keeps head and tail of a long prompt", () => {
    const prompt = `start${"x".repeat(50_000)}end`;
    const view = viewOf(prompt);
    expect(view.chars).toBe(prompt.length);
    expect(view.text.length).toBe(HEAD_CHARS + TAIL_CHARS + 1);
    expect(view.text.startsWith("start") && view.text.endsWith("end")).toBe(true);
  });
  it("parts Han from Latin where no space does", () => {
    expect(tokensOf("用Python写3个 tests!").map((t) => `${t.kind}:${t.text}`)).toEqual([
      "han:用",
      "word:python",
      "han:写",
      "number:3",
      "han:个",
      "word:tests",
      "mark:!",
    ]);
  });
  it("brings the forms of a verb together", () => {
    expect(new Set(["prove", "proves", "proved", "proving"].map(stem)).size).toBe(1);
    expect(new Set(["extract", "extracts", "extracted", "extracting"].map(stem)).size).toBe(1);
  });
  it("hashes as FNV-1a does before its final mix, and stays within the buckets", () => {
    expect(hash("")).not.toBe(hash("a"));
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        for (const bucket of gramBuckets(tokensOf(text), 10)) expect(bucket).toBeLessThan(1_024);
      }),
    );
  });
  it("knows word groups in both languages, in words of more than one token too", () => {
    expect(groupsOf("design a randomized experiment with a control group")).toContain(
      "experiment or inference",
    );
    expect(groupsOf("做一份文献综述")).toContain("research");
    expect(groupsOf("zzz qqq")).toEqual([]);
  });
});

describe("weights as bytes", () => {
  it("come back within half a step", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: -9, max: 9, noNaN: true }), { minLength: 1 }), (weights) => {
        const packed = packWeights(weights);
        const back = unpackWeights(packed, weights.length);
        weights.forEach((w, i) => {
          expect(Math.abs((back[i] ?? 99) - w)).toBeLessThanOrEqual(packed.scale / 254 + 1e-5);
        });
      }),
    );
  });
});

describe("rankOf", () => {
  const quantiles = [-0.5, 0, 0.25, 1];
  it("is 0 below, 1 above, straight in between", () => {
    expect(rankOf(-1, quantiles)).toBe(0);
    expect(rankOf(2, quantiles)).toBe(1);
    expect(rankOf(0.125, quantiles)).toBeCloseTo(0.5, 12);
  });
  it("never falls as the gain rises", () => {
    const gain = fc.double({ min: -2, max: 2, noNaN: true });
    fc.assert(
      fc.property(gain, gain, (a, b) => {
        expect(rankOf(Math.min(a, b), quantiles)).toBeLessThanOrEqual(rankOf(Math.max(a, b), quantiles));
      }),
    );
  });
});
