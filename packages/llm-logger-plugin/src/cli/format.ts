/** Text output: tables, sizes, times, progress. */
import type { CommandContext } from "./spec.ts";

/** Columns padded to their widest cell (terminal columns: CJK characters count two). Numbers right, text left. */
export function table(head: string[], rows: string[][], right: readonly number[] = []): string {
  // A cell is one line: an id or a model name may hold anything.
  const all = [head, ...rows].map((row) => row.map((cell) => visible(cell.replace(/[\r\n\t]+/g, " "))));
  const count = Math.max(...all.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, column) =>
    all.reduce((most, row) => Math.max(most, width(row[column] ?? "")), 0),
  );
  const line = (row: string[]) =>
    row
      .map((cell, column) => {
        const gap = " ".repeat(Math.max(0, (widths[column] ?? 0) - width(cell)));
        return right.includes(column) ? gap + cell : column === row.length - 1 ? cell : cell + gap;
      })
      .join("  ");
  return `${(head.length > 0 ? all : all.slice(1)).map(line).join("\n")}\n`;
}

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const NO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/u;

/** Columns that a text takes on a terminal (UAX #11, near enough). */
export function width(text: string): number {
  let columns = 0;
  for (const char of text) columns += widthOf(char);
  return columns;
}

function widthOf(char: string): number {
  return WIDE.test(char) ? 2 : NO_WIDTH.test(char) ? 0 : 1;
}

/** One line of at most so many columns, never cut inside a character. */
export function fit(text: string, columns: number): string {
  const one = text.replace(/\s+/g, " ").trim();
  if (width(one) <= columns) return one;
  let out = "";
  let used = 0;
  for (const char of one) {
    used += widthOf(char);
    if (used > columns - 1) break;
    out += char;
  }
  return `${out}…`;
}

/** A paragraph broken at spaces for a terminal; further lines are indented. As it is where there is no terminal. */
export function wrap(text: string, columns: number | undefined, indent: number): string {
  if (columns === undefined || width(text) <= columns) return text;
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/(?<= )/)) {
    const start = lines.length === 0 ? 0 : indent;
    if (line !== "" && start + width(line) + width(word.trimEnd()) > columns) {
      lines.push(line.trimEnd());
      line = "";
    }
    line += word;
  }
  lines.push(line);
  return lines.join(`\n${" ".repeat(indent)}`);
}

/**
 * Control and direction characters written out (`\\u001b`): what a model said must not drive the terminal. In JSON this is
 * the same string.
 */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, (char) =>
    char === "\n" || char === "\t" ? char : `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
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
  if (one.length <= length) return one;
  const head = one.slice(0, length - 1);
  return `${/[\ud800-\udbff]$/.test(head) ? head.slice(0, -1) : head}…`;
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
