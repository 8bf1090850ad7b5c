import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import chromium from "@sparticuz/chromium";
import { type Browser, chromium as browserType } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { configSchema } from "../config/schema.ts";
import { planTasks } from "../eval/key.ts";
import { skillFile } from "../files/skill.ts";
import { buildResults } from "../results/build.ts";
import type { AnswerRecord, ResultsFile } from "../results/schema.ts";
import { KeywordMatcher } from "../scoring/matcher.ts";
import { HANDBOOK, handbookAnswer } from "../testing/handbook.ts";
import { csvField, renderCsv } from "./csv.ts";
import { markdownCell } from "./filters.ts";
import { renderHtml } from "./html.ts";
import { renderJunit } from "./junit.ts";
import { markdownToHtml, splitAtHeadings } from "./markdown.ts";
import { reportData } from "./model.ts";
import { renderReport } from "./render.ts";

const HOSTILE = [
  '<script>window.hacked=1</script><img src=x onerror="window.hacked=1">',
  "[点我](javascript:window.hacked=1) ![图](https://evil.invalid/p.png) [好](https://ok.invalid/)",
  "| 列 | 注入 |\n|---|---|\n| a | b |",
  '=HYPERLINK("http://evil.invalid";"x")',
  "```\n</script><svg onload=window.hacked=1>\n```\n~~~\n",
  "{{ 7 * 7 }} {% for x in y %}",
  "\u0000\u001b[31m ]]> \ud800 &amp; \u2028",
  "+1+1\t@cmd\u202e gnirts",
];

const config = configSchema.parse({
  agent: {
    knot_url: "http://127.0.0.1:9",
    agent_id: "a",
    username: "u",
    api_token_env: "T",
    model: "m",
    temperature: 0.3,
    agent_name: '助手 <b>"甲"</b>',
    kb_mcp: { url: "http://127.0.0.1:9", api_token_env: "T", knowledge_uuid: "k" },
    llm: { base_url: "http://127.0.0.1:9", api_key_env: "T", model: "m" },
  },
  report: {
    question_source: "题库 | 来源",
    price: { currency: "CNY", input_per_million: 1, output_per_million: 2 },
  },
});

function sample(extra: readonly string[] = []): ResultsFile {
  const questions = [
    ...HANDBOOK.flatMap((entry) =>
      entry.questions.map((q) => ({ q_id: "", ...q, expected_docs: [entry.document.title] })),
    ),
    ...extra.map((text) => ({
      q_id: "",
      question: text,
      keywords: ["不会命中"],
      expected_docs: [text.slice(0, 20)],
      category: text.slice(0, 12),
      reference_answer: text,
    })),
  ].map((q, i) => ({ ...q, q_id: `Q${i + 1}` }));
  const tasks = planTasks(questions, config);
  const records = new Map<string, AnswerRecord>(
    tasks.map((task, i) => {
      const fake = handbookAnswer(task.question.question);
      const hostile = extra[i - (questions.length - extra.length)];
      const chunks = (fake.chunks ?? []).map((c) => ({
        title: c.chunk_title,
        content: hostile ?? c.chunk_content,
        docId: c.doc_id,
        index: c.chunk_index,
      }));
      const error = i === 5 ? "HTTP 503: busy" : null;
      return [
        task.key,
        {
          key: task.key,
          q_id: task.question.q_id,
          repeat: 0,
          status: error ? "error" : "ok",
          answer: hostile ?? fake.text ?? "",
          thinking_chars: 0,
          error,
          truncated: false,
          latency_ms: 900 + i * 137,
          first_token_ms: 200 + i,
          attempts: 1,
          http_status: 200,
          usage: { input: 600 + i, output: 40, total: 640 + i },
          tools: [],
          chunks,
          finished_at: "2026-01-02T03:04:05.000Z",
        } satisfies AnswerRecord,
      ];
    }),
  );
  return buildResults(tasks, (key) => records.get(key), new KeywordMatcher(), config);
}

