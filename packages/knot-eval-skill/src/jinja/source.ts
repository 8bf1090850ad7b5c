/**
 * Rewrites what nunjucks' lexer reads otherwise than Jinja2's, inside of tags only: `}}` that closes two dictionaries,
 * string escapes, neighbouring strings, numbers like 0x1f and 1.5e-3, and a division by a name after `r`. Lines stay where
 * they were, so that errors name the right one.
 */

const ESCAPES: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\u000b",
  "0": "\0",
  "\\": "\\",
  "'": "'",
  '"': '"',
};

/** A Python string literal's value. Unknown escapes keep their backslash, as Python does. */
function stringValue(body: string): string {
  return body.replace(
    /\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2})|(\n)|([\s\S]))/g,
    (whole, u?: string, long?: string, x?: string, lineEnd?: string, char?: string) => {
      const code = u ?? long ?? x;
      if (code !== undefined) return String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff));
      if (lineEnd !== undefined) return "";
      return ESCAPES[char ?? ""] ?? whole;
    },
  );
}

/** A literal nunjucks' lexer reads as the same value: it knows \n, \t, \r, and takes any other escaped character as it is. */
function literal(value: string): string {
  return `"${value.replace(/[\\"]/g, (c) => `\\${c}`)}"`;
}

/** Numbers nunjucks does not know, in plain decimal form. */
function plainNumber(text: string): string | undefined {
  const digits = text.replaceAll("_", "");
  if (/^0[xob]/i.test(digits)) return Number(digits).toString();
  const value = Number(digits);
  if (!/[.e]/i.test(digits) || !Number.isFinite(value)) return undefined;
  if (!/e/i.test(digits)) return digits === text ? undefined : digits;
  if (Math.abs(value) >= 1e21) return `${BigInt(value)}.0`;
  const fixed = value.toFixed(20).replace(/0+$/, "");
  // Smaller than twenty decimals can say: left to the parser, which refuses it.
  return Number(fixed) === value ? `${fixed}${fixed.endsWith(".") ? "0" : ""}` : undefined;
}

const STRING = /(["'])((?:\\[\s\S]|(?!\1)[^\\])*)\1/y;
const NUMBER = /(?:0[xX][0-9a-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?)/y;
const NAME = /[\p{L}_][\p{L}\p{N}_]*/uy;
const SPACE = /\s+/y;

function at(pattern: RegExp, text: string, index: number): RegExpExecArray | null {
  pattern.lastIndex = index;
  return pattern.exec(text);
}

/** Rewrites one tag's inside; returns where its end mark begins. */
function rewriteTag(text: string, start: number, end: string, out: string[]): number {
  const open: string[] = [];
  let i = start;
  while (i < text.length) {
    if (open.length === 0 && (text.startsWith(end, i) || text.startsWith(`-${end}`, i))) return i;
    const string = at(STRING, text, i);
    if (string) {
      let value = stringValue(string[2] ?? "");
      i += string[0].length;
      // Neighbouring strings are one: "a" "b".
      for (;;) {
        const gap = at(SPACE, text, i)?.[0] ?? "";
        const next = at(STRING, text, i + gap.length);
        if (!next) break;
        value += stringValue(next[2] ?? "");
        i += gap.length + next[0].length;
      }
      const lines = text.slice(string.index, i).split("\n").length - 1 - (value.split("\n").length - 1);
      out.push(literal(value), "\n".repeat(Math.max(0, lines)));
      continue;
    }
    const name = at(NAME, text, i);
    if (name) {
      i += name[0].length;
      out.push(name[0], name[0] === "r" && text[i] === "/" ? " " : "");
      continue;
    }
    const number = at(NUMBER, text, i);
    if (number) {
      out.push(plainNumber(number[0]) ?? number[0]);
      i += number[0].length;
      continue;
    }
    const char = text[i] ?? "";
    if ("([{".includes(char)) open.push(char);
    else if (")]}".includes(char)) open.pop();
    out.push(char);
    i += 1;
    if (char === "}" && text[i] === "}" && (open.length > 0 || text.startsWith("}}", i))) out.push(" ");
  }
  return i;
}

/** @param text a template with line feeds only */
export function normaliseSource(text: string): string {
  const out: string[] = [];
  let i = 0;
  while (i < text.length) {
    const next = text.slice(i).search(/\{[{%#]/);
    if (next < 0) break;
    out.push(text.slice(i, i + next));
    i += next;
    const kind = text[i + 1];
    if (kind === "#") {
      const close = text.indexOf("#}", i + 2);
      const stop = close < 0 ? text.length : close + 2;
      out.push(text.slice(i, stop));
      i = stop;
      continue;
    }
    const raw =
      /^\{%[-+]?\s*(?:raw|verbatim)\s*[-+]?%\}[\s\S]*?\{%[-+]?\s*end(?:raw|verbatim)\s*[-+]?%\}/.exec(
        text.slice(i),
      );
    if (raw) {
      out.push(raw[0]);
      i += raw[0].length;
      continue;
    }
    out.push(text.slice(i, i + 2));
    i = rewriteTag(text, i + 2, kind === "{" ? "}}" : "%}", out);
    const mark = text[i] === "-" ? 3 : 2;
    out.push(text.slice(i, i + mark));
    i += mark;
  }
  out.push(text.slice(i));
  return out.join("");
}
