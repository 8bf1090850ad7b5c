/** The list of messages in a body's text: where it stands and where each of its elements does. */
export interface ElementList {
  key: string;
  /** First and one past the last UTF-16 unit of each element. */
  spans: ReadonlyArray<readonly [start: number, end: number]>;
}

/** Names of the list of messages: chat, Anthropic and Ollama; Responses; Google. */
const LIST_KEYS = new Set(["messages", "input", "contents"]);

/**
 * Finds the list of messages in the text of a JSON object without parsing it. Reads no further than it must: that the
 * text is JSON is for a parser to say.
 * @returns undefined when there is no such list, more than one, or anything unusual at the top of the object
 */
export function findElements(text: string): ElementList | undefined {
  try {
    return new Scanner(text).list();
  } catch (error) {
    if (error instanceof ScanError) return undefined;
    throw error;
  }
}

class ScanError extends Error {}

class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  list(): ElementList | undefined {
    let found: ElementList | undefined;
    this.#expect(123);
    this.#space();
    if (this.#unit() === 125) return undefined;
    for (;;) {
      this.#space();
      const start = this.#at;
      this.#string();
      const key = this.#text.slice(start + 1, this.#at - 1);
      // A name written with escapes may be any name.
      if (key.includes("\\")) throw new ScanError();
      this.#space();
      this.#expect(58);
      this.#space();
      if (LIST_KEYS.has(key)) {
        if (found) throw new ScanError();
        if (this.#unit() === 91) found = { key, spans: this.#elements() };
        else this.#value();
      } else this.#value();
      this.#space();
      if (this.#unit() === 125) break;
      this.#expect(44);
    }
    this.#at += 1;
    this.#space();
    if (this.#at !== this.#text.length) throw new ScanError();
    return found;
  }

  #elements(): Array<readonly [number, number]> {
    const spans: Array<readonly [number, number]> = [];
    this.#expect(91);
    this.#space();
    if (this.#unit() === 93) {
      this.#at += 1;
      return spans;
    }
    for (;;) {
      this.#space();
      const start = this.#at;
      this.#value();
      spans.push([start, this.#at]);
      this.#space();
      if (this.#unit() === 93) {
        this.#at += 1;
        return spans;
      }
      this.#expect(44);
    }
  }

  /** Skips one value. */
  #value(): void {
    const text = this.#text;
    const unit = this.#unit();
    if (unit === 34) {
      this.#string();
      return;
    }
    if (unit !== 123 && unit !== 91) {
      const start = this.#at;
      while (isScalar(text.charCodeAt(this.#at))) this.#at += 1;
      if (this.#at === start) throw new ScanError();
      return;
    }
    let depth = 0;
    while (this.#at < text.length) {
      const next = text.charCodeAt(this.#at);
      if (next === 34) {
        this.#string();
        continue;
      }
      this.#at += 1;
      if (next === 123 || next === 91) depth += 1;
      else if (next === 125 || next === 93) {
        depth -= 1;
        if (depth === 0) return;
      }
    }
    throw new ScanError();
  }

  #string(): void {
    this.#expect(34);
    for (;;) {
      const end = this.#text.indexOf('"', this.#at);
      if (end === -1) throw new ScanError();
      this.#at = end + 1;
      let escapes = 0;
      while (this.#text.charCodeAt(end - 1 - escapes) === 92) escapes += 1;
      if (escapes % 2 === 0) return;
    }
  }

  #unit(): number {
    return this.#text.charCodeAt(this.#at);
  }

  #expect(unit: number): void {
    if (this.#unit() !== unit) throw new ScanError();
    this.#at += 1;
  }

  #space(): void {
    for (;;) {
      const unit = this.#unit();
      if (unit !== 32 && unit !== 10 && unit !== 13 && unit !== 9) return;
      this.#at += 1;
    }
  }
}

/** A unit of a number or of true, false, null. */
function isScalar(unit: number): boolean {
  return (
    (unit >= 48 && unit <= 57) ||
    (unit >= 97 && unit <= 122) ||
    unit === 43 ||
    unit === 45 ||
    unit === 46 ||
    unit === 69
  );
}
