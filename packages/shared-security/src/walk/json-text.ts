/** JSON as text (RFC 8259): finding its strings and numbers where they stand, so that all else keeps its bytes. */

/** A string, property name or number in JSON text. */
export interface JsonLiteral {
  /** First code unit (the quote of a string), and one past the last. */
  start: number;
  end: number;
  kind: "string" | "key" | "number";
  /** Decoded string, or the digits as written. */
  text: string;
  /** Steps from the top of the document, at most 64. A key has the path of its value. */
  path: (string | number)[];
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

/** Longer paths are cut: they are for people, and the cost of each must stay small. */
const MAX_PATH = 64;

interface Frame {
  isArray: boolean;
  index: number;
  key: string;
}

/** All strings, property names and numbers of valid JSON text, in order. */
export function jsonLiterals(json: string): JsonLiteral[] {
  const literals: JsonLiteral[] = [];
  const frames: Frame[] = [];
  let at = 0;
  while (at < json.length) {
    const unit = json.charCodeAt(at);
    if (unit === 123 || unit === 91) {
      frames.push({ isArray: unit === 91, index: 0, key: "" });
    } else if (unit === 125 || unit === 93) {
      frames.pop();
    } else if (unit === 44) {
      const frame = frames.at(-1);
      if (frame?.isArray) frame.index++;
    } else if (unit === 34) {
      const end = endOfString(json, at);
      const text = decode(json, at, end);
      const frame = frames.at(-1);
      const isKey = frame !== undefined && !frame.isArray && isColonNext(json, end);
      if (isKey) frame.key = text;
      literals.push({ start: at, end, kind: isKey ? "key" : "string", text, path: pathOf(frames) });
      at = end;
      continue;
    } else if (unit === 45 || (unit >= 48 && unit <= 57)) {
      let end = at + 1;
      while (end < json.length && isNumberUnit(json.charCodeAt(end))) end++;
      literals.push({ start: at, end, kind: "number", text: json.slice(at, end), path: pathOf(frames) });
      at = end;
      continue;
    }
    at++;
  }
  return literals;
}

function pathOf(frames: readonly Frame[]): (string | number)[] {
  return frames.slice(0, MAX_PATH).map((frame) => (frame.isArray ? frame.index : frame.key));
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
