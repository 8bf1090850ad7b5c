import { jsonEscape } from "../json/text.ts";
import type { Finding } from "../types.ts";
import { type RedactStreamOptions, redactStream } from "./redact.ts";
import type { TextStream } from "./restore.ts";

type Detect = (text: string) => readonly Finding[];
type Replace = (text: string, findings: readonly Finding[]) => string;

/**
 * As `redactStream`, for JSON being written (tool arguments as deltas): each string is judged decoded and with its
 * property name before it, and stays a valid JSON string; a private number becomes a string. Between strings every byte stays.
 */
export function redactJsonStream(
  detect: Detect,
  replace: Replace,
  options: RedactStreamOptions = {},
): TextStream {
  return new RedactJsonStream(detect, replace, options);
}

const QUOTE = '"';
const NUMBER = /[-+.0-9eE]/;
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };
/** Numbers and names are short; longer runs are no JSON and pass in pieces. */
const MAX_RUN = 512;

class RedactJsonStream implements TextStream {
  readonly #detect: Detect;
  readonly #replace: Replace;
  readonly #options: RedactStreamOptions;
  /** The string being read, if any. */
  #string: TextStream | undefined;
  /** Decoded characters of it not yet handed over, and its beginning (to know it as a property name). */
  #decoded = "";
  #name = "";
  /** An escape sequence begun, without the backslash; undefined outside of one. */
  #escape: string | undefined;
  #number = "";
  #key = "";

  constructor(detect: Detect, replace: Replace, options: RedactStreamOptions) {
    this.#detect = detect;
    this.#replace = replace;
    this.#options = options;
  }

  push(piece: string): string {
    let out = "";
    for (const unit of piece.split(""))
      out += this.#string === undefined ? this.#outside(unit) : this.#inside(unit);
    return out + this.#handOver();
  }

  end(): string {
    let out = this.#endNumber();
    if (this.#string !== undefined) {
      // Cut off in the middle of a string: the rest goes out as it would have, still open.
      if (this.#escape !== undefined) this.#take(`\\${this.#escape}`);
      out += this.#handOver() + jsonEscape(this.#string.end());
      this.#string = undefined;
    }
    this.#escape = undefined;
    return out;
  }

  #outside(unit: string): string {
    if (NUMBER.test(unit)) {
      this.#number += unit;
      return this.#number.length < MAX_RUN ? "" : this.#endNumber();
    }
    const before = this.#endNumber();
    if (unit === QUOTE) {
      this.#string = redactStream(this.#detect, this.#replace, {
        ...this.#options,
        before: (this.#options.before ?? "") + this.#nameBefore(QUOTE),
      });
      this.#name = "";
    } else if (unit === ":") this.#key = this.#name;
    else if (unit === "}") this.#key = "";
    return before + unit;
  }

  #inside(unit: string): string {
    if (this.#escape !== undefined) {
      this.#escape += unit;
      if (this.#escape[0] !== "u") this.#take(ESCAPES[this.#escape] ?? this.#escape);
      else if (this.#escape.length === 5) {
        const code = Number.parseInt(this.#escape.slice(1), 16);
        this.#take(Number.isNaN(code) ? `\\${this.#escape}` : String.fromCharCode(code));
      }
      return "";
    }
    if (unit === "\\") {
      this.#escape = "";
      return "";
    }
    if (unit !== QUOTE) {
      this.#take(unit);
      return "";
    }
    const rest = this.#handOver() + jsonEscape(this.#string?.end() ?? "");
    this.#string = undefined;
    return rest + QUOTE;
  }

  #take(decoded: string): void {
    this.#escape = undefined;
    this.#decoded += decoded;
    if (this.#name.length < MAX_RUN) this.#name += decoded;
  }

  #handOver(): string {
    const decoded = this.#decoded;
    this.#decoded = "";
    return decoded === "" || this.#string === undefined ? "" : jsonEscape(this.#string.push(decoded));
  }

  #endNumber(): string {
    const number = this.#number;
    this.#number = "";
    if (number.length < 7) return number;
    const before = this.#nameBefore("");
    const findings = this.#detect(before + number)
      .map((finding) => ({
        ...finding,
        start: Math.max(0, finding.start - before.length),
        end: finding.end - before.length,
      }))
      .filter((finding) => finding.end > finding.start)
      .map((finding) => ({ ...finding, value: number.slice(finding.start, finding.end) }));
    return findings.length === 0 ? number : `"${jsonEscape(this.#replace(number, findings))}"`;
  }

  #nameBefore(quote: string): string {
    return this.#key === "" ? "" : `"${this.#key}": ${quote}`;
  }
}
