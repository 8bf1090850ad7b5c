/** JSON as text (RFC 8259): finding its strings and numbers where they stand, so that all else keeps its bytes. */

/** A string, property name or number in JSON text. */
export interface JsonLiteral {
  /** First code unit (the quote of a string), and one past the last. */
  start: number;
  end: number;
  kind: "string" | "key" | "number";
  /** Decoded string, or the digits as written. */
  text: string;
  /** Where it is; a key is at the place of its value. */
  place: JsonPlace | undefined;
}

/** A place in a JSON document, known by its container and the step from there. */
export interface JsonPlace {
  readonly container: JsonPlace | undefined;
  readonly step: string | number;
  /** The nearest property name on the way here, through arrays. */
  readonly name: string | undefined;
}

/** Steps from the top of the document to a place. */
export function stepsTo(place: JsonPlace | undefined): (string | number)[] {
  const steps: (string | number)[] = [];
  for (let at = place; at !== undefined; at = at.container) steps.push(at.step);
  return steps.reverse();
}

/** `value` as it stands between the quotes of a JSON string. */
export function jsonEscape(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

/** Whether `text` is a JSON object or array. */
export function isJsonContainer(text: string): boolean {
  const first = /^[ \t\r\n]*([{[])/.exec(text)?.[1];
  if (first === undefined) return false;
  const last = text.trimEnd().at(-1);
  if (last !== (first === "{" ? "}" : "]")) return false;
  return isJson(text);
}

/** Whether `text` is valid JSON of any kind. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Shorter numbers are counts, sizes and days, nothing private. */
const MIN_NUMBER = 7;

/** An object or array that is open while reading. */
interface Frame {
  readonly isArray: boolean;
  readonly place: JsonPlace | undefined;
  index: number;
  key: string;
}

/** All strings, property names and numbers (of 7 characters or more) of valid JSON text, in order. */
export function jsonLiterals(json: string): JsonLiteral[] {
  const literals: JsonLiteral[] = [];
  const frames: Frame[] = [];
  let frame: Frame | undefined;
  let at = 0;
  while (at < json.length) {
    const unit = json.charCodeAt(at);
    if (unit === 123 || unit === 91) {
      frame = { isArray: unit === 91, place: placeIn(frame), index: 0, key: "" };
      frames.push(frame);
    } else if (unit === 125 || unit === 93) {
      frames.pop();
      frame = frames.at(-1);
    } else if (unit === 44) {
      if (frame?.isArray) frame.index++;
    } else if (unit === 34) {
      const end = endOfString(json, at);
      const text = decode(json, at, end);
      const isKey = frame !== undefined && !frame.isArray && isColonNext(json, end);
      if (isKey && frame !== undefined) frame.key = text;
      literals.push({ start: at, end, kind: isKey ? "key" : "string", text, place: placeIn(frame) });
      at = end;
      continue;
    } else if (unit === 45 || (unit >= 48 && unit <= 57)) {
      let end = at + 1;
      while (end < json.length && isNumberUnit(json.charCodeAt(end))) end++;
      if (end - at >= MIN_NUMBER) {
        literals.push({ start: at, end, kind: "number", text: json.slice(at, end), place: placeIn(frame) });
      }
      at = end;
      continue;
    }
    at++;
  }
  return literals;
}

/** The place that is being read in an open container; undefined at the top. */
function placeIn(frame: Frame | undefined): JsonPlace | undefined {
  if (frame === undefined) return undefined;
  const { place, isArray, index, key } = frame;
  return { container: place, step: isArray ? index : key, name: isArray ? place?.name : key };
}

/** One past the closing quote of the string that opens at `open`. */
function endOfString(json: string, open: number): number {
  let at = open + 1;
  for (;;) {
    const quote = json.indexOf('"', at);
    if (quote < 0) return json.length;
    let backslashes = 0;
    while (json.charCodeAt(quote - 1 - backslashes) === 92 && quote - 1 - backslashes > open) backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
    at = quote + 1;
  }
}

function decode(json: string, start: number, end: number): string {
  const inner = json.slice(start + 1, end - 1);
  if (!inner.includes("\\")) return inner;
  const value: unknown = JSON.parse(json.slice(start, end));
  return typeof value === "string" ? value : inner;
}

function isColonNext(json: string, from: number): boolean {
  let at = from;
  while (at < json.length && json.charCodeAt(at) <= 32) at++;
  return json.charCodeAt(at) === 58;
}

/** Digits, sign, point and exponent. */
function isNumberUnit(unit: number): boolean {
  return (
    (unit >= 48 && unit <= 57) || unit === 46 || unit === 43 || unit === 45 || unit === 69 || unit === 101
  );
}
