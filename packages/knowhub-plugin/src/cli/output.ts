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
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
  return text.replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
