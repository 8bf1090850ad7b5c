import type { Finding } from "../types.ts";
import type { TextStream } from "./restore.ts";

export interface RedactStreamOptions {
  /**
   * How many UTF-16 units before the end of what has arrived are still open: a value and the words that give it away must
   * fit in here. Default 1,024.
   */
  lookBehind?: number;
  /** A value that is still growing (a private key) is held back up to this many units. Default 32,768. */
  maxHeld?: number;
  /** What stands before the text (a key name, say): seen by the detector, not sent. */
  before?: string;
}

/** Text is judged each time another such step has arrived, at fixed places: the cuts of the pieces do not matter. */
const STEP = 256;

/**
 * Takes private values out of a text that arrives cut at arbitrary places. Whatever the cuts, the pieces that come out
 * make up the same text; and it is the text that `detect` on the whole would give, as long as a value with its
 * context is shorter than `lookBehind`.
 *
 * @param detect findings of a text; called with overlapping windows of the stream
 * @param replace the text with these findings replaced (e.g. `vault.replaceFindings`)
 */
export function redactStream(
  detect: (text: string) => readonly Finding[],
  replace: (text: string, findings: readonly Finding[]) => string,
  options: RedactStreamOptions = {},
): TextStream {
  return new RedactStream(detect, replace, options);
}

class RedactStream implements TextStream {
  readonly #detect: (text: string) => readonly Finding[];
  readonly #replace: (text: string, findings: readonly Finding[]) => string;
  readonly #lookBehind: number;
  readonly #maxHeld: number;
  /** What was sent already (or stands before the text) and still serves as context. */
  #context: string;
  /** What was not sent yet. */
  #open = "";
  /** Arrived, but not yet part of a full step. */
  #arrived = "";

  constructor(
    detect: (text: string) => readonly Finding[],
    replace: (text: string, findings: readonly Finding[]) => string,
    options: RedactStreamOptions,
  ) {
    this.#detect = detect;
    this.#replace = replace;
    this.#lookBehind = Math.max(STEP, options.lookBehind ?? 1024);
    this.#maxHeld = Math.max(this.#lookBehind * 2, options.maxHeld ?? 32_768);
    this.#context = options.before ?? "";
  }

  push(piece: string): string {
    this.#arrived += piece;
    let out = "";
    let at = 0;
    for (; this.#arrived.length - at >= STEP; at += STEP) {
      this.#open += this.#arrived.slice(at, at + STEP);
      if (this.#open.length >= this.#lookBehind + STEP)
        out += this.#send(this.#open.length - this.#lookBehind);
    }
    this.#arrived = this.#arrived.slice(at);
    return out;
  }

  end(): string {
    this.#open += this.#arrived;
    this.#arrived = "";
    return this.#send(this.#open.length);
  }

  /** Send what lies before `upTo` of the open text, less what belongs to a value that reaches beyond. */
  #send(upTo: number): string {
    const shift = this.#context.length;
    const text = this.#context + this.#open;
    const all = this.#detect(text).filter((finding) => finding.end > shift);
    const findings = all
      .map((finding) => ({ ...finding, start: Math.max(0, finding.start - shift), end: finding.end - shift }))
      .filter((finding) => finding.end > finding.start);
    let cut = wholeCharacters(this.#open, upTo);
    if (cut < this.#open.length) {
      for (const finding of findings) {
        if (finding.start < cut && finding.end > cut) cut = finding.start;
      }
      if (cut === 0 && this.#open.length >= this.#maxHeld) {
        cut = wholeCharacters(this.#open, this.#open.length);
        const growing = findings.find((finding) => finding.start === 0 && finding.end >= cut - STEP);
        if (growing !== undefined)
          return this.#sendGrowing(
            growing,
            cut,
            all.some(({ start }) => start < shift),
          );
      }
    }
    if (cut === 0) return "";
    const sent = this.#open.slice(0, cut);
    const inside = findings
      .filter((finding) => finding.start < cut)
      .map((finding) => {
        const end = Math.min(finding.end, cut);
        return { ...finding, end, value: sent.slice(finding.start, end) };
      });
    this.#context = (this.#context + sent).slice(-this.#lookBehind);
    this.#open = this.#open.slice(cut);
    return this.#replace(sent, inside);
  }

  /**
   * Send a value that has grown too long to be held, replaced; its beginning stays as context, so that what is still to
   * come is seen to belong to it and is replaced as well.
   */
  #sendGrowing(value: Finding, cut: number, beganBefore: boolean): string {
    const sent = this.#open.slice(0, cut);
    if (!beganBefore) this.#context += sent.slice(0, BEGINNING);
    this.#open = this.#open.slice(cut);
    return this.#replace(sent, [{ ...value, start: 0, end: cut, value: sent }]);
  }
}

/** How much of the beginning of a value tells what it is: the first lines of a key. */
const BEGINNING = 512;

/** The last place at or before `at` that does not cut a surrogate pair. */
function wholeCharacters(text: string, at: number): number {
  const unit = text.charCodeAt(at - 1);
  return at > 0 && at < text.length && unit >= 0xd800 && unit <= 0xdbff ? at - 1 : at;
}
