import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

/** What the tour prints: plain lines where nobody watches, colour and a moving clock on a terminal. */
export class Screen {
  #timer: NodeJS.Timeout | undefined;
  #tty = process.stdout.isTTY === true;

  style(style: Style, text: string): string {
    // styleText itself honours NO_COLOR, NODE_DISABLE_COLORS and FORCE_COLOR.
    return styleText(style, text, { stream: process.stdout });
  }

  line(text = ""): void {
    process.stdout.write(`${text}\n`);
  }

  title(text: string): void {
    this.line();
    this.line(this.style(["bold", "cyan"], text));
  }

  /** Runs a step that may be long, with its name and a running clock. */
  async during<T>(what: string, run: () => Promise<T>): Promise<T> {
    const started = performance.now();
    const seconds = () => ((performance.now() - started) / 1000).toFixed(1);
    if (this.#tty) {
      this.#timer = setInterval(
        () => process.stdout.write(`\r\x1b[2K  ${this.style("yellow", "…")} ${what} ${seconds()} s`),
        100,
      );
    } else this.line(`  … ${what}`);
    try {
      const result = await run();
      this.#clear();
      this.line(`  ${this.style("green", "✔")} ${what} ${this.style("dim", `${seconds()} s`)}`);
      return result;
    } catch (error) {
      this.#clear();
      this.line(`  ${this.style("red", "✘")} ${what} ${this.style("dim", `${seconds()} s`)}`);
      throw error;
    }
  }

  /** `who ▸ text`, indented and cut to a few lines. */
  says(who: string, text: string, style: Style, lines = 4): void {
    const rows = text.trim().split("\n");
    const shown = rows
      .slice(0, lines)
      .map((row) => ([...row].length > 150 ? `${[...row].slice(0, 149).join("")}…` : row));
    if (rows.length > lines) shown.push(this.style("dim", `… ${rows.length - lines} more lines`));
    const label = `${who} ▸ `;
    this.line(`    ${this.style(style, label)}${shown.join(`\n    ${" ".repeat(width(label))}`)}`);
  }

  check(ok: boolean, text: string): void {
    this.line(`    ${ok ? this.style("green", "✔") : this.style(["red", "bold"], "✘")} ${text}`);
  }

  #clear(): void {
    clearInterval(this.#timer);
    if (this.#tty) process.stdout.write("\r\x1b[2K");
  }
}

/** Columns on a terminal: CJK characters take two. */
function width(text: string): number {
  return [...text].reduce((sum, c) => sum + (/[\u1100-\u115f\u2e80-\uffe6]/.test(c) ? 2 : 1), 0);
}
