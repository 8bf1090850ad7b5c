/**
 * Python's value semantics, as far as a template can see them: truth, text form, equality, order, arithmetic.
 * Template values are: undefined (Jinja2's Undefined), null (None), boolean, number, PyFloat, string, Markup,
 * arrays (lists), PyTuple, Map or plain objects (dicts), functions.
 */

/** A float whose value is a whole number: JavaScript cannot tell 3.0 from 3, Python prints them differently. */
export class PyFloat {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** A list that prints with round brackets. */
export class PyTuple extends Array<unknown> {
  static make(items: readonly unknown[]): PyTuple {
    const tuple = new PyTuple();
    tuple.push(...items);
    return tuple;
  }
}

/** Text that is safe HTML already (markupsafe.Markup). */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Dict = Record<string, unknown>;

/** A Python error a template author caused; the evaluator adds template and line. */
export class PythonError extends Error {
  constructor(kind: string, message: string) {
    super(`${kind}: ${message}`);
    this.name = "PythonError";
  }
}

export function isDict(value: unknown): value is Dict {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** Wraps the result of an operation that is a float in Python. */
export function float(value: number): number | PyFloat {
  return Number.isInteger(value) ? new PyFloat(value) : value;
}

export function isNumber(value: unknown): value is number | PyFloat {
  return typeof value === "number" || value instanceof PyFloat;
}

export function isFloat(value: unknown): boolean {
  return value instanceof PyFloat || (typeof value === "number" && !Number.isInteger(value));
}

/** The numeric value of a number or boolean. @throws PythonError */
export function toNumber(value: unknown, what = "value"): number {
  if (value instanceof PyFloat) return value.value;
  if (typeof value === "number") return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  throw new PythonError("TypeError", `${what} must be a number, not ${typeName(value)}`);
}

export function typeName(value: unknown): string {
  if (value === undefined) return "Undefined";
  if (value === null) return "NoneType";
  if (typeof value === "boolean") return "bool";
  if (isNumber(value)) return isFloat(value) ? "float" : "int";
  if (typeof value === "string") return "str";
  if (value instanceof Markup) return "Markup";
  if (value instanceof PyTuple) return "tuple";
  if (Array.isArray(value)) return "list";
  if (typeof value === "function") return "function";
  return isDict(value) ? "dict" : "object";
}

export function truthy(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === 0 || value === "") return false;
  if (value instanceof PyFloat) return value.value !== 0;
  if (value instanceof Markup) return value.text !== "";
  if (Array.isArray(value)) return value.length > 0;
  if (isDict(value)) return Object.keys(value).length > 0;
  return true;
}

/** repr(float): shortest digits, exponent form below 1e-4 and from 1e16. */
export function floatRepr(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e16)) {
    const [digits = "", exponent = "0"] = value.toExponential().split("e");
    const number = Number(exponent);
    return `${digits}e${number < 0 ? "-" : "+"}${String(Math.abs(number)).padStart(2, "0")}`;
  }
  const text = String(value);
  return text.includes(".") ? text : `${text}.0`;
}

function strRepr(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  let out = "";
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    if (char === "\\") out += "\\\\";
    else if (char === quote) out += `\\${quote}`;
    else if (char === "\n") out += "\\n";
    else if (char === "\r") out += "\\r";
    else if (char === "\t") out += "\\t";
    else if (code < 32 || (code >= 127 && code < 160) || code === 0xad)
      out += `\\x${code.toString(16).padStart(2, "0")}`;
    else if (/[\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u3000\ue000-\uf8ff]/.test(char))
      out += `\\u${code.toString(16).padStart(4, "0")}`;
    else out += char;
  }
  return quote + out + quote;
}

export function repr(value: unknown): string {
  if (typeof value === "string") return strRepr(value);
  if (value instanceof Markup) return `Markup(${strRepr(value.text)})`;
  if (value === undefined) return "Undefined";
  if (value instanceof PyTuple)
    return value.length === 1 ? `(${repr(value[0])},)` : `(${value.map(repr).join(", ")})`;
  if (Array.isArray(value)) return `[${value.map(repr).join(", ")}]`;
  if (isDict(value))
    return `{${Object.entries(value)
      .map(([k, v]) => `${strRepr(k)}: ${repr(v)}`)
      .join(", ")}}`;
  return str(value);
}

