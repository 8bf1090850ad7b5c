/** Where a run writes to; tests hand in their own. */
export interface Console {
  /** Results and answers to the user: stdout. */
  out(line: string): void;
  /** Progress, warnings and errors: stderr. */
  note(line: string): void;
  /** Overwrites the current line of a terminal; undefined where stderr is no terminal. */
  redraw?: ((line: string) => void) | undefined;
}

/** Puts every line through `guard` first: the one place all output of a run passes. */
export function guardedConsole(inner: Console, guard: (text: string) => string): Console {
  const { redraw } = inner;
  return {
    out: (line) => inner.out(guard(line)),
    note: (line) => inner.note(guard(line)),
    redraw: redraw && ((line) => redraw(guard(line))),
  };
}

/** Cuts a line to the width of a terminal (Han characters take two columns), so that redrawing it leaves nothing behind. */
export function fitLine(line: string, columns: number): string {
  let width = 0;
  let out = "";
  for (const char of line) {
    width += (char.codePointAt(0) ?? 0) >= 0x1100 ? 2 : 1;
    if (width >= columns) return out;
    out += char;
  }
  return out;
}

/** The process's own streams. */
export function processConsole(): Console {
  const { stderr } = process;
  return {
    out: (line) => void process.stdout.write(`${line}\n`),
    note: (line) => void stderr.write(`${line}\n`),
    redraw: stderr.isTTY
      ? (line) => void stderr.write(`\r\x1b[2K${fitLine(line, stderr.columns || 80)}`)
      : undefined,
  };
}
