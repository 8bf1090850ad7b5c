import { readFileSync, writeFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { main } from "../cli/main.ts";
import { makeWorkspace, type Workspace, type WorkspaceOptions } from "../testing/workspace.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const item of open.splice(0)) await item.close();
});

async function workspace(options: WorkspaceOptions = {}): Promise<Workspace> {
  const w = await makeWorkspace(options);
  open.push(w);
  return w;
}

const stage = (w: Workspace, names: string) => main(["-c", w.config, "--stage", names], w.context);

describe("verdicts about other answers", () => {
  const verdict = (id: string) => ({
    q_id: id,
    final_grade: "PASS",
    flipped_from_auto: true,
    flip_reason: "同义",
    semantic_match_summary: "一致",
    missing_facts: [],
    extra_facts: [],
    hallucination: false,
    hallucination_evidence: "",
    recommended_attribution: "A2",
    attribution_evidence: "",
    confidence: 1,
    reviewer_notes: "",
  });

  async function judged(): Promise<Workspace> {
    let version = 1;
    const w = await workspace({
      questions: 2,
      keywords: ["好", "坏"],
      answers: (q) => ({ text: q.includes("2") ? `好 v${version++}` : "好 v0" }),
    });
    await stage(w, "eval,ai_review");
    writeFileSync(w.file("ai_review_results.json"), JSON.stringify([verdict("Q001"), verdict("Q002")]));
    expect(await stage(w, "merge_review")).toBe(0);
    w.writeConfig({ eval: { prompt_version: "2" } });
    return w;
  }

  it("are taken out by the next ai_review; those that still fit stay", async () => {
    const w = await judged();
    expect(await stage(w, "eval,ai_review")).toBe(0);
    expect(w.notes()).toMatch(/1 verdict\(s\) were about other answers.*Q002/);
    const pending = JSON.parse(readFileSync(w.file("pending_ai_review.json"), "utf8")) as {
      to_judge: string[];
    };
    expect(pending.to_judge).toEqual(["Q002"]);
    expect(JSON.parse(readFileSync(w.file("ai_review_results.json.bak"), "utf8"))).toHaveLength(2);
    expect(await stage(w, "merge_review")).toBe(0);
    expect(w.results().items.map((i) => i.final_grade)).toEqual(["PASS", "PARTIAL"]);
  });

  it("are refused by merge_review when ai_review was left out", async () => {
    const w = await judged();
    expect(await stage(w, "eval,merge_review")).toBe(2);
    expect(w.notes()).toMatch(/run ai_review and merge_review to bring the review back/);
    expect(w.notes()).toMatch(/Q002: was asked again after the review/);
  });
});
