import type { ResultItem, ResultsFile } from "../results/schema.ts";
import { SMALL_SAMPLE } from "../stats/intervals.ts";
import { type Summary, summarise } from "../stats/summary.ts";

/** Names of the ten causes, for both languages of the report. */
export const ATTRIBUTION_NAMES: Record<string, { zh: string; en: string }> = {
  A1: { zh: "题目或标准答案有缺陷", en: "question or gold answer is faulty" },
  A2: { zh: "关键词过严（形式不同）", en: "keywords too strict (other form)" },
  A3: { zh: "评分方法局限", en: "limit of the scoring method" },
  B1: { zh: "知识库未检索到内容", en: "nothing retrieved" },
  B2: { zh: "检索到错误的文档", en: "wrong document retrieved" },
  B3: { zh: "文档正确但切片缺失", en: "right document, passage missing" },
  C1: { zh: "无依据作答（疑似幻觉）", en: "answer without evidence" },
  C2: { zh: "回答不完整", en: "answer incomplete" },
  C3: { zh: "有依据却拒答或答非所问", en: "declined or off the point despite evidence" },
  C4: { zh: "依据正确但生成有误", en: "wrong statement despite evidence" },
};

/** What a report template gets (references/result_schema.md, section "template data"). */
export interface ReportData extends Record<string, unknown> {
  title: string;
  generated_at: string;
  agent: ResultsFile["agent"];
  question_source: string;
  repeat: number;
  summary: Summary;
  items: ResultItem[];
  failures: ResultItem[];
  errors: ResultItem[];
  attribution_names: Record<string, string>;
  small_sample: number;
}

/** Builds the template data from a result file. */
export function reportData(
  results: ResultsFile,
  options: { title?: string | undefined; locale: "zh" | "en" },
): ReportData {
  const title =
    options.title ??
    (options.locale === "zh"
      ? `${results.agent.name} 金标准评测报告`
      : `${results.agent.name}: gold-standard evaluation`);
  return {
    title,
    generated_at: results.generated_at,
    agent: results.agent,
    question_source: results.question_source,
    repeat: results.repeat,
    summary: summarise(results),
    items: results.items,
    failures: results.items.filter((item) => item.final_grade === "PARTIAL" || item.final_grade === "FAIL"),
    errors: results.items.filter((item) => item.final_grade === "ERROR"),
    attribution_names: Object.fromEntries(
      Object.entries(ATTRIBUTION_NAMES).map(([code, names]) => [code, names[options.locale]]),
    ),
    small_sample: SMALL_SAMPLE,
  };
}
