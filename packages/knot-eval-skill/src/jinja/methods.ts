import { formatBraces } from "./format.ts";
import { type Dict, equals, iterate, Markup, PyTuple, PythonError, str, toNumber } from "./python.ts";

/** Python's methods of str, list and dict that templates call. Each takes positional and keyword arguments. */
export type Method = (args: readonly unknown[], kwargs: Readonly<Dict>) => unknown;

type Bound<T> = (self: T, args: readonly unknown[], kwargs: Readonly<Dict>) => unknown;

const WHITE = String.raw`[\s\u0085]`;

function stripSet(chars: unknown): string {
  return chars === undefined || chars === null ? WHITE : `[${str(chars).replace(/[\\\]^-]/g, "\\$&")}]`;
}

function strip(text: string, chars: unknown, left: boolean, right: boolean): string {
  const set = stripSet(chars);
  let out = text;
  if (left) out = out.replace(new RegExp(`^${set}+`, "u"), "");
  if (right) out = out.replace(new RegExp(`${set}+$`, "u"), "");
  return out;
}

function split(text: string, separator: unknown, limit: unknown): string[] {
  const max = limit === undefined || limit === null ? -1 : toNumber(limit);
  if (separator === undefined || separator === null) {
    const trimmed = text.trim();
    if (trimmed === "") return [];
    const parts = trimmed.split(/\s+/);
    if (max < 0 || parts.length <= max + 1) return parts;
    const rest = new RegExp(`^(?:\\S+\\s+){${max}}`).exec(trimmed)?.[0] ?? "";
    return [...parts.slice(0, max), trimmed.slice(rest.length)];
  }
  const mark = str(separator);
  if (mark === "") throw new PythonError("ValueError", "empty separator");
  const parts = text.split(mark);
  return max < 0 || parts.length <= max + 1 ? parts : [...parts.slice(0, max), parts.slice(max).join(mark)];
}

function capitalize(text: string): string {
  const [first = "", ...rest] = [...text];
  return first.toUpperCase() + rest.join("").toLowerCase();
}

export function titleCase(text: string): string {
  return text.toLowerCase().replace(/\p{L}+/gu, (word) => word.charAt(0).toUpperCase() + word.slice(1));
}

function affixes(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).map(str);
}

const every =
  (pattern: RegExp): Bound<string> =>
  (self) =>
    pattern.test(self);

const STRING: Record<string, Bound<string>> = {
  upper: (s) => s.toUpperCase(),
  lower: (s) => s.toLowerCase(),
  casefold: (s) => s.toLowerCase(),
  title: titleCase,
  capitalize,
  swapcase: (s) => [...s].map((c) => (c === c.toUpperCase() ? c.toLowerCase() : c.toUpperCase())).join(""),
  strip: (s, [chars]) => strip(s, chars, true, true),
  lstrip: (s, [chars]) => strip(s, chars, true, false),
  rstrip: (s, [chars]) => strip(s, chars, false, true),
  split: (s, [sep, max], kw) => split(s, sep ?? kw.sep, max ?? kw.maxsplit),
  rsplit: (s, [sep, max]) => {
    const parts = split(s, sep, undefined);
    const limit = max === undefined ? parts.length : toNumber(max);
    const mark = sep === undefined || sep === null ? " " : str(sep);
    return parts.length <= limit + 1
      ? parts
      : [parts.slice(0, parts.length - limit).join(mark), ...parts.slice(parts.length - limit)];
  },
  splitlines: (s) =>
    s
      .replace(/\r\n?|\n$/g, (m) => (m === "\n" ? "" : "\n"))
      .split("\n")
      .slice(s === "" ? 1 : 0),
  partition: (s, [sep]) => {
    const at = s.indexOf(str(sep));
    return PyTuple.make(at < 0 ? [s, "", ""] : [s.slice(0, at), str(sep), s.slice(at + str(sep).length)]);
  },
  replace: (s, [from, to, count]) => {
    const parts = split(s, from, count);
    return parts.join(str(to));
  },
  startswith: (s, [prefix]) => affixes(prefix).some((p) => s.startsWith(p)),
  endswith: (s, [suffix]) => affixes(suffix).some((p) => s.endsWith(p)),
  removeprefix: (s, [prefix]) => (s.startsWith(str(prefix)) ? s.slice(str(prefix).length) : s),
  removesuffix: (s, [suffix]) =>
    str(suffix) !== "" && s.endsWith(str(suffix)) ? s.slice(0, -str(suffix).length) : s,
  join: (s, [items]) => iterate(items).map(str).join(s),
  format: (s, args, kwargs) => formatBraces(s, args, kwargs),
  find: (s, [needle]) => s.indexOf(str(needle)),
  rfind: (s, [needle]) => s.lastIndexOf(str(needle)),
  index: (s, [needle]) => {
    const at = s.indexOf(str(needle));
    if (at < 0) throw new PythonError("ValueError", "substring not found");
    return at;
  },
  count: (s, [needle]) => s.split(str(needle)).length - 1,
  isdigit: every(/^\p{Nd}+$/u),
  isdecimal: every(/^\p{Nd}+$/u),
  isnumeric: every(/^[\p{N}一二三四五六七八九十百千万亿零〇]+$/u),
  isalpha: every(/^\p{L}+$/u),
  isalnum: every(/^[\p{L}\p{N}]+$/u),
  isspace: every(/^\s+$/),
  isupper: (s) => s !== s.toLowerCase() && s === s.toUpperCase(),
  islower: (s) => s !== s.toUpperCase() && s === s.toLowerCase(),
  zfill: (s, [width]) =>
    /^[+-]/.test(s)
      ? s.charAt(0) + s.slice(1).padStart(toNumber(width) - 1, "0")
      : s.padStart(toNumber(width), "0"),
  ljust: (s, [width, fill]) => s.padEnd(toNumber(width), fill === undefined ? " " : str(fill)),
  rjust: (s, [width, fill]) => s.padStart(toNumber(width), fill === undefined ? " " : str(fill)),
  center: (s, [width, fill]) => center(s, toNumber(width), fill === undefined ? " " : str(fill)),
};

