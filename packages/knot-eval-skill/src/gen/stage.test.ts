import { existsSync, readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { main } from "../cli/main.ts";
import { parseQuestions } from "../questions/schema.ts";
import { KeywordMatcher } from "../scoring/matcher.ts";
import { type FakeLlm, type LlmScript, startFakeLlm } from "../testing/fake-llm.ts";
import { type FakeMcp, startFakeMcp } from "../testing/fake-mcp.ts";
import { HANDBOOK, handbookWriter, USELESS_DOCUMENTS } from "../testing/handbook.ts";
import { makeWorkspace, TEST_TOKENS, type Workspace } from "../testing/workspace.ts";
import { assembleDocument, uselessBecause } from "./content.ts";
import { unfoundKeywords } from "./questions.ts";

const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const item of open.splice(0)) await item.close();
});

async function setUp(
  config: Record<string, unknown>,
  script: LlmScript = handbookWriter,
  documents = [...HANDBOOK.map((e) => e.document), ...USELESS_DOCUMENTS],
): Promise<{ w: Workspace; mcp: FakeMcp; llm: FakeLlm }> {
  const mcp = await startFakeMcp({ documents, token: TEST_TOKENS.MCP_TOKEN, knowledgeUuid: "kb-1" });
  const llm = await startFakeLlm(script);
  const w = await makeWorkspace({ mcpUrl: mcp.url, llmUrl: llm.url, config });
  open.push(w, llm, mcp);
  return { w, mcp, llm };
}

const names = HANDBOOK.map((e) => e.document.title);

