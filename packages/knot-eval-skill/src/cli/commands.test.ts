import { readFileSync, writeFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { startFakeLlm } from "../testing/fake-llm.ts";
import { startFakeMcp } from "../testing/fake-mcp.ts";
import { HANDBOOK } from "../testing/handbook.ts";
import { makeWorkspace, TEST_TOKENS, type Workspace, type WorkspaceOptions } from "../testing/workspace.ts";
import { parseShare } from "./args.ts";
import { main } from "./main.ts";
import { VERSION } from "./version.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const item of open.splice(0)) await item.close();
});

async function workspace(options: WorkspaceOptions = {}): Promise<Workspace> {
  const w = await makeWorkspace(options);
  open.push(w);
  return w;
}

describe("the command line", () => {
  it.each([
    ["no stage", ["--config", "x.yaml"], /--stage is missing/],
    ["an unknown stage", ["--stage", "evaluate"], /Unknown stage evaluate; allowed: gen, eval/],
    ["an unknown option", ["--stage", "eval", "--fast"], /fast/],
    ["a wrong share", ["--stage", "eval", "--fail-under", "very"], /--fail-under needs a share/],
    ["a wrong count", ["--stage", "eval", "--repeat", "0"], /--repeat needs a whole number/],
    ["a missing file", ["--stage", "eval", "--config", "/nope/x.yaml"], /Cannot read configuration/],
    ["one file to compare", ["compare", "a.json"], /two result files/],
  ])("refuses %s with exit 2", async (_, argv, reason) => {
    const w = await workspace();
    expect(await main(argv, w.context)).toBe(2);
    expect(w.notes()).toMatch(reason);
  });

  it("reads shares in three spellings", () => {
    expect([parseShare("95%", "x"), parseShare("0.95", "x"), parseShare("3pp", "x")]).toEqual([
      0.95, 0.95, 0.03,
    ]);
  });

  it("knows its own version", () => {
    const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
      version: string;
    };
    expect(VERSION).toBe(manifest.version);
  });

  it("runs a comma list in pipeline order and stops `all` at nothing when nothing is to judge", async () => {
    const w = await workspace({ questions: 2 });
    expect(
      await main(["-c", w.config, "--stage", "export,render,eval,ai_review,merge_review"], w.context),
    ).toBe(2);
    expect(w.notes()).toMatch(/ai_review_results\.json/);
    expect(await main(["-c", w.config, "--stage", "export,render,eval"], w.context)).toBe(0);
    expect(w.out()).toMatch(/eval_report\.html/);
  });

  it("names the variable when a token is not set, and asks nobody", async () => {
    const w = await workspace();
    expect(await main(["-c", w.config, "--stage", "eval"], { ...w.context, env: {} })).toBe(2);
    expect(w.notes()).toMatch(/KNOT_TOKEN \(named by agent\.api_token_env\)/);
    expect(w.knot.requests).toHaveLength(0);
  });
});

