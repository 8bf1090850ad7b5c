/** Where a run writes to; tests hand in their own. */
export interface Console {
  /** Results and answers to the user: stdout. */
  out(line: string): void;
  /** Progress, warnings and errors: stderr. */
  note(line: string): void;
  /** Overwrites the current line of a terminal; undefined where stderr is no terminal. */
  redraw?: ((line: string) => void) | undefined;
}

/** The process's own streams. */
export function processConsole(): Console {
  const { stderr } = process;
  return {
    out: (line) => void process.stdout.write(`${line}\n`),
    note: (line) => void stderr.write(`${line}\n`),
    redraw: stderr.isTTY ? (line) => void stderr.write(`\r\x1b[2K${line}`) : undefined,
  };
}