/** str.center: CPython puts the odd space left or right depending on both widths' parity. */
export function center(text: string, width: number, fill = " "): string {
  const missing = Math.max(0, width - [...text].length);
  const left = Math.floor(missing / 2) + (missing & width & 1);
  return fill.repeat(left) + text + fill.repeat(missing - left);
}

/** Methods that change their list or dict return None. */
function none(_done: unknown): null {
  return null;
}

const LIST: Record<string, Bound<unknown[]>> = {
  append: (s, [item]) => none(s.push(item)),
  extend: (s, [items]) => none(s.push(...iterate(items))),
  insert: (s, [at, item]) => none(s.splice(toNumber(at), 0, item)),
  pop: (s, [at]) => {
    if (s.length === 0) throw new PythonError("IndexError", "pop from empty list");
    return s.splice(at === undefined ? -1 : toNumber(at), 1)[0];
  },
  remove: (s, [item]) => {
    const at = s.findIndex((other) => equals(other, item));
    if (at < 0) throw new PythonError("ValueError", "list.remove(x): x not in list");
    s.splice(at, 1);
    return null;
  },
  reverse: (s) => none(s.reverse()),
  copy: (s) => [...s],
  index: (s, [item]) => {
    const at = s.findIndex((other) => equals(other, item));
    if (at < 0) throw new PythonError("ValueError", "item is not in list");
    return at;
  },
  count: (s, [item]) => s.filter((other) => equals(other, item)).length,
};

const DICT: Record<string, Bound<Dict>> = {
  items: (s) => Object.entries(s).map((pair) => PyTuple.make(pair)),
  keys: (s) => Object.keys(s),
  values: (s) => Object.values(s),
  get: (s, [key, fallback]) => (Object.hasOwn(s, String(key)) ? s[String(key)] : (fallback ?? null)),
  copy: (s) => ({ ...s }),
  update: (s, [other], kwargs) => none(Object.assign(s, other ?? {}, kwargs)),
  setdefault: (s, [key, fallback]) => {
    const name = String(key);
    if (!Object.hasOwn(s, name)) s[name] = fallback ?? null;
    return s[name];
  },
  pop: (s, [key, fallback]) => {
    const name = String(key);
    if (!Object.hasOwn(s, name)) {
      if (fallback !== undefined) return fallback;
      throw new PythonError("KeyError", name);
    }
    const value = s[name];
    delete s[name];
    return value;
  },
};

/** The method of a value, or undefined. */
export function methodOf(self: unknown, name: string): Method | undefined {
  const pick = <T>(table: Record<string, Bound<T>>, target: T): Method | undefined => {
    const method = Object.hasOwn(table, name) ? table[name] : undefined;
    return method && ((args, kwargs) => method(target, args, kwargs));
  };
  if (typeof self === "string") return pick(STRING, self);
  if (self instanceof Markup) return pick(STRING, self.text);
  if (Array.isArray(self)) return pick(LIST, self);
  if (typeof self === "object" && self !== null) return pick(DICT, self as Dict);
  return undefined;
}