describe("eval", () => {
  it("repeats questions, counts pass^k and lists flaky ones", async () => {
    const w = await workspace({
      questions: 4,
      answers: (q, count) => ({ text: q.includes("2") && count === 2 ? "别的内容" : "好" }),
    });
    expect(
      await main(["-c", w.config, "--stage", "eval", "--repeat", "3", "--concurrency", "1"], w.context),
    ).toBe(0);
    expect(w.results().items).toHaveLength(12);
    expect(w.out()).toMatch(/pass\^3 +75\.0 % \(3 of 4.*1 flaky/);
  });

  it("asks ERROR answers again and keeps good ones", async () => {
    const w = await workspace({
      questions: 3,
      answers: (q, count) =>
        q.includes("2") && count <= 1 ? { http: { status: 500, body: "{}" } } : { text: "好" },
    });
    expect(await main(["-c", w.config, "--stage", "eval"], w.context)).toBe(0);
    expect(w.results().items.map((i) => i.final_grade)).toEqual(["PASS", "ERROR", "PASS"]);
    expect(await main(["-c", w.config, "--stage", "eval"], w.context)).toBe(0);
    expect(w.results().items.map((i) => i.final_grade)).toEqual(["PASS", "PASS", "PASS"]);
    expect(w.knot.requests).toHaveLength(4);
  });

  it("does not reuse answers of another agent configuration or prompt version", async () => {
    const w = await workspace({ questions: 1 });
    await main(["-c", w.config, "--stage", "eval"], w.context);
    w.writeConfig({ eval: { prompt_version: "2" } });
    await main(["-c", w.config, "--stage", "eval"], w.context);
    w.writeConfig({ agent: { model: "other" }, eval: { prompt_version: "2" } });
    await main(["-c", w.config, "--stage", "eval"], w.context);
    expect(w.knot.requests).toHaveLength(3);
  });

  it("takes the token out of an answer that repeats it", async () => {
    const w = await workspace({ questions: 1, answers: () => ({ text: `好 ${TEST_TOKENS.KNOT_TOKEN}` }) });
    await main(["-c", w.config, "--stage", "eval,render,export", "--record"], w.context);
    for (const name of [
      "eval_answers.jsonl",
      "eval_results.json",
      "eval_report.md",
      "eval_report.html",
      "eval_results.csv",
    ]) {
      expect(readFileSync(w.file(name), "utf8")).not.toContain(TEST_TOKENS.KNOT_TOKEN);
    }
  });

  it("dry-run sends nothing and shows no token", async () => {
    const w = await workspace({ questions: 2, config: { qa_gen: { doc_names: ["a"] } } });
    expect(await main(["-c", w.config, "--stage", "gen,eval", "--dry-run"], w.context)).toBe(0);
    expect(w.knot.requests).toHaveLength(0);
    expect(w.out()).toMatch(/2 request\(s\)/);
    expect(w.out()).toMatch(/x-knot-api-token: \[REDACTED\]/);
    for (const token of Object.values(TEST_TOKENS)) expect(w.out()).not.toContain(token);
  });
});

describe("compare", () => {
  async function twoRuns(): Promise<Workspace> {
    let worse = false;
    const w = await workspace({
      questions: 20,
      answers: (q) => ({ text: worse && /[12]？/.test(q) ? "别的" : "好" }),
    });
    await main(["-c", w.config, "--stage", "eval"], w.context);
    writeFileSync(w.file("old.json"), readFileSync(w.file("eval_results.json")));
    worse = true;
    w.writeConfig({ eval: { prompt_version: "2" } });
    await main(["-c", w.config, "--stage", "eval"], w.context);
    return w;
  }

  it("lists flips, tests and gates", async () => {
    const w = await twoRuns();
    const argv = ["compare", w.file("old.json"), w.file("eval_results.json")];
    expect(await main([...argv, "--json"], w.context)).toBe(0);
    const shown = w.out();
    const result = JSON.parse(shown.slice(shown.indexOf("{\n"))) as {
      lost: unknown[];
      gained: unknown[];
      mcnemar_p: number;
      pass_difference: number;
    };
    expect(result.lost).toHaveLength(4);
    expect(result.gained).toHaveLength(0);
    expect(result.pass_difference).toBeCloseTo(-0.2);
    expect(result.mcnemar_p).toBeCloseTo(0.125);
    expect(await main([...argv, "--fail-if-drop", "3pp"], w.context)).toBe(1);
    expect(await main([...argv, "--fail-if-drop", "20pp"], w.context)).toBe(0);
    expect(w.notes()).toMatch(/fell by 20\.0 pp, more than 3\.0 pp/);
  });
});

describe("lint", () => {
  it("finds what makes a question set weak", async () => {
    const w = await workspace();
    const q = (id: string, question: string, keywords: string[], more = {}) => ({
      q_id: id,
      question,
      keywords,
      expected_docs: ["d"],
      ...more,
    });
    w.writeQuestions([
      q("A", "年假有几天？", ["5天"], { reference_answer: "有10天" }),
      q("B", "年假有几天?", ["5天", "5 天"]),
      q("C", "报销上限500元吗？", ["500元"]),
      q("D", "VPN 支持手机令牌吗？", ["手机令牌", "硬件密钥"], { expected_docs: [] }),
    ]);
    expect(await main(["lint", "-c", w.config], w.context)).toBe(0);
    for (const rule of [
      "duplicate_question  A, B",
      "duplicate_keyword  B",
      "answer_leak  C",
      "keyword_in_question  D",
      "no_document  D",
      "keyword_not_in_reference  A",
    ])
      expect(w.out()).toContain(rule);
    w.writeQuestions([q("E", "什么？", ["……"])]);
    expect(await main(["lint", "-c", w.config], w.context)).toBe(2);
    expect(w.out()).toContain("empty_keyword  E");
  });
});

describe("doctor", () => {
  it("passes with all services up and names what is wrong otherwise", async () => {
    const mcp = await startFakeMcp({
      documents: HANDBOOK.map((e) => e.document),
      token: TEST_TOKENS.MCP_TOKEN,
      knowledgeUuid: "kb-1",
    });
    const llm = await startFakeLlm(() => "ok");
    open.push(mcp, llm);
    const w = await workspace({
      mcpUrl: mcp.url,
      llmUrl: llm.url,
      config: { qa_gen: { doc_names: ["采购管理规定"] } },
    });
    expect(await main(["doctor", "-c", w.config], w.context)).toBe(0);
    expect(w.out()).toMatch(/inputSchema: \{.*"query"/);
    expect(w.out()).toMatch(/\[ok\] mcp search: .*采购管理规定/);
    w.writeConfig({
      agent: { kb_mcp: { url: mcp.url, api_token_env: "MCP_TOKEN", knowledge_uuid: "wrong" } },
    });
    const bad = { ...w.context, env: { ...w.context.env, KNOT_TOKEN: "not-the-token" } };
    expect(await main(["doctor", "-c", w.config], bad)).toBe(3);
    expect(w.out()).toMatch(/\[FAIL\] agent: HTTP 401.*\n.*-> check agent\.api_token_env/);
    expect(w.out()).toMatch(/\[FAIL\] mcp/);
    expect(w.out()).not.toContain("not-the-token");
  });
});
