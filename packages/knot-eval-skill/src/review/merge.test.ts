import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { main } from "../cli/main.ts";
import type { ResultItem, ResultsFile } from "../results/schema.ts";
import { makeWorkspace, type Workspace } from "../testing/workspace.ts";
import { mergeReview } from "./merge.ts";
import { selectForReview } from "./pending.ts";
import { VERDICT_FIELDS, verdictSchema } from "./verdict.ts";

type VerdictInput = Record<string, unknown>;

function verdict(id: string, over: VerdictInput = {}): VerdictInput {
  return {
    q_id: id,
    final_grade: "FAIL",
    flipped_from_auto: false,
    flip_reason: "",
    semantic_match_summary: "要点缺失",
    missing_facts: ["x"],
    extra_facts: [],
    hallucination: false,
    hallucination_evidence: "",
    recommended_attribution: "C4",
    attribution_evidence: "切片中有",
    confidence: 0.9,
    reviewer_notes: "",
    ...over,
  };
}

function item(id: string, over: Partial<ResultItem> = {}): ResultItem {
  return {
    q_id: id,
    repeat: 0,
    key: `${id}.0.0`,
    question: `问题${id}`,
    category: null,
    difficulty: null,
    keywords: ["k"],
    expected_docs: ["d"],
    reference_answer: null,
    answer: "答",
    error: null,
    truncated: false,
    latency_ms: 1,
    first_token_ms: 1,
    attempts: 1,
    usage: null,
    cost: null,
    tools: [],
    chunks: [],
    keyword_rate: 0,
    keyword_hits: [],
    keyword_missed: [],
    doc_hit: true,
    doc_hits: [],
    scoring_method_limited: false,
    auto_grade: "FAIL",
    auto_attribution: "C4",
    attribution_alternatives: [],
    attribution_reason: "",
    ai_review: null,
    final_grade: "FAIL",
    final_attribution: "C4",
    ...over,
  };
}

function results(items: ResultItem[]): ResultsFile {
  return {
    schema_version: 1,
    generated_at: "2026-01-01T00:00:00Z",
    agent: { name: "n", agent_id: "a", model: "m", temperature: 0 },
    question_source: "q",
    repeat: 1,
    currency: null,
    items,
  };
}

describe("verdicts", () => {
  it("has exactly the 13 documented fields", () => {
    expect(VERDICT_FIELDS).toHaveLength(13);
    expect(verdictSchema.safeParse(verdict("Q1")).success).toBe(true);
  });

  it.each(VERDICT_FIELDS)("refuses a verdict without %s", (field) => {
    const { [field]: _left, ...rest } = verdict("Q1");
    expect(verdictSchema.safeParse(rest).success).toBe(false);
  });

  it.each([
    ["an unknown grade", { final_grade: "GOOD" }],
    ["an unknown attribution", { recommended_attribution: "D1" }],
    ["confidence as text", { confidence: "high" }],
    ["confidence above 1", { confidence: 90 }],
    ["a flip without reason", { flipped_from_auto: true, flip_reason: " " }],
    ["a hallucination without evidence", { hallucination: true }],
    ["a failed answer without attribution", { recommended_attribution: null }],
    ["a cause on a confirmed PASS", { final_grade: "PASS", recommended_attribution: "A2" }],
    ["a further field", { score: 5 }],
  ])("refuses %s", (_, over) => {
    expect(verdictSchema.safeParse(verdict("Q1", over)).success).toBe(false);
  });
});

