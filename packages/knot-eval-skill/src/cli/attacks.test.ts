import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { skillFile } from "../files/skill.ts";
import { startFakeLlm } from "../testing/fake-llm.ts";
import { startFakeMcp } from "../testing/fake-mcp.ts";
import { makeWorkspace, TEST_TOKENS, type Workspace, type WorkspaceOptions } from "../testing/workspace.ts";
import { fitLine } from "./console.ts";
import { main } from "./main.ts";

/** Whole commands against bad input, other runs, hostile servers and tokens in the wrong place. */

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const item of open.splice(0)) await item.close();
});

async function workspace(options: WorkspaceOptions = {}): Promise<Workspace> {
  const w = await makeWorkspace(options);
  open.push(w);
  return w;
}

const stage = (w: Workspace, names: string, ...more: string[]) =>
  main(["-c", w.config, "--stage", names, ...more], w.context);

describe("a token in the wrong place of the configuration is not printed", () => {
  const pasted = ["sk9f8a7b", "6c5d4e3f2a1b0c"].join("");
  const digits = [99_887_766, 554_433].join("");

  it.each([
    [
      "where a variable's name belongs",
      (t: string) => t.replace('"KNOT_TOKEN"', `"${pasted}"`),
      pasted,
      /sk9….*NAME/,
    ],
    [
      "as a number",
      (t: string) => t.replace('"api_token_env": "KNOT_TOKEN"', `"api_token": ${digits}`),
      digits,
      /agent\.api_token: YAML read a number/,
    ],
    ["as a YAML alias", () => `agent:\n  api_token: *${pasted}\n`, pasted, /line 2, column 15/],
    ["in broken YAML", () => `agent:\n  api_token: "${pasted}\n`, pasted, /not valid YAML/],
    [
      "in an address",
      (t: string) => t.replace(/"knot_url": "http:\/\//, `"knot_url": "http://u:${pasted}@`),
      pasted,
      /agent\.knot_url: must be/,
    ],
    [
      "in an address's query",
      (t: string) => t.replace(/("knot_url": "[^"]*)"/, `$1?token=${pasted}"`),
      pasted,
      /agent\.knot_url: must not have a query/,
    ],
  ])("%s", async (_, change, token, reason) => {
    const w = await workspace();
    writeFileSync(w.config, change(readFileSync(w.config, "utf8")));
    expect(await stage(w, "eval")).toBe(2);
    expect(w.notes()).toMatch(reason);
    expect(w.notes() + w.out()).not.toContain(token);
    expect(w.knot.requests).toHaveLength(0);
  });
});

describe("files in another encoding", () => {
  const gbk = Buffer.from([0xb2, 0xe2, 0xca, 0xd4]);

  it("a GBK configuration and a GBK question set are refused, not misread", async () => {
    const w = await workspace();
    const config = readFileSync(w.config);
    writeFileSync(w.config, Buffer.concat([Buffer.from("# "), gbk, Buffer.from("\n"), config]));
    expect(await stage(w, "eval")).toBe(2);
    writeFileSync(w.config, config);
    writeFileSync(
      w.file("eval_questions.json"),
      Buffer.concat([Buffer.from('[{"question":"'), gbk, Buffer.from('1234","keywords":["a"]}]')]),
    );
    expect(await stage(w, "eval")).toBe(2);
    expect(w.notes().match(/UTF-8/g)?.length).toBeGreaterThanOrEqual(2);
    expect(w.knot.requests).toHaveLength(0);
  });

  it("a UTF-16 configuration works", async () => {
    const w = await workspace({ questions: 1 });
    writeFileSync(w.config, Buffer.from(`\ufeff${readFileSync(w.config, "utf8")}`, "utf16le"));
    expect(await stage(w, "eval")).toBe(0);
  });
});

describe("the terminal", () => {
  const evil = "\u001b]0;owned\u0007\u001b[2J\u202e";

  it("shows escapes of servers and question files, and obeys none", async () => {
    const w = await workspace({
      questions: 1,
      answers: () => ({ http: { status: 500, body: JSON.stringify({ msg: `bad ${evil}\nGATE: forged` }) } }),
    });
    await stage(w, "eval");
    const twice = { question: `问${evil}`, keywords: ["a"] };
    writeFileSync(w.file("q.json"), JSON.stringify([twice, twice]));
    await main(["lint", w.file("q.json")], w.context);
    await main(["lint", w.file("q.json"), "--json"], w.context);
    const shown = w.out() + w.notes();
    expect(shown).not.toMatch(/[^\P{Cc}\n\t]|\u202e/u);
    expect(shown).toContain("\\u001b[2J");
    expect(shown).not.toMatch(/^GATE/m);
  });

  it("cuts a progress line to the width, Han characters counted double", () => {
    expect(fitLine("abcdef", 4)).toBe("abc");
    expect(fitLine("题目一二三", 6)).toBe("题目");
  });
});

describe("tokens that servers hand back", () => {
  it("reach no file and no output, whatever field they come in", async () => {
    const { KNOT_TOKEN, MCP_TOKEN, LLM_KEY } = TEST_TOKENS;
    const mcp = await startFakeMcp({
      documents: [
        {
          title: `休假办法 ${MCP_TOKEN}`,
          docId: `d-${MCP_TOKEN}`,
          chunks: [
            `员工年假为五天，需要提前三个工作日提出申请，由直属上级审批。令牌 ${MCP_TOKEN} 与 ${LLM_KEY} 在此。`,
          ],
        },
      ],
      token: MCP_TOKEN,
      knowledgeUuid: "kb-1",
    });
    const llm = await startFakeLlm(() =>
      JSON.stringify([
        { question: `年假有几天 ${LLM_KEY}？`, keywords: ["五天"], category: KNOT_TOKEN },
        { question: `编造的问题 ${LLM_KEY}？`, keywords: [`没有 ${LLM_KEY}`] },
      ]),
    );
    open.push(mcp, llm);
    const w = await workspace({
      mcpUrl: mcp.url,
      llmUrl: llm.url,
      config: { qa_gen: { auto_discover_docs: true, discover_queries: ["年假"] } },
      answers: () => ({
        text: `三天 ${KNOT_TOKEN}`,
        thinking: KNOT_TOKEN,
        chunks: [{ chunk_title: `t ${KNOT_TOKEN}`, chunk_content: `c ${KNOT_TOKEN}`, doc_id: KNOT_TOKEN }],
      }),
    });
    await main(["doctor", "-c", w.config], w.context);
    expect(await stage(w, "gen")).toBe(0);
    expect(await stage(w, "eval,ai_review", "--record")).toBe(0);
    expect(await stage(w, "render,export")).toBe(0);
    const files = readdirSync(w.dir, { recursive: true, withFileTypes: true }).filter((f) => f.isFile());
    expect(files.length).toBeGreaterThan(8);
    const everything = [
      w.out(),
      w.notes(),
      ...files.map((f) => readFileSync(path.join(f.parentPath, f.name), "utf8")),
    ].join("\n");
    for (const token of Object.values(TEST_TOKENS)) expect(everything).not.toContain(token);
  });

  it("withholds a recording whose pieces spell a token", async () => {
    const token = TEST_TOKENS.KNOT_TOKEN;
    const w = await workspace({ questions: 1, answers: () => ({ text: `好，${token}，完` }) });
    expect(await stage(w, "eval", "--record")).toBe(0);
    for (const name of readdirSync(w.file("streams"))) {
      const text = readFileSync(path.join(w.file("streams"), name), "utf8");
      const said = [...text.matchAll(/"delta":"([^"]*)"/g)].map((m) => m[1]).join("");
      expect(text + said).not.toContain(token);
    }
  });
});

describe("two runs and interrupted ones", () => {
  it("a second run in the same folder is kept out and asks nothing", async () => {
    const w = await workspace({ questions: 12, answers: () => ({ text: "好", delayMs: 20 }) });
    const codes = await Promise.all([stage(w, "eval"), stage(w, "eval")]);
    expect(codes.sort()).toEqual([0, 2]);
    expect(w.knot.requests).toHaveLength(12);
    expect(w.notes()).toMatch(/Another run/);
    expect(readdirSync(w.dir)).not.toContain(".knot-eval.lock");
  });

  it("`all` goes on with the questions that are there instead of making others", async () => {
    const w = await workspace({ questions: 2 });
    const before = readFileSync(w.file("eval_questions.json"), "utf8");
    expect(
      await main(["-c", w.config, "--stage", "all"], {
        ...w.context,
        env: { KNOT_TOKEN: TEST_TOKENS.KNOT_TOKEN },
      }),
    ).toBe(0);
    expect(readFileSync(w.file("eval_questions.json"), "utf8")).toBe(before);
    expect(w.notes()).toMatch(/is there and is used/);
    expect(w.out()).toMatch(/eval_report\.html/);
  });

  it("a torn result file is named, and eval makes it anew from the journal", async () => {
    const w = await workspace({ questions: 3 });
    await stage(w, "eval");
    const text = readFileSync(w.file("eval_results.json"), "utf8");
    writeFileSync(w.file("eval_results.json"), text.slice(0, text.length / 2));
    expect(await stage(w, "render")).toBe(2);
    expect(w.notes()).toMatch(/eval_results\.json is not valid JSON/);
    expect(await stage(w, "eval,render")).toBe(0);
    expect(w.knot.requests).toHaveLength(3);
  });
});

describe("where output may go", () => {
  it("not under a file, not over a folder: exit 2 with the place, no stack trace", async () => {
    const w = await workspace({ questions: 1 });
    writeFileSync(w.file("blocked"), "x");
    expect(await stage(w, "eval", "--out", w.file("blocked/sub"))).toBe(2);
    mkdirSync(w.file("eval_results.json"));
    expect(await stage(w, "eval")).toBe(2);
    mkdirSync(w.file("other/eval_answers.jsonl"), { recursive: true });
    expect(
      await stage(w, "eval", "--out", w.file("other"), "--questions", w.file("eval_questions.json")),
    ).toBe(2);
    expect(w.notes()).toMatch(/blocked.*ENOTDIR/);
    expect(w.notes()).toMatch(/eval_results\.json: there is a folder of this name/);
    expect(w.notes()).not.toMatch(/\n\s+at /);
  });

  it("not into the skill itself", async () => {
    const w = await workspace({ questions: 1 });
    const skill = path.dirname(skillFile("SKILL.md"));
    for (const dir of [skill, path.join(skill, "out")])
      expect(await stage(w, "render", "--out", dir)).toBe(2);
    expect(w.notes()).toMatch(/lies inside the skill itself/);
    expect(readdirSync(skill)).not.toContain("out");
  });
});

describe("user templates", () => {
  it("change nothing that a later stage uses", async () => {
    const w = await workspace({ questions: 1, config: { report: { template: "my.j2" } } });
    writeFileSync(w.file("my.j2"), "{% do items.append(1) %}{{ items|length }}");
    expect(await stage(w, "eval,render,export")).toBe(0);
    expect(readFileSync(w.file("eval_results.csv"), "utf8").trim().split("\r\n")).toHaveLength(2);
  });

  it("may print an answer raw: controls and bidi marks are written out", async () => {
    const w = await workspace({
      questions: 1,
      answers: () => ({ text: "好\u001b[31m\u202e 完" }),
      config: { report: { template: "my.j2" } },
    });
    writeFileSync(w.file("my.j2"), "{{ items[0].answer }}");
    expect(await stage(w, "eval,render")).toBe(0);
    expect(readFileSync(w.file("eval_report.md"), "utf8")).toBe("好\\u001b[31m\\u202e 完\n");
  });
});

describe("doctor", () => {
  it("names files of the configuration that are not there", async () => {
    const w = await workspace({
      config: {
        report: { template: "nope.j2" },
        grading: { equivalent_map_file: "nope.json" },
        qa_gen: { doc_list_file: "nope.txt" },
      },
    });
    writeFileSync(w.file("blocked"), "x");
    expect(await main(["doctor", "-c", w.config, "--out", w.file("blocked")], w.context)).toBe(3);
    expect(w.out()).toMatch(/\[FAIL\] files: report\.template: cannot read .*nope\.j2/);
    expect(w.out().match(/\[FAIL\] files/g)).toHaveLength(4);
    expect(w.out()).toMatch(/\[ok\] agent/);
  });
});

describe("compare", () => {
  it("lets no gate pass on a run of errors", async () => {
    let broken = false;
    const w = await workspace({
      questions: 6,
      answers: (q) => (broken && !q.includes("1") ? { http: { status: 500, body: "{}" } } : { text: "好" }),
    });
    await stage(w, "eval", "--out", w.file("a"), "--questions", w.file("eval_questions.json"));
    broken = true;
    await stage(w, "eval", "--out", w.file("b"), "--questions", w.file("eval_questions.json"));
    const files = [w.file("a/eval_results.json"), w.file("b/eval_results.json")];
    expect(await main(["compare", ...files, "--fail-if-drop", "3pp"], w.context)).toBe(3);
    expect(w.notes()).toMatch(/5 question\(s\) have an ERROR.*decides no gate/);
  });
});
