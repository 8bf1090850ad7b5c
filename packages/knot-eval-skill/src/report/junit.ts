import { visibleText } from "../files/visible.ts";
import type { ResultItem, ResultsFile } from "../results/schema.ts";

/** Characters that XML 1.0 (section 2.2) does not allow: controls, lone surrogates, two non-characters. */
function isForbidden(char: string): boolean {
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x20) return code !== 0x09 && code !== 0x0a && code !== 0x0d;
  return (code >= 0xd800 && code <= 0xdfff) || code === 0xfffe || code === 0xffff;
}

/** Characters XML does not allow are dropped; the rest is escaped. */
export function xmlText(text: string): string {
  return visibleText(text)
    .replace(/\p{Cc}|\p{Cs}|\ufffe|\uffff/gu, (c) => (isForbidden(c) ? "" : c))
    .replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}

function attribute(text: string): string {
  return xmlText(text).replace(/\t/g, "&#9;").replace(/\n/g, "&#10;").replace(/\r/g, "&#13;");
}

function testCase(item: ResultItem): string {
  const name = attribute(`${item.q_id}${item.repeat > 0 ? `#${item.repeat + 1}` : ""} ${item.question}`);
  const open = `    <testcase name="${name}" classname="${attribute(item.category ?? "eval")}" time="${(item.latency_ms / 1000).toFixed(3)}"`;
  if (item.final_grade === "PASS") return `${open}/>`;
  if (item.final_grade === "ERROR")
    return `${open}><error message="${attribute(item.error ?? "error")}"/></testcase>`;
  const message = `${item.final_grade} ${item.final_attribution ?? ""} keyword_rate=${item.keyword_rate} missed=${item.keyword_missed.map((m) => m.keyword).join("、")}`;
  return `${open}><failure type="${item.final_grade}" message="${attribute(message)}">${xmlText(item.answer)}</failure></testcase>`;
}

/** JUnit XML: PARTIAL and FAIL are failures, ERROR is an error. */
export function* renderJunit(results: ResultsFile): Generator<string> {
  const { items } = results;
  const count = (grades: string[]) => items.filter((item) => grades.includes(item.final_grade)).length;
  const seconds = items.reduce((sum, item) => sum + item.latency_ms, 0) / 1000;
  const head = `tests="${items.length}" failures="${count(["PARTIAL", "FAIL"])}" errors="${count(["ERROR"])}" time="${seconds.toFixed(3)}"`;
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${head}>\n  <testsuite name="${attribute(results.agent.name)}" timestamp="${attribute(results.generated_at)}" ${head}>\n`;
  for (const item of items) yield `${testCase(item)}\n`;
  yield "  </testsuite>\n</testsuites>\n";
}
