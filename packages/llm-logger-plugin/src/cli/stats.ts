/** `llm-logs stats`: calls, tokens, cost, errors and times by day and model. */
import { toCallRecord } from "../read/call-record.ts";
import { matches, relevantFiles } from "../read/filter.ts";
import { scanFiles } from "../read/scan.ts";
import { Stats, type Totals } from "../read/stats.ts";
import { bytes, milliseconds, progress, table, usd } from "./format.ts";
import { filterOf, filterOptions } from "./list.ts";
import { loadFiles } from "./load.ts";
import type { Command } from "./spec.ts";

/** Below this width the table would break. */
const WIDE_COLUMNS = 140;

export const statsCommand: Command = {
  name: "stats",
  usage: "",
  summary: "Calls, tokens, cost, errors, times by model and day / 统计",
  options: { ...filterOptions, json: { help: "as JSON" } },
  async run(context) {
    const filter = filterOf(context);
    const files = relevantFiles(await loadFiles(context), filter, context.location);
    const bar = progress(context, "reading");
    const stats = new Stats();
    const started = performance.now();
    // Only a text search needs the answers; without it a line is parsed up to them.
    const until = filter.text === undefined ? { until: [',"message":'] } : {};
    const scanned = await scanFiles(
      files,
      { types: ["llm_call"], ...until, onProgress: bar.update, signal: context.signal },
      (record) => {
        const call = toCallRecord(record);
        if (call && matches(call, filter)) stats.add(call);
      },
    );
    bar.end();
    const seconds = (performance.now() - started) / 1000;
    if (context.options.json) {
      const groups = stats.sorted().map(({ day, model, totals }) => ({ day, model, ...plain(totals) }));
      context.out(`${JSON.stringify({ all: plain(stats.all), groups, scanned, seconds }, null, 2)}\n`);
      return 0;
    }
    if (context.columns !== undefined && context.columns < WIDE_COLUMNS) {
      for (const { day, model, totals } of stats.sorted()) context.out(`${day}  ${model}\n${block(totals)}`);
      context.out(`all\n${block(stats.all)}`);
    } else context.out(wide(stats));
    if (stats.all.unpriced > 0)
      context.out(
        `${stats.all.unpriced} call(s) have no price in the host's config and are not in the cost\n`,
      );
    const bad = scanned.bad > 0 ? `, ${scanned.bad} damaged skipped` : "";
    context.err(
      `${bytes(scanned.bytes)} in ${seconds.toFixed(2)} s (${(scanned.bytes / 1e6 / seconds).toFixed(0)} MB/s), ${scanned.lines} lines${bad}\n`,
    );
    return 0;
  },
};

function wide(stats: Stats): string {
  const rows = stats.sorted().map(({ day, model, totals }) => [day, model, ...cells(totals)]);
  rows.push(["all", "", ...cells(stats.all)]);
  return table(
    ["day", "model", "calls", "errors", "in", "cached", "out", "cost", "first byte p50/p95", "whole p50/p95"],
    rows,
    [2, 3, 4, 5, 6, 7, 8, 9],
  );
}

/** The same numbers on a narrow terminal. */
function block(totals: Totals): string {
  const [calls, errors, input, cached, output, cost, first, whole] = cells(totals);
  return [
    `  ${calls} calls, ${errors} errors, ${cost}`,
    `  tokens ${input} in + ${cached} cached, ${output} out`,
    `  p50/p95 first byte ${first}, whole ${whole}\n`,
  ].join("\n");
}

function cells(totals: Totals): string[] {
  const pair = (from: Totals["ttfb"]) =>
    `${milliseconds(from.quantile(0.5))}/${milliseconds(from.quantile(0.95))}`;
  return [
    String(totals.calls),
    String(totals.errors),
    String(totals.input + totals.cacheWrite),
    String(totals.cacheRead),
    String(totals.output),
    usd(totals.costUsd),
    pair(totals.ttfb),
    pair(totals.duration),
  ];
}

function plain({ ttfb, duration, ...numbers }: Totals): object {
  const at = (from: Totals["ttfb"]) => ({ p50: from.quantile(0.5), p95: from.quantile(0.95) });
  return { ...numbers, ttfbMs: at(ttfb), durationMs: at(duration) };
}
