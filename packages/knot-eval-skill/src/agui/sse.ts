/**
 * Server-sent events from raw bytes, per the WHATWG HTML standard (section 9.2.6), plus two tolerances real
 * agent platforms need: events separated by a single line end, and a last event without its blank line.
 */

export interface SseEvent {
  /** The `event:` field, empty when absent. */
  name: string;
  /** All `data:` lines of the event, joined by a line feed. */
  data: string;
}

/** Bytes one event may have before the stream is given up: a reply without line ends must not fill the memory. */
const MAX_EVENT_CHARS = 32 * 1024 * 1024;

/** An event of more `data:` lines than this is not looked at line by line for a missing blank line any more. */
const MAX_LINES_TRIED = 64;

/** Whether a text is one complete JSON value or the `[DONE]` mark, so that a further `data:` line starts a new event. */
function isComplete(data: string): boolean {
  const text = data.trim();
  if (text === "[DONE]") return true;
  const first = text[0];
  const last = text.at(-1);
  if (!((first === "{" && last === "}") || (first === "[" && last === "]"))) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * A push decoder: any split of the same bytes gives the same events.
 *
 * Holds one streaming TextDecoder (a character may be cut between chunks; a byte-order mark is dropped) and
 * the unfinished line. CR, LF and CRLF end a line; a CR at the end of a chunk waits for a possible LF.
 */
export class SseDecoder {
  #decoder = new TextDecoder("utf-8");
  #line = "";
  #lastWasCr = false;
  #name = "";
  #data: string[] = [];
  #size = 0;
  #out: SseEvent[] = [];

  /** Takes bytes and returns the events they complete. @throws RangeError when one event is far too large */
  push(bytes: Uint8Array): SseEvent[] {
    this.#take(this.#decoder.decode(bytes, { stream: true }));
    return this.#drain();
  }

  /** Ends the stream: an event that only lacks its blank line still counts. */
  end(): SseEvent[] {
    this.#take(this.#decoder.decode());
    if (this.#line !== "") this.#endLine();
    this.#dispatch();
    return this.#drain();
  }

  #drain(): SseEvent[] {
    const events = this.#out;
    this.#out = [];
    return events;
  }

  #take(text: string): void {
    let start = 0;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code === 10 && this.#lastWasCr && i === start) {
        // The LF of a CRLF whose CR already ended the line.
        start = i + 1;
        this.#lastWasCr = false;
      } else if (code === 10 || code === 13) {
        this.#line += text.slice(start, i);
        this.#endLine();
        start = i + 1;
        this.#lastWasCr = code === 13;
      } else if (i === start) {
        this.#lastWasCr = false;
      }
    }
    this.#line += text.slice(start);
    if (this.#line.length + this.#size > MAX_EVENT_CHARS) {
      throw new RangeError(`one event of the stream has more than ${MAX_EVENT_CHARS} characters`);
    }
  }

  #endLine(): void {
    const line = this.#line;
    this.#line = "";
    if (line === "") {
      this.#dispatch();
      return;
    }
    const colon = line.indexOf(":");
    if (colon === 0) return;
    const field = colon < 0 ? line : line.slice(0, colon);
    const raw = colon < 0 ? "" : line.slice(colon + 1);
    const value = raw.startsWith(" ") ? raw.slice(1) : raw;
    if (field === "data") {
      if (this.#isWhole()) this.#dispatch();
      this.#data.push(value);
      this.#size += value.length;
    } else if (field === "event") {
      // With single line ends, the next event's name comes right after this event's data.
      if (this.#isWhole()) this.#dispatch();
      this.#name = value;
    }
  }

  #isWhole(): boolean {
    const lines = this.#data.length;
    return lines > 0 && lines <= MAX_LINES_TRIED && isComplete(this.#data.join("\n"));
  }

  #dispatch(): void {
    if (this.#data.length > 0) this.#out.push({ name: this.#name, data: this.#data.join("\n") });
    this.#name = "";
    this.#data = [];
    this.#size = 0;
  }
}
