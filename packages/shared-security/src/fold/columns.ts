import { Decoded } from "./decoded.ts";
import type { View } from "./view.ts";

const RULE_LINE = /^[\s|+:=\u2500-\u257f-]*$/;
/** Border of a cell: of Markdown, `psql` and `mysql`; this one is drawn. */
const DRAWN = "\u2502";
const MAX_COLUMNS = 32;
const MAX_ROWS = 2000;

/** Views of each column of the tables in a text: a long value goes on in the cell below. Cells without what surrounds them. */
export function columns(text: string): View[] {
  const views: View[] = [];
  let rows: Cell[][] = [];
  const flush = (): void => {
    if (rows.length > 1) views.push(...columnsOf(text, rows));
    rows = [];
  };
  let plain = text.indexOf("|");
  let drawn = text.indexOf(DRAWN);
  for (let at = 0; at < text.length; ) {
    if (plain >= 0 && plain < at) plain = text.indexOf("|", at);
    if (drawn >= 0 && drawn < at) drawn = text.indexOf(DRAWN, at);
    // Only lines with a border are looked at.
    const border = plain < 0 ? drawn : drawn < 0 ? plain : Math.min(plain, drawn);
    if (border < 0) break;
    let next = text.indexOf("\n", at);
    if (next < 0) next = text.length;
    if (border >= next) {
      flush();
      at = text.lastIndexOf("\n", border) + 1;
      continue;
    }
    const cells = cellsOf(text, at, next);
    if (cells.length < 2 || cells.length > MAX_COLUMNS) flush();
    else if (!(next - at < 1000 && RULE_LINE.test(text.slice(at, next)))) {
      if (rows.length > 0 && rows[0]?.length !== cells.length) flush();
      if (rows.length < MAX_ROWS) rows.push(cells);
    }
    at = next + 1;
  }
  flush();
  return views;
}

type Cell = readonly [from: number, to: number];

function cellsOf(text: string, from: number, to: number): Cell[] {
  const cells: Cell[] = [];
  let start = from;
  for (let i = from; i <= to; i++) {
    const code = text.charCodeAt(i);
    if (i < to && code !== 0x7c && code !== 0x2502) continue;
    let a = start;
    let b = i;
    while (a < b && isSpace(text.charCodeAt(a))) a++;
    while (b > a && isSpace(text.charCodeAt(b - 1))) b--;
    cells.push([a, b]);
    start = i + 1;
  }
  return cells.length < 2 ? [] : cells;
}

function columnsOf(text: string, rows: readonly Cell[][]): View[] {
  const views: View[] = [];
  for (let column = 0; column < (rows[0]?.length ?? 0); column++) {
    const joined = new Decoded();
    for (const row of rows) {
      const [from, to] = row[column] ?? [0, 0];
      joined.copy(text, from, to);
      joined.add("\n", to, to);
    }
    if (!joined.isEmpty) views.push(joined.view());
  }
  return views;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0d;
}