describe("mergeReview", () => {
  it("turns FAIL -> PASS of a C4 into A3 and keeps the three fields in step", () => {
    const flip = verdict("Q1", {
      final_grade: "PASS",
      flipped_from_auto: true,
      flip_reason: "语义一致",
      recommended_attribution: "C4",
    });
    const { results: merged, flipped } = mergeReview(results([item("Q1")]), [flip]);
    expect(flipped).toBe(1);
    expect(merged.items[0]).toMatchObject({
      final_grade: "PASS",
      auto_grade: "FAIL",
      auto_attribution: "A3",
      final_attribution: "A3",
      original_auto_attribution: "C4",
      ai_review: { recommended_attribution: "A3" },
    });
  });

  it("takes the reviewer's attribution over the automatic one, in all three fields", () => {
    const { results: merged } = mergeReview(
      results([item("Q1", { auto_attribution: "B1", final_attribution: "B1" })]),
      [verdict("Q1", { recommended_attribution: "C1" })],
    );
    expect(merged.items[0]).toMatchObject({
      auto_attribution: "C1",
      final_attribution: "C1",
      original_auto_attribution: "B1",
      ai_review: { recommended_attribution: "C1" },
    });
  });

  it("merging twice is merging once, and a later review replaces an earlier one", () => {
    const flip = verdict("Q1", {
      final_grade: "PASS",
      flipped_from_auto: true,
      flip_reason: "一致",
      recommended_attribution: null,
    });
    const once = mergeReview(results([item("Q1"), item("Q2")]), [flip]).results;
    expect(mergeReview(once, [flip]).results).toEqual(once);
    const { results: other } = mergeReview(once, [verdict("Q2", { recommended_attribution: "C2" })]);
    expect(other.items[0]).toMatchObject({ final_grade: "FAIL", auto_attribution: "C4", ai_review: null });
    expect(other.items[1]).toMatchObject({ final_attribution: "C2" });
  });

  it.each([
    ["an unknown q_id", [verdict("Q9")], /Q9: unknown q_id/],
    ["a second verdict", [verdict("Q1"), verdict("Q1")], /Q1: judged twice/],
    [
      "a wrong flip flag",
      [verdict("Q1", { final_grade: "PASS", recommended_attribution: null })],
      /Q1: flipped_from_auto is false/,
    ],
    ["a broken verdict", [{ q_id: "Q1", final_grade: "PASS" }], /Q1: .*flip_reason/],
    ["a verdict on an ERROR", [verdict("E1")], /E1: is an ERROR/],
  ])("refuses %s and merges nothing", (_, list, reason) => {
    const file = results([
      item("Q1"),
      item("E1", {
        auto_grade: "ERROR",
        final_grade: "ERROR",
        auto_attribution: null,
        final_attribution: null,
      }),
    ]);
    expect(() => mergeReview(file, list)).toThrow(reason);
    expect(() => mergeReview(file, list)).toThrow(/judge these questions again/);
  });

  it("tells equal ids apart by their number", () => {
    const { results: merged } = mergeReview(results([item("Q1"), item("Q1", { repeat: 1 })]), [
      verdict("Q1#2", { recommended_attribution: "C2" }),
    ]);
    expect(merged.items.map((i) => i.final_attribution)).toEqual(["C4", "C2"]);
  });
});

describe("what goes to review", () => {
  const items = Array.from({ length: 40 }, (_, i) =>
    item(`P${i}`, {
      auto_grade: "PASS",
      final_grade: "PASS",
      auto_attribution: null,
      final_attribution: null,
    }),
  );

  it("is all PARTIAL and FAIL, no ERROR, and with audit the sampled PASS", () => {
    const mixed = results([
      item("F"),
      item("H", { auto_grade: "PARTIAL" }),
      item("E", { auto_grade: "ERROR" }),
      ...items,
    ]);
    const ids = (audit: { enabled: boolean; ratio: number; seed: number }) =>
      selectForReview(mixed, audit).map((s) => s.item.q_id);
    expect(ids({ enabled: false, ratio: 0.1, seed: 1 })).toEqual(["F", "H"]);
    const audited = ids({ enabled: true, ratio: 0.1, seed: 1 });
    expect(audited).toHaveLength(6);
    expect(ids({ enabled: true, ratio: 0.1, seed: 1 })).toEqual(audited);
    expect(ids({ enabled: true, ratio: 0.1, seed: 2 })).not.toEqual(audited);
  });
});

describe("the stages together", () => {
  async function run(w: Workspace, stage: string): Promise<number> {
    return await main(["-c", w.config, "--stage", stage], w.context);
  }

  it("stops at ai_review, then merges, renders and exports", async () => {
    const w = await makeWorkspace({
      questions: 3,
      answers: (q) => ({
        text: q.includes("1")
          ? "好"
          : "完全不同的回答内容，没有命中任何关键词，但是篇幅足够长，属于实质性回答，所以要复审。",
      }),
    });
    try {
      expect(await run(w, "eval,ai_review,merge_review,render,export")).toBe(0);
      expect(w.out()).toContain("STOP");
      const pending = JSON.parse(readFileSync(w.file("pending_ai_review.json"), "utf8")) as {
        items: { q_id: string }[];
      };
      expect(pending.items.map((i) => i.q_id)).toEqual(["Q002", "Q003"]);
      writeFileSync(
        w.file("ai_review_results.json"),
        JSON.stringify([
          verdict("Q002", {
            final_grade: "PASS",
            flipped_from_auto: true,
            flip_reason: "同义",
            recommended_attribution: null,
          }),
        ]),
      );
      expect(await run(w, "merge_review,render,export")).toBe(0);
      expect(w.out()).toContain("1 PARTIAL/FAIL without review");
      expect(readFileSync(w.file("eval_report.md"), "utf8")).toContain("改判 1 题");
      writeFileSync(w.file("ai_review_results.json"), JSON.stringify([verdict("Q777")]));
      expect(await run(w, "merge_review")).toBe(2);
    } finally {
      await w.close();
    }
  });
});
