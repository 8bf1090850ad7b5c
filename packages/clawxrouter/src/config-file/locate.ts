/**
 * Finds the line of a JSON pointer in JSON text, so that a fault can be named where the user looks for it.
 *
 * @param text valid JSON
 * @param pointer RFC 6901 pointer; of a missing property the line of the nearest parent that exists is given
 * @returns one-based line
 */
export function locate(text: string, pointer: string): number {
  const wanted = pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  const scan = new Scanner(text);
  return lineOf(text, scan.find(wanted));
}

function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let i = 0; i < offset; i++) if (text.charCodeAt(i) === 10) line++;
  return line;
}

class Scanner {
  private at = 0;
  private readonly text: string;
  constructor(text: string) {
    this.text = text;
  }

  /** Offset of the value (or of the key that leads to it) named by `path`. */
  find(path: readonly string[]): number {
    this.space();
    let found = this.at;
    for (const part of path) {
      const open = this.text[this.at];
      if (open !== "{" && open !== "[") return found;
      const next = open === "{" ? this.member(part) : this.element(Number(part));
      if (next === undefined) return found;
      found = next;
    }
    return found;
  }

  private member(name: string): number | undefined {
    this.at++;
    for (;;) {
      this.space();
      if (this.text[this.at] !== '"') return undefined;
      const keyAt = this.at;
      const key = this.string();
      this.space();
      this.at++; // the colon
      this.space();
      if (key === name) return keyAt;
      this.skip();
      this.space();
      if (this.text[this.at] !== ",") return undefined;
      this.at++;
    }
  }

  private element(index: number): number | undefined {
    this.at++;
    for (let i = 0; ; i++) {
      this.space();
      if (this.text[this.at] === "]") return undefined;
      if (i === index) return this.at;
      this.skip();
      this.space();
      if (this.text[this.at] !== ",") return undefined;
      this.at++;
    }
  }

  /** Past one value. */
  private skip(): void {
    let depth = 0;
    do {
      const c = this.text[this.at];
      if (c === undefined) return;
      if (c === '"') this.string();
      else {
        if (c === "{" || c === "[") depth++;
        if (c === "}" || c === "]") depth--;
        if (depth < 0) return;
        if (depth === 0 && c === ",") return;
        this.at++;
      }
      this.space();
    } while (depth > 0 || !/[,\]}]/.test(this.text[this.at] ?? ","));
  }

  private string(): string {
    const start = this.at++;
    while (this.text[this.at] !== '"') this.at += this.text[this.at] === "\\" ? 2 : 1;
    this.at++;
    return JSON.parse(this.text.slice(start, this.at)) as string;
  }

  private space(): void {
    while (/\s/.test(this.text[this.at] ?? "")) this.at++;
  }
}
