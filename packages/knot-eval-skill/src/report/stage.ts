import path from "node:path";
import type { Console } from "../cli/console.ts";
import type { LoadedConfig } from "../config/load.ts";
import { configError, StageError } from "../exit-codes.ts";
import { writeFileAtomic } from "../files/atomic.ts";
import { skillFile } from "../files/skill.ts";
import { readText } from "../files/text.ts";
import { forgetResults, loadResults } from "../results/load.ts";
import type { RunPaths } from "../results/paths.ts";
import type { ResultsFile } from "../results/schema.ts";
import { renderCsv } from "./csv.ts";
import { renderHtml } from "./html.ts";
import { renderJunit } from "./junit.ts";
import { type ReportData, reportData } from "./model.ts";
import { renderReport } from "./render.ts";

function dataOf(results: ResultsFile, loaded: LoadedConfig): ReportData {
  const { title, locale } = loaded.config.report;
  return reportData(results, { title, locale });
}

/** Stage render: eval_results.json -> eval_report.md. */
export async function runRender(loaded: LoadedConfig, paths: RunPaths, console: Console): Promise<void> {
  const { template } = loaded.config.report;
  const file = template
    ? path.resolve(loaded.baseDir, template)
    : skillFile("templates", "report_template.j2");
  const data = dataOf(await loadResults(paths.results), loaded);
  const markdown = renderReport(file, data);
  if (template) forgetResults();
  await writeFileAtomic(paths.markdown, markdown);
  console.out(`render: ${paths.markdown}`);
}

/** Stage export: eval_report.md and eval_results.json -> HTML, CSV, JUnit XML. */
export async function runExport(loaded: LoadedConfig, paths: RunPaths, console: Console): Promise<void> {
  const results = await loadResults(paths.results);
  const markdown = await readText(paths.markdown).catch((error: unknown) => {
    if (error instanceof StageError) throw error;
    throw configError(`Not found: ${paths.markdown}. Run --stage render first.`);
  });
  await writeFileAtomic(
    paths.html,
    renderHtml(dataOf(results, loaded), markdown, loaded.config.report.locale),
  );
  await writeFileAtomic(paths.csv, renderCsv(results.items));
  await writeFileAtomic(paths.junit, renderJunit(results));
  for (const file of [paths.html, paths.csv, paths.junit]) console.out(`export: ${file}`);
}
