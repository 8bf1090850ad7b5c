/**
 * Runs of like events. A model's stream is mostly the same event again and again with another piece of text in it. Once
 * one such event is understood, the rest of its run is cut by a plain search for the fixed text between two pieces, and
 * escaped for the log by joining the pieces with the escaped fixed text. All text here holds one byte a character.
 */

import { decodeBytes, escapeBytes } from "../body/escaped.ts";

/** The fixed text around the one piece in which the events of a run differ. */
export class EventTemplate {
  readonly #open: string;
  readonly #close: string;
  /** From after a piece to before the next one: end of event, start of event. */
  readonly #between: string;
  readonly #betweenEscaped: string;

  /**
   * @param open an event from its start to before its piece, the opening quote included.
   * @param close the rest of the event after the piece, from the closing quote to its blank line.
   */
  constructor(open: string, close: string) {
    this.#open = open;
    this.#close = close;
    this.#between = close + open;
    this.#betweenEscaped = escapeBytes(this.#between);
  }

  /** Whether this is an event of this kind. */
  fits(event: string): boolean {
    const { length } = this.#open;
    const end = event.length - this.#close.length;
    if (end < length || !event.startsWith(this.#open) || !event.endsWith(this.#close)) return false;
    return isStringContent(event.slice(length, end));
  }

  /**
   * Reads a run.
   * @param text events of a stream. @param end where a known event of this kind ends.
   * @returns what the events after it say and where the first event starts that is not in the run; undefined when the
   * next event is none of this kind.
   */
  run(text: string, end: number): EventRun | undefined {
    const firstPieceEnd = end - this.#close.length;
    // An event of another kind may stand before the next one of this kind: it must not be passed over.
    if (!text.startsWith(this.#between, firstPieceEnd)) return undefined;
    const parts = text.slice(firstPieceEnd + this.#between.length).split(this.#between);
    // The last one runs on to the end of the text.
    parts.length--;
    let said = parts.join("");
    const plain = !SPECIAL.test(said);
    if (!plain) {
      const other = parts.findIndex((piece) => !isStringContent(piece));
      if (other !== -1) {
        parts.length = other;
        said = parts.join("");
      }
    }
    if (parts.length === 0) return undefined;
    const runEnd = firstPieceEnd + parts.length * this.#between.length + said.length;
    return {
      events: parts.length,
      said: plain ? decodeBytes(said) : textOf(said),
      firstPieceEnd,
      runEnd,
      nextEvent: runEnd + this.#close.length,
      escaped: [this.#betweenEscaped, (plain ? parts : parts.map(escapePiece)).join(this.#betweenEscaped)],
    };
  }
}

export interface EventRun {
  events: number;
  /** What these events say. */
  said: string;
  /** End of the known event's own piece. */
  firstPieceEnd: number;
  /** End of the last piece of the run. */
  runEnd: number;
  /** Start of the first event after the run. */
  nextEvent: number;
  /** `text.slice(firstPieceEnd, runEnd)` escaped for a JSON string, in parts. */
  escaped: readonly string[];
}

/** What needs an escape, in JSON and in the log's JSON alike. */
const SPECIAL = /[^ !#-[\]-\xff]/;

/** Escapes of JSON strings (RFC 8259, section 7). */
const ESCAPES = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/g;

/** Whether text is the whole content of a JSON string. */
function isStringContent(text: string): boolean {
  return !SPECIAL.test(text) || !SPECIAL.test(text.replace(ESCAPES, ""));
}

function escapePiece(piece: string): string {
  return piece.includes("\\") ? escapeBytes(piece) : piece;
}

/** What a JSON string says. @param content between its quotes, one byte a character. */
function textOf(content: string): string {
  return String(JSON.parse(`"${decodeBytes(content)}"`));
}