describe("stage gen", () => {
  it("makes verified questions from five documents and keeps the old set", async () => {
    const { w, llm } = await setUp({ qa_gen: { doc_names: names } });
    expect(await main(["-c", w.config, "--stage", "gen"], w.context)).toBe(0);
    const questions = parseQuestions(JSON.parse(readFileSync(w.file("eval_questions.json"), "utf8")), "q");
    expect(questions).toHaveLength(10);
    expect(questions.map((q) => q.q_id)).toEqual(
      Array.from({ length: 10 }, (_, i) => `Q${String(i + 1).padStart(3, "0")}`),
    );
    const matcher = new KeywordMatcher();
    for (const question of questions) {
      expect(unfoundKeywords(question.keywords, question.source_excerpt ?? "", matcher)).toEqual([]);
      expect(question.expected_docs).toHaveLength(1);
    }
    expect(llm.requests.every((r) => r.authorization === `Bearer ${TEST_TOKENS.LLM_KEY}`)).toBe(true);
    expect(existsSync(w.file("eval_questions.json.bak"))).toBe(true);
    expect(w.out() + w.notes()).not.toContain(TEST_TOKENS.LLM_KEY);
  });

  it("drops a question with a keyword that is not in the document", async () => {
    const [entry] = HANDBOOK;
    const invented = [
      { question: "年假最多几天？", keywords: ["25天"], reference_answer: "25天" },
      ...(entry?.questions ?? []),
    ];
    const { w } = await setUp({ qa_gen: { doc_names: [entry?.document.title] } }, () =>
      JSON.stringify(invented),
    );
    expect(await main(["-c", w.config, "--stage", "gen"], w.context)).toBe(0);
    expect(JSON.parse(readFileSync(w.file("eval_questions.json"), "utf8"))).toHaveLength(2);
    expect(w.notes()).toMatch(/dropped "年假最多几天？": not found in the document: 25天/);
  });

  it("asks the model again, with the reason, after an unusable answer", async () => {
    const [entry] = HANDBOOK;
    const { w, llm } = await setUp({ qa_gen: { doc_names: [entry?.document.title] } }, (prompt, count) =>
      count === 1 ? "抱歉，我先说明一下思路。" : handbookWriter(prompt),
    );
    expect(await main(["-c", w.config, "--stage", "gen"], w.context)).toBe(0);
    expect(llm.requests).toHaveLength(2);
    expect(llm.requests[1]?.body.messages?.at(-1)?.content).toMatch(
      /could not be used: the answer holds no JSON/,
    );
  });

  it("skips link lists, directories and unknown documents, each with its reason", async () => {
    const { w } = await setUp({
      qa_gen: { doc_names: [...names.slice(0, 1), "常用链接", "制度目录", "没有这篇文档"] },
    });
    expect(await main(["-c", w.config, "--stage", "gen"], w.context)).toBe(0);
    expect(w.notes()).toMatch(/常用链接: no questions made: only links/);
    expect(w.notes()).toMatch(/制度目录: no questions made: a directory of headings/);
    expect(w.notes()).toMatch(/没有这篇文档: not found in the knowledge base/);
  });

  it("stops with both ways out when there is no document", async () => {
    const { w, mcp } = await setUp({});
    expect(await main(["-c", w.config, "--stage", "gen"], w.context)).toBe(2);
    expect(w.notes()).toMatch(/qa_gen\.doc_names/);
    expect(w.notes()).toMatch(/auto_discover_docs: true/);
    expect(mcp.calls).toHaveLength(0);
  });

  it("discovers documents in rounds, merges them with the listed ones and warns", async () => {
    const { w } = await setUp({
      qa_gen: {
        doc_names: names.slice(0, 1),
        auto_discover_docs: true,
        discover_queries: ["报销", "会议室", "VPN", "采购"],
      },
    });
    expect(await main(["-c", w.config, "--stage", "gen"], w.context)).toBe(0);
    const questions = parseQuestions(JSON.parse(readFileSync(w.file("eval_questions.json"), "utf8")), "q");
    expect(new Set(questions.flatMap((q) => q.expected_docs))).toEqual(new Set(names));
    expect(questions).toHaveLength(10);
    expect(w.notes()).toMatch(/WARNING: document names inferred by search may be incomplete/);
  });

  it("says what is wrong when the knowledge base refuses", async () => {
    const { w } = await setUp({ qa_gen: { auto_discover_docs: true } });
    const context = { ...w.context, env: { ...w.context.env, MCP_TOKEN: "other-token-value" } };
    expect(await main(["-c", w.config, "--stage", "gen"], context)).toBe(3);
    expect(w.notes()).toMatch(/knowledge base \(MCP\): HTTP 401/);
    expect(w.notes()).not.toContain("other-token-value");
  });

  it("works with Ollama and no key", async () => {
    const { w, llm } = await setUp({ qa_gen: { doc_names: names.slice(0, 2) } });
    const config = JSON.parse(readFileSync(w.config, "utf8")) as { agent: { llm: Record<string, unknown> } };
    w.writeConfig({
      agent: { llm: { ...config.agent.llm, backend: "ollama", base_url: llm.url.replace(/\/v1$/, "") } },
    });
    const { LLM_KEY: _unset, ...env } = w.context.env;
    expect(await main(["-c", w.config, "--stage", "gen"], { ...w.context, env })).toBe(0);
    expect(llm.requests[0]?.path).toBe("/api/chat");
    expect(llm.requests[0]?.authorization).toBeUndefined();
  });
});

describe("documents from chunks", () => {
  const chunk = (index: number | undefined, content: string, title = "文档甲", docId = "1") => ({
    title,
    content,
    docId,
    index,
    url: undefined,
  });

  it("sorts by index, joins overlaps, leaves other documents out", () => {
    const shared = "这一句话在两个切片里都出现了。";
    const document = assembleDocument("文档甲.docx", [
      chunk(2, "第三段。"),
      chunk(0, `第一段。${shared}`),
      chunk(1, `${shared}第二段。`),
      chunk(0, "别的", "文档乙", "2"),
      chunk(1, `${shared}第二段。`),
    ]);
    expect(document?.text).toBe(`第一段。${shared}第二段。\n\n第三段。`);
    expect(document?.chunkIndexes).toEqual([0, 1, 2]);
  });

  it("does not take a document with another number for the same one", () => {
    expect(assembleDocument("管理办法2023版", [chunk(0, "x", "管理办法2024版")])).toBeUndefined();
  });

  it("keeps a document of substance", () => {
    expect(uselessBecause(HANDBOOK[0]?.document.chunks.join("\n") ?? "", 80)).toBeUndefined();
  });
});
