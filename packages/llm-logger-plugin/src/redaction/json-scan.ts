/**
 * Walks the string tokens of JSON text without parsing it, so that one value can be replaced and every other byte
 * stays. Works on cut bodies and, in `lines` mode, on SSE and NDJSON, where every line starts anew.
 */

export interface StringToken {
  /** Content between the quotes, as positions in the scanned text. */
  start: number;
  end: number;
  /** The decoded value. */
  value: string;
  /** An object's key rather than a value. */
  isKey: boolean;
  /** The key under which this value stands directly; undefined in arrays and at the top. */
  key: string | undefined;
  /** Keys and `[]` from the top to this value: equal for the same field of each event of a stream. */
  path: string;
}

interface Frame {
  object: boolean;
  key: string | undefined;
  expectsKey: boolean;
  index: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const NEWLINE = 0x0a;

/** Calls `visit` for each complete string token, in text order. A string cut by the end of the text is visited too. */
export function scanStrings(text: string, lines: boolean, visit: (token: StringToken) => void): void {
  let stack: Frame[] = [];
  let i = 0;
  while (i < text.length) {
    const code = text.charCodeAt(i);
    const top = stack.at(-1);
    if (code === QUOTE) {
      const end = stringEnd(text, i + 1);
      const isKey = top?.object === true && top.expectsKey;
      const value = decodeString(text.slice(i + 1, end));
      if (isKey && top) {
        top.key = value;
        top.expectsKey = false;
      }
      visit({
        start: i + 1,
        end,
        value,
        isKey,
        key: isKey || !top?.object ? undefined : top.key,
        path: pathOf(stack),
      });
      i = text.charCodeAt(end) === QUOTE ? end + 1 : end;
      continue;
    }
    if (code === 0x7b) stack.push({ object: true, key: undefined, expectsKey: true, index: 0 });
    else if (code === 0x5b) stack.push({ object: false, key: undefined, expectsKey: false, index: 0 });
    else if (code === 0x7d || code === 0x5d) stack.pop();
    else if (code === 0x2c && top) {
      if (top.object) top.expectsKey = true;
      else top.index++;
    } else if (code === NEWLINE && lines) stack = [];
    i++;
  }
}

function stringEnd(text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE || code === NEWLINE) return i;
    if (code === BACKSLASH) i++;
  }
  return text.length;
}

/** Decodes JSON escapes; a cut or invalid escape stays as it is. */
function decodeString(raw: string): string {
  if (!raw.includes("\\")) return raw;
  try {
    const value: unknown = JSON.parse(`"${raw}"`);
    return typeof value === "string" ? value : raw;
  } catch {
    return raw.replace(/\\(["\\/bfnrt]|u[0-9a-fA-F]{4})/g, (sequence) => {
      const value: unknown = JSON.parse(`"${sequence}"`);
      return typeof value === "string" ? value : sequence;
    });
  }
}

function pathOf(stack: Frame[]): string {
  let path = "";
  for (const frame of stack) path += frame.object ? `.${frame.key ?? ""}` : `[${frame.index}]`;
  return path;
}
