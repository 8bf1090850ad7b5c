import { PyFloat, str } from "../jinja/python.ts";
import { argument, type Filter } from "../jinja/runtime.ts";

/**
 * Filters of our own for report templates. Agent answers are foreign text: in Markdown they must stay text.
 */

/** Makes a value safe inside a Markdown table cell or line: no HTML, no pipes, no line ends, no marks, no links. */
export function markdownCell(text: string, limit = 400): string {
  const oneLine = text.replace(/\s+/g, " ").trim();
  const chars = [...oneLine];
  const cut = chars.length > limit ? `${chars.slice(0, limit).join("")}…` : oneLine;
  return cut
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/[\\`*_{}[\]()#+!|~$-]/g, (c) => `\\${c}`)
    .replace(/\b(https?|ftp|javascript|data|vbscript|file):/gi, "$1&#58;");
}

/** Puts text into a fenced block whose fence is longer than any in the text. */
export function markdownBlock(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map((m) => m[0].length));
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${text.replace(/\r\n?/g, "\n")}\n${fence}`;
}

function number(value: unknown): number | undefined {
  if (value instanceof PyFloat) return value.value;
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

export const REPORT_FILTERS: Record<string, Filter> = {
  /** 0.8123 -> 81.2%; None -> a dash. */
  pct: (v, call) => {
    const n = number(v);
    return n === undefined ? "—" : `${(n * 100).toFixed(number(argument(call, 0, "digits", 1)) ?? 1)}%`;
  },
  /** 12345.6 -> 12,346 */
  num: (v, call) => {
    const n = number(v);
    const digits = number(argument(call, 0, "digits", 0)) ?? 0;
    if (n === undefined) return "—";
    const [whole = "", fraction] = n.toFixed(digits).split(".");
    const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ",");
    return fraction === undefined ? grouped : `${grouped}.${fraction}`;
  },
  cell: (v, call) => markdownCell(str(v ?? "—"), number(argument(call, 0, "limit", 400)) ?? 400),
  fenced: (v) => markdownBlock(str(v)),
};