/** str(value), which is also what `{{ value }}` prints. */
export function str(value: unknown): string {
  if (value === undefined) return "";
  if (value === null) return "None";
  if (value === true) return "True";
  if (value === false) return "False";
  if (typeof value === "string") return value;
  if (value instanceof Markup) return value.text;
  if (value instanceof PyFloat) return floatRepr(value.value);
  if (typeof value === "number")
    return Number.isInteger(value)
      ? Math.abs(value) < 1e21
        ? String(value)
        : BigInt(value).toString()
      : floatRepr(value);
  if (typeof value === "function") return `<function ${value.name}>`;
  if (Array.isArray(value) || isDict(value)) return repr(value);
  return String(value);
}

function plain(value: unknown): unknown {
  if (value instanceof PyFloat) return value.value;
  if (value instanceof Markup) return value.text;
  if (typeof value === "boolean") return value ? 1 : 0;
  return value;
}

export function equals(left: unknown, right: unknown): boolean {
  const a = plain(left);
  const b = plain(right);
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    if (a instanceof PyTuple !== b instanceof PyTuple) return false;
    return a.length === b.length && a.every((item, i) => equals(item, b[i]));
  }
  if (isDict(a) && isDict(b)) {
    const keys = Object.keys(a);
    return (
      keys.length === Object.keys(b).length &&
      keys.every((key) => Object.hasOwn(b, key) && equals(a[key], b[key]))
    );
  }
  return false;
}

/** Order as `<` sees it: negative, zero or positive. @throws PythonError for values without an order */
export function compare(left: unknown, right: unknown): number {
  const a = plain(left);
  const b = plain(right);
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "string" && typeof b === "string") return compareText(a, b);
  if (Array.isArray(a) && Array.isArray(b)) {
    for (let i = 0; i < Math.min(a.length, b.length); i++) {
      if (!equals(a[i], b[i])) return compare(a[i], b[i]);
    }
    return a.length - b.length;
  }
  throw new PythonError(
    "TypeError",
    `'<' not supported between instances of '${typeName(left)}' and '${typeName(right)}'`,
  );
}

/** By code point, as Python does; UTF-16 order differs for characters outside the BMP. */
function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const left = [...a];
  const right = [...b];
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const difference = (left[i]?.codePointAt(0) ?? 0) - (right[i]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** Members of anything iterable: list items, dict keys, characters. @throws PythonError */
export function iterate(value: unknown): unknown[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  if (typeof value === "string") return [...value];
  if (value instanceof Markup) return [...value.text];
  if (value instanceof Map) return [...value.keys()];
  if (isDict(value)) return Object.keys(value);
  if (typeof value === "object" && value !== null && Symbol.iterator in value)
    return [...(value as Iterable<unknown>)];
  throw new PythonError("TypeError", `'${typeName(value)}' object is not iterable`);
}

export function length(value: unknown): number {
  return typeof value === "function" ? 0 : iterate(value).length;
}

/** `needle in hay`. */
export function contains(hay: unknown, needle: unknown): boolean {
  if (typeof hay === "string" || hay instanceof Markup) return str(hay).includes(str(needle));
  if (isDict(hay))
    return (typeof needle === "string" || typeof needle === "number") && Object.hasOwn(hay, String(needle));
  return iterate(hay).some((item) => equals(item, needle));
}

export function hash(value: unknown): string {
  return `${typeof plain(value)}:${repr(plain(value))}`;
}

/** True when the exact decimal expansion of a double ends with a single 5 right after `digits` places. */
function isExactTie(value: number, digits: number): boolean {
  // A double that is a tie has a short exact expansion; 100 places show it in full.
  const [, fraction = ""] = Math.abs(value).toFixed(100).split(".");
  return /^50*$/.test(fraction.slice(digits));
}

/** Python's round(): correctly rounded from the exact value, ties to even. */
export function roundHalfEven(value: number, digits: number): number {
  if (!Number.isFinite(value) || Math.abs(value) >= 1e21) return value;
  if (digits < 0) {
    const factor = 10 ** -digits;
    const scaled = value / factor;
    const floor = Math.floor(scaled);
    return (scaled - floor === 0.5 ? floor + (floor % 2 === 0 ? 0 : 1) : Math.round(scaled)) * factor;
  }
  const places = Math.min(digits, 99);
  const nearest = Number(value.toFixed(places));
  if (!isExactTie(value, places)) return nearest;
  // toFixed rounds ties away from zero; the even neighbour is that one or the next towards zero.
  const last = Number(Math.abs(nearest).toFixed(places).at(-1));
  return last % 2 === 0 ? nearest : Number((nearest - Math.sign(value) * 10 ** -places).toFixed(places));
}
