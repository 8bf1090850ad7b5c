/** Text output: tables, sizes, times, progress. */
import type { CommandContext } from "./spec.ts";

/** Columns padded to their widest cell (terminal columns: CJK characters count two). Numbers right, text left. */
export function table(head: string[], rows: string[][], right: readonly number[] = []): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => width(row[column] ?? ""))));
  const line = (row: string[]) =>
    row
      .map((cell, column) => {
        const gap = " ".repeat(Math.max(0, (widths[column] ?? 0) - width(cell)));
        return right.includes(column) ? gap + cell : column === row.length - 1 ? cell : cell + gap;
      })
      .join("  ");
  return `${all.map(line).join("\n")}\n`;
}

function width(text: string): number {
  let columns = 0;
  for (const char of text)
    columns +=
      /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]/.test(
        char,
      )
        ? 2
        : 1;
  return columns;
}

export function bytes(count: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let value = count;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 ? value : value.toFixed(value < 10 ? 1 : 0)} ${units[unit]}`;
}

export function milliseconds(value: number | null | undefined): string {
  if (value === null || value === undefined) return "-";
  return value < 1000 ? `${Math.round(value)} ms` : `${(value / 1000).toFixed(1)} s`;
}

export function usd(value: number | null | undefined): string {
  if (value === null || value === undefined) return "-";
  return `$${value === 0 ? "0" : value < 0.01 ? value.toPrecision(2) : value.toFixed(2)}`;
}

export function clip(text: string, length: number): string {
  const one = text.replace(/\s+/g, " ").trim();
  return one.length <= length ? one : `${one.slice(0, length - 1)}…`;
}

/** Progress of a scan on a terminal's standard error; silent elsewhere and for short scans. */
export function progress(
  context: CommandContext,
  label: string,
): { update(done: number, total: number): void; end(): void } {
  const started = Date.now();
  let shown = 0;
  return {
    update(done, total) {
      const now = Date.now();
      if (!context.tty || now - started < 300 || now - shown < 100) return;
      shown = now;
      const rate = done / 1e6 / ((now - started) / 1000);
      context.err(
        `\r${label} ${Math.floor((100 * done) / Math.max(1, total))} % of ${bytes(total)}, ${rate.toFixed(0)} MB/s `,
      );
    },
    end() {
      if (shown > 0) context.err(`\r${" ".repeat(60)}\r`);
    },
  };
}
