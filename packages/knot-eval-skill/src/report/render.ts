import path from "node:path";
import { configError, StageError } from "../exit-codes.ts";
import { readTextSync } from "../files/text.ts";
import { visibleText } from "../files/visible.ts";
import { TemplateError } from "../jinja/ast.ts";
import { JinjaEnvironment } from "../jinja/environment.ts";
import { REPORT_FILTERS } from "./filters.ts";
import type { ReportData } from "./model.ts";

/** A loader for include/extends that stays inside the template's own folder. */
function folderLoader(folder: string): (name: string) => string | undefined {
  return (name) => {
    const file = path.resolve(folder, name);
    if (!file.startsWith(folder + path.sep)) return undefined;
    try {
      return readTextSync(file);
    } catch {
      return undefined;
    }
  };
}

/**
 * Renders the Markdown report.
 *
 * @param templateFile the skill's own template or the user's
 * @throws StageError (exit 2) with template, line and reason
 */
export function renderReport(templateFile: string, data: ReportData): string {
  let source: string;
  try {
    source = readTextSync(templateFile);
  } catch (error) {
    if (error instanceof StageError) throw error;
    throw configError(
      `Cannot read report template ${templateFile}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const env = new JinjaEnvironment({
    loader: folderLoader(path.dirname(path.resolve(templateFile))),
    filters: REPORT_FILTERS,
  });
  try {
    return visibleText(`${env.renderString(source, data, path.basename(templateFile))}\n`);
  } catch (error) {
    if (error instanceof TemplateError) throw configError(`Report template failed. ${error.message}`);
    throw error;
  }
}
