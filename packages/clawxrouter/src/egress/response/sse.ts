/** One block of a `text/event-stream`, as it came. */
export interface SseBlock {
  /** The block with its line ends, for passing on unchanged; ends with the blank line. */
  raw: string;
  /** `event:` field, when there is one. */
  event: string | undefined;
  /** `data:` lines joined by `\n`; undefined for comments and keep-alives. */
  data: string | undefined;
}

/**
 * Cuts a decoded stream into event blocks, over any split of the input.
 * LF, CRLF and CR line ends, comments, multi-line data.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */
export class SseSplitter {
  #raw = "";
  #line = "";
  #event: string | undefined;
  #data: string[] = [];
  #hasLines = false;
  /** The last unit was CR: an LF right behind it belongs to the same line end. */
  #afterCr = false;

  /** Feeds a piece of the stream and returns the blocks that it completes. */
  push(text: string): SseBlock[] {
    const blocks: SseBlock[] = [];
    let from = 0;
    if (this.#afterCr && text.length > 0) {
      this.#afterCr = false;
      if (text.charCodeAt(0) === 10) {
        // The LF of a CRLF cut in two: part of a line end already handled, passed on with what follows.
        this.#raw += "\n";
        from = 1;
      }
    }
    for (;;) {
      const end = lineEnd(text, from);
      if (end === -1) break;
      this.#line += text.slice(from, end);
      let next = end + 1;
      if (text.charCodeAt(end) === 13) {
        if (next === text.length) this.#afterCr = true;
        else if (text.charCodeAt(next) === 10) next += 1;
      }
      this.#raw += this.#line + text.slice(end, next);
      const block = this.#endLine();
      if (block) blocks.push(block);
      from = next;
    }
    this.#line += text.slice(from);
    return blocks;
  }

  /** What stands unfinished at the end of the stream; passed on so that nothing is swallowed. */
  end(): SseBlock | undefined {
    if (this.#raw === "" && this.#line === "") return undefined;
    const tail = this.#line;
    this.#raw += tail;
    if (tail !== "") this.#field(tail);
    return this.#take();
  }

  #endLine(): SseBlock | undefined {
    const line = this.#line;
    this.#line = "";
    if (line === "") {
      // Blank lines between blocks (and a leading one) are passed on with the next block.
      return this.#hasLines ? this.#take() : undefined;
    }
    this.#hasLines = true;
    this.#field(line);
    return undefined;
  }

  #field(line: string): void {
    const colon = line.indexOf(":");
    const name = colon === -1 ? line : line.slice(0, colon);
    let value = colon === -1 ? "" : line.slice(colon + 1);
    if (value.startsWith(" ")) value = value.slice(1);
    if (name.replace(/^\uFEFF/, "") === "data") this.#data.push(value);
    else if (name.replace(/^\uFEFF/, "") === "event") this.#event = value;
  }

  #take(): SseBlock {
    const block = {
      raw: this.#raw,
      event: this.#event,
      data: this.#data.length > 0 ? this.#data.join("\n") : undefined,
    };
    this.#raw = "";
    this.#event = undefined;
    this.#data = [];
    this.#hasLines = false;
    return block;
  }
}

function lineEnd(text: string, from: number): number {
  for (let i = from; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit === 10 || unit === 13) return i;
  }
  return -1;
}

/** An event block: `event` line when given, one `data` line a line of `data`. */
export function sseBlock(data: string, event?: string): string {
  const lines = data.split("\n").map((line) => `data: ${line}\n`);
  return `${event === undefined ? "" : `event: ${event}\n`}${lines.join("")}\n`;
}

/** The block with other data; its further fields (`event`, `id`, `retry`, comments) stay. */
export function withData(block: SseBlock, data: string): string {
  const fields = block.raw
    .split(/\r\n|\n|\r/)
    .filter((line) => line !== "" && !/^\uFEFF?data(?::|$)/.test(line));
  return fields.map((line) => `${line}\n`).join("") + sseBlock(data);
}
