import type { ResultItem } from "../results/schema.ts";
import type { Summary } from "../stats/summary.ts";

/** Small inline SVG charts. Colours come from CSS classes so that light and dark both work. */

function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}

function text(x: number, y: number, content: string, css: string, anchor = "start"): string {
  return `<text x="${x}" y="${y}" class="${css}" text-anchor="${anchor}">${escapeXml(content)}</text>`;
}

function svg(width: number, height: number, label: string, body: string): string {
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeXml(label)}" xmlns="http://www.w3.org/2000/svg">${body}</svg>`;
}

/** One bar divided by grade; ERROR has its own part. */
export function gradeChart(summary: Summary): string {
  const parts = [
    { name: "PASS", count: summary.pass.hits, css: "g-pass" },
    { name: "PARTIAL", count: summary.partial.hits, css: "g-partial" },
    { name: "FAIL", count: summary.fail.hits, css: "g-fail" },
    { name: "ERROR", count: summary.errors, css: "g-error" },
  ];
  const total = Math.max(1, summary.total);
  const width = 460;
  let x = 0;
  const bars: string[] = [];
  const legend: string[] = [];
  for (const [i, part] of parts.entries()) {
    const w = (part.count / total) * width;
    if (part.count > 0)
      bars.push(
        `<rect x="${x.toFixed(2)}" y="8" width="${w.toFixed(2)}" height="30" class="${part.css}"><title>${part.name}: ${part.count}</title></rect>`,
      );
    if (w > 44)
      bars.push(text(x + w / 2, 28, `${((part.count / total) * 100).toFixed(1)}%`, "t-on", "middle"));
    x += w;
    legend.push(
      `<rect x="${i * 115}" y="52" width="11" height="11" class="${part.css}"/>${text(i * 115 + 16, 62, `${part.name} ${part.count}`, "t")}`,
    );
  }
  return svg(width, 72, "grades", bars.join("") + legend.join(""));
}

/** Horizontal bars, one a cause. */
export function attributionChart(summary: Summary, names: Readonly<Record<string, string>>): string {
  const rows = summary.attributions.filter((a) => a.count > 0).sort((a, b) => b.count - a.count);
  if (rows.length === 0) return svg(460, 30, "attribution", text(0, 20, "—", "t"));
  const most = Math.max(...rows.map((row) => row.count));
  const body = rows.map((row, i) => {
    const y = i * 26 + 4;
    const w = Math.max(2, (row.count / most) * 210);
    return `${text(0, y + 14, `${row.code} ${names[row.code] ?? ""}`, "t")}<rect x="200" y="${y}" width="${w.toFixed(1)}" height="18" class="a-${row.code.charAt(0)}"><title>${row.code}: ${row.count}</title></rect>${text(206 + w, y + 14, String(row.count), "t")}`;
  });
  return svg(460, rows.length * 26 + 8, "attribution", body.join(""));
}

/** Where the bars of the histogram stand. */
const BASE = 128;

/** Histogram of answer times with the p50, p90 and p95 marks. */
export function latencyChart(summary: Summary, items: readonly ResultItem[]): string {
  const values = items.filter((item) => item.final_grade !== "ERROR").map((item) => item.latency_ms);
  const { p50, p90, p95 } = summary.latency_ms;
  if (values.length === 0 || p50 === null || p90 === null || p95 === null)
    return svg(460, 30, "latency", text(0, 20, "—", "t"));
  const top = Math.max(1, ...[p95 * 1.25]);
  const bins = new Array<number>(24).fill(0);
  for (const value of values) {
    const bin = Math.min(bins.length - 1, Math.floor((value / top) * bins.length));
    bins[bin] = (bins[bin] ?? 0) + 1;
  }
  const most = Math.max(...bins);
  const width = 460;
  const step = width / bins.length;
  const bars = bins.map((count, i) => {
    const h = (count / most) * 76;
    return count === 0
      ? ""
      : `<rect x="${(i * step + 1).toFixed(1)}" y="${(BASE - h).toFixed(1)}" width="${(step - 2).toFixed(1)}" height="${h.toFixed(1)}" class="l-bar"><title>${Math.round((i * top) / bins.length)}–${Math.round(((i + 1) * top) / bins.length)} ms: ${count}</title></rect>`;
  });
  const marks = [
    { name: "p50", value: p50 },
    { name: "p90", value: p90 },
    { name: "p95", value: p95 },
  ].map(({ name, value }, i) => {
    const x = (value / top) * width;
    // The names stand above the bars, one line each, on the side where there is room.
    const left = x > width / 2;
    return `<line x1="${x.toFixed(1)}" x2="${x.toFixed(1)}" y1="${i * 15 + 3}" y2="${BASE}" class="l-mark"/>${text(left ? x - 4 : x + 4, i * 15 + 13, `${name} ${Math.round(value)} ms`, "t", left ? "end" : "start")}`;
  });
  return svg(
    width,
    BASE + 18,
    "latency",
    `${bars.join("")}<line x1="0" x2="${width}" y1="${BASE}" y2="${BASE}" class="l-axis"/>${marks.join("")}${text(0, BASE + 15, "0 ms", "t")}${text(width, BASE + 15, `${Math.round(top)} ms`, "t", "end")}`,
  );
}
