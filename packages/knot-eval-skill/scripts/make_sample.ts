/**
 * Makes samples/report/ from the tests' own data: the handbook questions asked to the fake agent, a review written by
 * hand below, the report, and a picture of the page. Run: node packages/knot-eval-skill/scripts/make_sample.ts
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { copyFile, mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { main } from "../src/cli/main.ts";
import { startFakeKnot } from "../src/testing/fake-knot.ts";
import { HANDBOOK, handbookAnswer } from "../src/testing/handbook.ts";
import { TEST_TOKENS } from "../src/testing/workspace.ts";

const here = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const target = path.join(here, "samples", "report");
const dir = mkdtempSync(path.join(tmpdir(), "knot-sample-"));
const knot = await startFakeKnot({
  port: Number(process.env.PORT ?? 23_055),
  answers: handbookAnswer,
  delayMs: 12,
});
const run = (stage: string) =>
  main(["-c", path.join(dir, "eval_config.yaml"), "--stage", stage], {
    console: { out: console.log, note: console.error },
    env: TEST_TOKENS,
  });

writeFileSync(
  path.join(dir, "eval_config.yaml"),
  JSON.stringify({
    agent: {
      knot_url: knot.url,
      agent_id: "sample-agent",
      username: "sample",
      api_token_env: "KNOT_TOKEN",
      model: "sample-model",
      temperature: 0.3,
      agent_name: "制度问答助手（样例）",
      kb_mcp: { url: knot.url, api_token_env: "MCP_TOKEN", knowledge_uuid: "sample-kb" },
      llm: { base_url: knot.url, api_key_env: "LLM_KEY", model: "sample-writer" },
    },
    report: {
      question_source: "虚构的员工手册（测试数据）",
      price: { currency: "CNY", input_per_million: 1, output_per_million: 2 },
    },
  }),
);
writeFileSync(
  path.join(dir, "eval_questions.json"),
  JSON.stringify(
    HANDBOOK.flatMap(({ document, questions }) =>
      questions.map((q) => ({
        ...q,
        expected_docs: [document.title],
        source_excerpt: document.chunks.join("\n"),
      })),
    ).map((q, i) => ({ q_id: `Q${String(i + 1).padStart(3, "0")}`, ...q })),
  ),
);
await run("eval,ai_review");

interface Pending {
  q_id: string;
  question: string;
  auto_grade: string;
  auto_attribution: string | null;
}
const pending = JSON.parse(readFileSync(path.join(dir, "pending_ai_review.json"), "utf8")) as {
  items: Pending[];
};
/** The reviewer's notes on the faults the fake agent makes, by a word of the question. */
const NOTES: Record<
  string,
  { summary: string; missing: string[]; hallucination?: string; evidence: string; cause: string }
> = {
  双因素: {
    summary: "手机令牌正确；硬件密钥被说成不支持，与来源相反",
    missing: ["支持硬件密钥"],
    hallucination: "系统不支持硬件密钥",
    evidence: "切片：支持手机令牌和硬件密钥两种双因素认证方式",
    cause: "C4",
  },
  比价: {
    summary: "没有作答；来源文档未被检索到",
    missing: ["超过5万元", "至少三家供应商比价"],
    evidence: "检索结果只有《办公用品领用说明》",
    cause: "B2",
  },
  必须提交报销: {
    summary: "期限正确；漏掉电子发票",
    missing: ["附电子发票"],
    evidence: "切片：附电子发票",
    cause: "C2",
  },
  保存多久: {
    summary: "没有给出年限，且把保管责任归给采购部门",
    missing: ["保存10年"],
    evidence: "切片：合同原件保存10年",
    cause: "C4",
  },
};
const verdicts = pending.items.map((item) => {
  const note = Object.entries(NOTES).find(([word]) => item.question.includes(word))?.[1];
  if (!note) throw new Error(`no review written for ${item.question}`);
  return {
    q_id: item.q_id,
    final_grade: item.auto_grade,
    flipped_from_auto: false,
    flip_reason: "",
    semantic_match_summary: note.summary,
    missing_facts: note.missing,
    extra_facts: [],
    hallucination: note.hallucination !== undefined,
    hallucination_evidence: note.hallucination ?? "",
    recommended_attribution: note.cause,
    attribution_evidence: note.evidence,
    confidence: 0.92,
    reviewer_notes: "",
  };
});
writeFileSync(path.join(dir, "ai_review_results.json"), JSON.stringify(verdicts));
await run("merge_review,render,export");
await mkdir(target, { recursive: true });
for (const file of ["eval_report.md", "eval_report.html", "eval_results.csv", "eval_junit.xml"])
  await copyFile(path.join(dir, file), path.join(target, file));
await knot.close();
rmSync(dir, { recursive: true, force: true });

const { default: chromium } = await import("@sparticuz/chromium");
const { chromium: browserType } = await import("playwright-core");
const browser = await browserType.launch({
  executablePath: await chromium.executablePath(),
  args: chromium.args,
  headless: true,
});
// A machine without a Chinese font shows boxes: FONT names a woff2 file, put into a copy made for the picture only.
const page = await browser.newPage({ viewport: { width: 1280, height: 500 } });
let picture = readFileSync(path.join(target, "eval_report.html"), "utf8");
if (process.env.FONT) {
  const font = readFileSync(process.env.FONT).toString("base64");
  const face = `@font-face { font-family: "Sample CJK"; font-weight: 100 900; src: url(data:font/woff2;base64,${font}) format("woff2"); }`;
  picture = picture
    .replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, "")
    .replace("<style>", `<style>${face}\nhtml * { font-family: "Sample CJK", sans-serif !important; }\n`);
}
const copy = path.join(tmpdir(), `knot-sample-${process.pid}.html`);
writeFileSync(copy, picture);
await page.goto(`file://${copy}`);
await page.waitForTimeout(1_500);
rmSync(copy);
await page.screenshot({ path: path.join(target, "report.png") });
await page.click('button[data-tab="questions"]');
await page.selectOption("#f-grade", "PARTIAL");
await page.click(".row");
await page.screenshot({ path: path.join(tmpdir(), "knot-questions.png") });
await page.click("#theme");
await page.screenshot({ path: path.join(tmpdir(), "knot-dark.png") });
await browser.close();
