import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { skillFile } from "../files/skill.ts";
import { visibleText } from "../files/visible.ts";
import type { ResultItem } from "../results/schema.ts";
import { attributionChart, gradeChart, latencyChart } from "./charts.ts";
import { markdownToHtmlParts } from "./markdown.ts";
import type { ReportData } from "./model.ts";

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export function escapeHtml(text: string): string {
  return visibleText(text).replace(/[&<>"']/g, (c) => ENTITIES[c] ?? c);
}

/** JSON inside a script element: no `<` may end it, and the line separators of old JavaScript are escaped. */
function embeddedJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<\u2028\u2029]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function hashSource(content: string): string {
  return `'sha256-${createHash("sha256").update(content).digest("base64")}'`;
}

/** What the page needs of one result; everything else stays in eval_results.json. */
function pageItem(item: ResultItem): Record<string, unknown> {
  return {
    id: item.q_id,
    run: item.repeat,
    question: item.question,
    category: item.category,
    docs: item.expected_docs,
    reference: item.reference_answer,
    answer: item.answer,
    error: item.error,
    grade: item.final_grade,
    auto: item.auto_grade,
    cause: item.final_attribution,
    autoCause: item.auto_attribution,
    others: item.attribution_alternatives,
    why: item.attribution_reason,
    rate: item.keyword_rate,
    hits: item.keyword_hits,
    missed: item.keyword_missed,
    docHit: item.doc_hit,
    docHits: item.doc_hits,
    limited: item.scoring_method_limited,
    chunks: item.chunks,
    tools: item.tools,
    ms: item.latency_ms,
    first: item.first_token_ms,
    tokens: item.usage?.total ?? null,
    review: item.ai_review,
  };
}

function figure(label: string, value: string, note = ""): string {
  return `<div class="figure"><b>${escapeHtml(value)}</b><span>${escapeHtml(label)}</span><small>${escapeHtml(note)}</small></div>`;
}

function pct(value: number | null): string {
  return value === null ? "—" : `${(value * 100).toFixed(1)}%`;
}

function interval(rate: {
  low: number | null;
  high: number | null;
  hits: number;
  n: number;
  small_sample: boolean;
}): string {
  if (rate.low === null) return "n = 0";
  return `${rate.hits}/${rate.n} · 95% CI ${pct(rate.low)}–${pct(rate.high)}${rate.small_sample ? " · n<30" : ""}`;
}

/**
 * One self-contained page: figures, charts, a filterable list with highlighted evidence, and the Markdown report.
 * Made in parts, so that ten thousand results need not stand in memory as one text. It loads nothing; its content security policy allows its own style and script only.
 */
export function* renderHtml(data: ReportData, markdown: string, locale: "zh" | "en"): Generator<string> {
  const css = readFileSync(skillFile("templates", "report_app.css"), "utf8");
  const script = readFileSync(skillFile("templates", "report_app.js"), "utf8");
  const { summary } = data;
  const policy = [
    "default-src 'none'",
    `style-src ${hashSource(css)}`,
    `script-src ${hashSource(script)}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const zh = locale === "zh";
  const figures = [
    figure(zh ? "通过率" : "Pass rate", pct(summary.pass.rate), interval(summary.pass)),
    figure(
      zh ? "关键词命中率" : "Keyword rate",
      pct(summary.keyword_rate.mean),
      zh ? `${summary.keyword_rate.n} 题平均` : `mean of ${summary.keyword_rate.n}`,
    ),
    figure(zh ? "文献命中率" : "Document hit", pct(summary.doc_hit.rate), interval(summary.doc_hit)),
    figure(
      zh ? "覆盖率" : "Coverage",
      pct(summary.coverage.rate),
      zh
        ? `${summary.total} 题中 ${summary.scored} 题有评分`
        : `${summary.scored} scored of ${summary.total}`,
    ),
    figure(
      zh ? "耗时 p50 / p95" : "Latency p50 / p95",
      `${Math.round(summary.latency_ms.p50 ?? 0)} / ${Math.round(summary.latency_ms.p95 ?? 0)} ms`,
      `${zh ? "首字" : "first token"} p50 ${Math.round(summary.first_token_ms.p50 ?? 0)} ms`,
    ),
  ].join("");
  yield `<!doctype html>
<html lang="${zh ? "zh-CN" : "en"}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(data.title)}</title>
<style>${css}</style>
</head>
<body>
<header>
<h1>${escapeHtml(data.title)}</h1>
<p>${escapeHtml(`${data.agent.model} · ${data.question_source} · ${data.generated_at.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d).*Z$/, "$1 $2 UTC")}`)}</p>
<button id="theme" type="button" aria-label="${zh ? "明暗切换" : "light or dark"}">◐</button>
</header>
<div class="tabs" role="tablist"><button type="button" role="tab" data-tab="overview" aria-selected="true">${zh ? "总览" : "Overview"}</button><button type="button" role="tab" data-tab="questions" aria-selected="false">${zh ? "逐题" : "Questions"}</button><button type="button" role="tab" data-tab="report" aria-selected="false">${zh ? "报告全文" : "Report"}</button></div>
<main>
<section id="overview"><div class="figures">${figures}</div>
<div class="charts"><figure><figcaption>${zh ? "等级占比" : "Grades"}</figcaption>${gradeChart(summary)}</figure><figure><figcaption>${zh ? "归因分布" : "Attribution"}</figcaption>${attributionChart(summary, data.attribution_names)}</figure><figure><figcaption>${zh ? "耗时分布" : "Latency"}</figcaption>${latencyChart(summary, data.items)}</figure></div></section>
<section id="questions" hidden></section>
<section id="report" class="markdown" hidden>`;
  yield* markdownToHtmlParts(markdown);
  yield `</section>
</main>
<noscript><p>${zh ? "筛选需要 JavaScript；报告全文见 eval_report.md。" : "Filters need JavaScript; the full report is in eval_report.md."}</p></noscript>
<script type="application/json" id="data">`;
  yield `{"locale":${embeddedJson(locale)},"names":${embeddedJson(data.attribution_names)},"items":[`;
  for (const [index, item] of data.items.entries())
    yield (index > 0 ? "," : "") + embeddedJson(pageItem(item));
  yield `]}</script>
<script>${script}</script>
</body>
</html>
`;
}
