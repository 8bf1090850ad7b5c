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
  return safely({
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
  });
}

/**
 * What obeys instead of being shown: control characters (terminal escapes too), line and paragraph separators, bidirectional
 * controls; and what is there without being seen: zero-width characters, Unicode tags, lone surrogates. Joiners and variation
 * selectors stay, as emoji and Persian need them.
 */
const UNSAFE =
  /(?![\n\t])\p{Cc}|[\u2028\u2029]|\p{Cs}|(?!\u200c|\u200d|[\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}/gu;

/** Makes foreign text safe for a terminal, each such character as `\uXXXX`; in JSON that is the same text. */
export function printable(text: string): string {
  return text.replace(UNSAFE, (found) =>
    found
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}

/** Foreign text that must stay in its line of a list. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** An output through which nothing but visible text comes: errors quote files and servers, too. */
export function safely({ out, err, progress }: Output): Output {
  return {
    out: (line) => out(printable(line)),
    err: (line) => err(printable(line)),
    progress: (line) => progress(printable(oneLine(line))),
  };
}