const template = skillFile("templates", "report_template.j2");
const dataOf = (results: ResultsFile) => reportData(results, { locale: "zh" });
const whole = (parts: Iterable<string>) => [...parts].join("");

describe("the report template", () => {
  const fixture = new URL("../jinja/fixtures/report_data.json", import.meta.url);
  const expected = new URL("../jinja/fixtures/report_expected.md", import.meta.url);

  it("renders as Python's Jinja2 does on the same data", () => {
    if (process.env.WRITE_REPORT_FIXTURE)
      writeFileSync(fixture, `${JSON.stringify(dataOf(sample(HOSTILE.slice(0, 6))), null, 1)}\n`);
    expect(existsSync(expected)).toBe(true);
    const data = JSON.parse(readFileSync(fixture, "utf8")) as ReturnType<typeof dataOf>;
    expect(renderReport(template, data)).toBe(readFileSync(expected, "utf8"));
  });

  it("names template and line of a user's mistake", () => {
    const dir = mkdtempSync(path.join(tmpdir(), "tpl-"));
    try {
      const file = path.join(dir, "mine.j2");
      writeFileSync(file, "ok\n\n{{ summary.nope.deeper }}\n");
      expect(() => renderReport(file, dataOf(sample()))).toThrow(/mine\.j2, line 3: UndefinedError/);
      writeFileSync(file, "{% if x %}\n");
      expect(() => renderReport(file, dataOf(sample()))).toThrow(/mine\.j2/);
      writeFileSync(
        file,
        "{{ ''.constructor.constructor('return process')() }}{{ title.__proto__ }}[{{ items.constructor }}]",
      );
      expect(() => renderReport(file, dataOf(sample()))).toThrow(/UndefinedError/);
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });
});

describe("hostile agent text", () => {
  const results = sample(HOSTILE);
  const data = dataOf(results);
  const markdown = renderReport(template, data);

  it("stays text in Markdown and its HTML", () => {
    const html = markdownToHtml(markdown);
    expect(html).not.toMatch(/<(script|img|svg|iframe|object)/i);
    expect(html).not.toMatch(/href="(?!https:\/\/ok\.invalid)/i);
    expect(markdown).toContain("{{ 7 * 7 }}");
    expect(markdownCell("a|b\nc`d` <x> [l](javascript:1)")).not.toMatch(/(?<!\\)[|`[\]]|<|\n|javascript:/);
  });

  it("is no formula in CSV", () => {
    const csv = whole(renderCsv(results.items));
    expect(csv.startsWith("\ufeffq_id,")).toBe(true);
    expect(csv).not.toMatch(/(?:^|,|")[=+@]/m);
    expect(csv).toContain(`"'=HYPERLINK(""http`);
  });

  it("is well-formed XML in JUnit", () => {
    const xml = whole(renderJunit(results));
    expect(xml).toMatch(/tests="18" failures="\d+" errors="1"/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these must not be there
    expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]|]]>/);
    expect(xml.match(/<testcase /g)).toHaveLength(18);
    expect(xml).not.toMatch(/<script|<img/);
  });
});

describe("long Markdown is cut at headings outside of fences only", () => {
  it("gives the same HTML in parts", () => {
    const text = [
      "# a",
      "text",
      "```text",
      "# not a heading",
      "```",
      "## b",
      "| x |",
      "|---|",
      "| 1 |",
      "~~~",
      "## no",
      "```",
      "~~~",
      "### c",
      "end",
    ].join("\n");
    expect([...splitAtHeadings(text, 1)]).toHaveLength(3);
    expect([...splitAtHeadings(text, 1)].map(markdownToHtml).join("")).toBe(markdownToHtml(text));
  });
});

describe("the page in a browser", () => {
  let browser: Browser;
  const dir = mkdtempSync(path.join(tmpdir(), "page-"));

  beforeAll(async () => {
    browser = await browserType.launch({
      executablePath: await chromium.executablePath(),
      args: chromium.args,
      headless: true,
    });
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    rmSync(dir, { recursive: true, force: true });
  });

  it("filters, highlights, runs nothing foreign and loads nothing", { timeout: 60_000 }, async () => {
    const results = sample(HOSTILE);
    const data = dataOf(results);
    const file = path.join(dir, "report.html");
    writeFileSync(file, whole(renderHtml(data, renderReport(template, data), "zh")));
    const page = await browser.newPage();
    const requests: string[] = [];
    const faults: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    page.on("pageerror", (error) => faults.push(String(error)));
    page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
    await page.goto(`file://${file}`);
    expect(await page.locator("svg").count()).toBe(3);
    // What to look at first: ERROR, then FAIL; a click opens the question itself.
    const leads = page.locator("#overview .lead");
    expect(await leads.count()).toBe(8);
    expect(await leads.first().textContent()).toContain("ERROR");
    await leads.nth(1).click();
    expect(await page.locator("#questions .detail").isVisible()).toBe(true);
    expect(await page.locator("#overview").isVisible()).toBe(false);
    expect(await page.locator(".row").count()).toBe(18);
    await page.selectOption("#f-grade", "FAIL");
    const failing = results.items.filter((item) => item.final_grade === "FAIL").length;
    expect(await page.locator(".row").count()).toBe(failing);
    await page.selectOption("#f-cause", "B1");
    expect(await page.locator(".row").count()).toBe(
      results.items.filter((i) => i.final_grade === "FAIL" && i.final_attribution === "B1").length,
    );
    await page.selectOption("#f-cause", "");
    await page.selectOption("#f-grade", "");
    await page.selectOption("#f-doc", "差旅费用报销流程");
    expect(await page.locator(".row").count()).toBe(2);
    await page.locator(".row").first().click();
    expect(await page.locator(".detail mark").first().textContent()).toContain("30 天");
    expect(await page.locator(".detail .chunk").count()).toBe(2);
    await page.selectOption("#f-doc", "");
    await page.fill("#f-text", "HYPERLINK");
    expect(await page.locator(".row").count()).toBe(1);
    await page.fill("#f-text", "");
    for (const row of await page.locator(".row").all()) await row.click();
    expect(await page.locator("#questions img, #questions script, #questions svg").count()).toBe(0);
    await page.click('button[data-tab="report"]');
    expect(await page.locator("#report img, #report script, #report svg").count()).toBe(0);
    // Escapes and direction marks of answers are written out, on the page as in the Markdown.
    expect(await page.evaluate("document.body.innerText")).not.toMatch(/[^\P{Cc}\n\t]|[\u202a-\u202e]/u);
    await page.setViewportSize({ width: 360, height: 740 });
    for (const tab of ["overview", "questions", "report"]) {
      await page.click(`button[data-tab="${tab}"]`);
      expect(await page.evaluate("document.documentElement.scrollWidth"), tab).toBeLessThanOrEqual(360);
    }
    expect(await page.evaluate(() => (globalThis as { hacked?: number }).hacked)).toBeUndefined();
    await page.click("#theme");
    expect(await page.evaluate("document.documentElement.dataset.theme")).toMatch(/dark|light/);
    expect(requests.filter((url) => !url.startsWith("file://"))).toEqual([]);
    expect(faults).toEqual([]);
    await page.close();
  });
});

describe("CSV in a spreadsheet with another separator", () => {
  it("guards a formula behind a semicolon, a tab or a line end, and leaves lists alone", () => {
    expect(csvField("好;=1+1")).toBe(`"好;'=1+1"`);
    expect(csvField("好\t@SUM(A1)")).toBe(`"好\t'@SUM(A1)"`);
    expect(csvField("好\n=cmd|' /C calc'!A0")).toBe(`"好\n'=cmd|' /C calc'!A0"`);
    expect(csvField("好\n-1+cmd|' /C calc'!A0")).toBe(`"好\n'-1+cmd|' /C calc'!A0"`);
    expect(csvField("要点：\n- 年假5天\n- 病假10天")).toBe(`"要点：\n- 年假5天\n- 病假10天"`);
  });

  it("shows control characters and bidi marks", () => {
    expect(csvField("a\u001b[31m\u202e")).toBe("a\\u001b[31m\\u202e");
  });
});
