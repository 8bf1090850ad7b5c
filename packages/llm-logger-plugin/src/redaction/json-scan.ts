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
  /** The same without positions in arrays. */
  field: string;
  /** Numbers and ids of the objects around it (`index`, `item_id` ...): known once its line has been read. */
  lane: Lane;
}

/** What an object says about which of several texts its piece belongs to. */
export interface Lane {
  id: string;
  parent: Lane | undefined;
}

/** Keys by which a stream tells apart the texts whose pieces it mixes: choices, tool calls, output items. */
export const LANE_KEYS: ReadonlySet<string> = new Set([
  "index",
  "output_index",
  "content_index",
  "summary_index",
  "choice_index",
  "item_id",
]);

/** The lane's ids from the top down. */
export function laneName(lane: Lane): string {
  return lane.parent ? `${laneName(lane.parent)}|${lane.id}` : lane.id;
}

interface Frame {
  object: boolean;
  key: string | undefined;
  expectsKey: boolean;
  index: number;
  /** Where the object or array itself stands. */
  path: string;
  field: string;
  lane: Lane;
}

/** Deeper than any protocol; below it all values share the path of their ancestor, so that a path stays short. */
const MAX_PATH_DEPTH = 48;
const MAX_KEY_IN_PATH = 80;

const NUMBER = /\s*(-?\d{1,15})/y;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const NEWLINE = 0x0a;

/** Calls `visit` for each complete string token, in text order. A string cut by the end of the text is visited too. */
export function scanStrings(text: string, lines: boolean, visit: (token: StringToken) => void): void {
  let stack: Frame[] = [];
  let i = 0;
  const open = (object: boolean): void => {
    const top = stack.at(-1);
    const { path, field } = placeIn(top, stack.length);
    const own = !top || (object && stack.length <= MAX_PATH_DEPTH);
    const lane = own ? { id: "", parent: top?.lane } : top.lane;
    stack.push({ object, key: undefined, expectsKey: object, index: 0, path, field, lane });
  };
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
      const key = isKey || !top?.object ? undefined : top.key;
      const lane = top?.lane ?? { id: "", parent: undefined };
      if (key !== undefined && LANE_KEYS.has(key)) lane.id += ` ${value}`;
      visit({ start: i + 1, end, value, isKey, key, ...placeIn(top, stack.length), lane });
      i = text.charCodeAt(end) === QUOTE ? end + 1 : end;
      continue;
    }
    if (code === 0x7b) open(true);
    else if (code === 0x5b) open(false);
    else if (code === 0x3a && top?.key !== undefined && LANE_KEYS.has(top.key)) {
      NUMBER.lastIndex = i + 1;
      const number = NUMBER.exec(text)?.[1];
      if (number !== undefined) top.lane.id += ` ${number}`;
    } else if (code === 0x7d || code === 0x5d) stack.pop();
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

/** Path of what stands directly in a frame now. */
function placeIn(frame: Frame | undefined, depth: number): { path: string; field: string } {
  if (!frame) return { path: "", field: "" };
  const { path, field } = frame;
  if (depth > MAX_PATH_DEPTH) return { path, field };
  if (!frame.object) return { path: `${path}[${frame.index}]`, field: `${field}[]` };
  const key = `.${frame.key?.slice(0, MAX_KEY_IN_PATH) ?? ""}`;
  return { path: path + key, field: field + key };
}
