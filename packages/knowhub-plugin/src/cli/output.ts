/** Where a command writes; tests give their own. */
export interface Output {
  out(line: string): void;
  err(line: string): void;
  /** A line that is overwritten by the next one on a terminal, and left out elsewhere. */
  progress(line: string): void;
}

export function consoleOutput(): Output {
  const tty = process.stderr.isTTY === true;
  let pending = false;
  const end = () => {
    if (pending) process.stderr.write("\n");
    pending = false;
  };
  return {
    out(line) {
      end();
      process.stdout.write(`${line}\n`);
    },
    err(line) {
      end();
      process.stderr.write(`${line}\n`);
    },
    progress(line) {
      if (!tty) return;
      process.stderr.write(`\r\u001b[K${line}`);
      pending = true;
    },
  };
}

/** Makes foreign text safe for a terminal: control characters (escape sequences too) are shown, not obeyed. */
export function printable(text: string): string {
  return text.replace(
    /(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
