/**
 * Runs of like events. A model's stream is mostly the same event again and again with another piece of text in it. Once
 * one such event is understood, the rest of its run is cut by a plain search for the fixed text between two pieces, and
 * escaped for the log by joining the pieces with the escaped fixed text. All text here holds one byte a character.
 */

/** How far a run is searched at once: a template that fits nothing must not cost a search to the end of the stream. */
const WINDOW = 64 * 1024;

/** The fixed text around the one piece in which the events of a run differ. */
export class EventTemplate {
  /** From after a piece to before the next one: end of event, start of event. */
  readonly #between: string;
  readonly #betweenEscaped: string;
  /** Length of the part of `#between` that opens the next event. */
  readonly #openLength: number;

  /**
   * @param open an event from its start to before its piece, the opening quote included.
   * @param close the rest of the event after the piece, from the closing quote to its blank line.
   */
  constructor(open: string, close: string) {
    this.#between = close + open;
    this.#betweenEscaped = escapeBytes(this.#between);
    this.#openLength = open.length;
  }

  /**
   * Reads a run.
   * @param text the stream. @param from where the piece of a known event of this kind starts.
   * @returns the pieces of the events after it and where the first event starts that is not in the run; undefined
   * when the next event is none of this kind.
   */
  run(text: string, from: number): EventRun | undefined {
    const parts = text.slice(from, from + WINDOW).split(this.#between);
    // The first part is the known event's own piece; the last one may be cut by the window.
    let length = parts[0]?.length ?? 0;
    const pieces: string[] = [];
    for (let i = 1; i < parts.length - 1; i++) {
      const piece = parts[i] as string;
      if (!PLAIN.test(piece)) break;
      pieces.push(piece);
      length += this.#between.length + piece.length;
    }
    if (pieces.length === 0) return undefined;
    const end = from + length + this.#between.length - this.#openLength;
    const escaped = this.#betweenEscaped + pieces.join(this.#betweenEscaped);
    return {
      pieces,
      firstPieceEnd: from + (parts[0]?.length ?? 0),
      runEnd: from + length,
      nextEvent: end,
      escaped,
    };
  }
}

export interface EventRun {
  /** Contents of JSON strings without escapes. */
  pieces: string[];
  /** End of the known event's own piece. */
  firstPieceEnd: number;
  /** End of the last piece of the run. */
  runEnd: number;
  /** Start of the first event after the run. */
  nextEvent: number;
  /** `text.slice(firstPieceEnd, runEnd)` escaped for a JSON string. */
  escaped: string;
}

/** A piece that needs no escape, in JSON and in the log's JSON alike. */
const PLAIN = /^[ !#-[\]-\xff]*$/;

/** The inside of a JSON string: bytes of UTF-8 need no escape, so it works on one byte a character too. */
export function escapeBytes(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
