import {
  floatRepr,
  isDict,
  isFloat,
  isNumber,
  PyTuple,
  PythonError,
  repr,
  roundHalfEven,
  str,
  toNumber,
  typeName,
} from "./python.ts";

/** printf-style formatting (`"%.1f%%"|format(x)`, `"%s" % x`) and str.format (`"{:>8,.2f}".format(x)`). */

function fixed(value: number, precision: number): string {
  if (!Number.isFinite(value)) return floatRepr(value);
  return roundHalfEven(value, precision).toFixed(precision);
}

function exponent(value: number, precision: number, upper: boolean): string {
  const text = value.toExponential(precision).replace(/e([+-])(\d)$/, "e$10$2");
  return upper ? text.toUpperCase() : text;
}

function general(value: number, precision: number, upper: boolean): string {
  const digits = precision === 0 ? 1 : precision;
  const power = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(Number(value.toPrecision(digits)))));
  if (power < -4 || power >= digits)
    return exponent(Number(value.toPrecision(digits)), digits - 1, upper).replace(/\.?0+(e)/i, "$1");
  const text = Number(value).toFixed(Math.max(0, digits - 1 - power));
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

function floatText(value: number, type: string, precision: number | undefined): string {
  const digits = precision ?? 6;
  const upper = type === type.toUpperCase();
  switch (type.toLowerCase()) {
    case "e":
      return exponent(value, digits, upper);
    case "g":
      return general(value, digits, upper);
    case "%":
      return `${fixed(value * 100, digits)}%`;
    default:
      return fixed(value, digits);
  }
}

function integerText(value: number, type: string): string {
  const bases: Record<string, number> = { x: 16, X: 16, o: 8, b: 2 };
  const text = Math.trunc(value).toString(bases[type] ?? 10);
  return type === "X" ? text.toUpperCase() : text;
}

function grouped(digits: string, separator: string): string {
  const [whole = "", fraction] = digits.split(".");
  const joined = whole.replace(/\B(?=(\d{3})+(?!\d))/g, separator);
  return fraction === undefined ? joined : `${joined}.${fraction}`;
}

/** `template % values`. @throws PythonError */
export function formatPercent(template: string, values: unknown): string {
  const args = values instanceof PyTuple ? values : [values];
  let next = 0;
  let named = false;
  const result = template.replace(
    /%(?:\(([^)]*)\))?([#0\- +]*)(\*|\d+)?(?:\.(\*|\d+))?[hlL]?([diouxXeEfFgGcrsa%])/g,
    (
      _,
      key: string | undefined,
      flags: string,
      width: string | undefined,
      precision: string | undefined,
      type: string,
    ) => {
      if (type === "%") return "%";
      const take = () => {
        if (next >= args.length) throw new PythonError("TypeError", "not enough arguments for format string");
        return args[next++];
      };
      const wide = width === "*" ? toNumber(take()) : Number(width ?? 0);
      const digits =
        precision === undefined ? undefined : precision === "*" ? toNumber(take()) : Number(precision);
      let value: unknown;
      if (key === undefined) value = take();
      else {
        named = true;
        value = isDict(values) ? values[key] : undefined;
      }
      const body = percentBody(type, value, digits, flags);
      if (flags.includes("-")) return body.padEnd(wide);
      if (flags.includes("0") && !"srac".includes(type)) return padZeros(body, wide);
      return body.padStart(wide);
    },
  );
  if (!named && next < args.length && !(args.length === 1 && isDict(args[0])))
    throw new PythonError("TypeError", "not all arguments converted during string formatting");
  return result;
}

function percentBody(type: string, value: unknown, precision: number | undefined, flags: string): string {
  if (type === "s") return cut(str(value), precision);
  if (type === "r" || type === "a") return cut(repr(value), precision);
  if (type === "c") return typeof value === "string" ? value : String.fromCodePoint(toNumber(value));
  const number = toNumber(value, `%${type} format`);
  const body = /[eEfFgG]/.test(type)
    ? floatText(Math.abs(number), type, precision)
    : integerText(Math.abs(Math.trunc(number)), type);
  const negative = number < 0 || Object.is(number, -0);
  return (negative ? "-" : flags.includes("+") ? "+" : flags.includes(" ") ? " " : "") + body;
}

function cut(text: string, precision: number | undefined): string {
  return precision === undefined ? text : [...text].slice(0, precision).join("");
}

function padZeros(body: string, width: number): string {
  const sign = /^[+\- ]/.exec(body)?.[0] ?? "";
  return sign + body.slice(sign.length).padStart(width - sign.length, "0");
}

const SPEC = /^(?:(.)?([<>=^]))?([+\- ])?(#)?(0)?(\d+)?([,_])?(?:\.(\d+))?([bcdeEfFgGnosxX%])?$/su;

/** format(value, spec): Python's format specification mini-language. @throws PythonError */
export function formatSpec(value: unknown, spec: string): string {
  if (spec === "") return str(value);
  const match = SPEC.exec(spec);
  if (!match)
    throw new PythonError(
      "ValueError",
      `Invalid format specifier '${spec}' for object of type '${typeName(value)}'`,
    );
  const [, fill, align, sign, , zero, width, separator, precision, type] = match;
  const digits = precision === undefined ? undefined : Number(precision);
  const isNumeric = isNumber(value) || typeof value === "boolean";
  let body: string;
  let signText = "";
  if (isNumeric && type !== "s" && type !== "c") {
    const number = toNumber(value);
    const size = Math.abs(number);
    signText = number < 0 || Object.is(number, -0) ? "-" : sign === "+" || sign === " " ? sign : "";
    if (type !== undefined && "bdoxXn".includes(type)) {
      if (isFloat(value))
        throw new PythonError("ValueError", `Unknown format code '${type}' for object of type 'float'`);
      body = integerText(size, type);
    } else if (type !== undefined) body = floatText(size, type, digits);
    else if (isFloat(value))
      body = digits === undefined ? floatRepr(size) : generalKeepingPoint(size, digits);
    else body = String(size);
    if (separator) body = grouped(body, separator);
  } else {
    if (type !== undefined && type !== "s")
      throw new PythonError(
        "ValueError",
        `Unknown format code '${type}' for object of type '${typeName(value)}'`,
      );
    body = cut(str(value), digits);
  }
  const total = Number(width ?? 0) - signText.length;
  const padding = fill ?? (zero ? "0" : " ");
  const side = align ?? (zero && isNumeric ? "=" : isNumeric ? ">" : "<");
  const missing = Math.max(0, total - [...body].length);
  if (side === "=") return signText + padding.repeat(missing) + body;
  if (side === ">") return padding.repeat(missing) + signText + body;
  if (side === "<") return signText + body + padding.repeat(missing);
  const before = Math.floor(missing / 2);
  return padding.repeat(before) + signText + body + padding.repeat(missing - before);
}

function generalKeepingPoint(value: number, digits: number): string {
  const text = general(value, digits, false);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

/** str.format(*args, **kwargs). */
export function formatBraces(
  template: string,
  args: readonly unknown[],
  kwargs: Readonly<Record<string, unknown>>,
): string {
  let next = 0;
  return template.replace(
    /\{\{|\}\}|\{([^{}!:]*)(?:!([rsa]))?(?::([^{}]*(?:\{[^{}]*\}[^{}]*)*))?\}/g,
    (whole, field: string | undefined, conversion: string | undefined, spec: string | undefined) => {
      if (whole === "{{") return "{";
      if (whole === "}}") return "}";
      const [head = "", ...path] = (field ?? "").split(/[.[]/).map((part) => part.replace(/\]$/, ""));
      let value: unknown =
        head === "" ? args[next++] : /^\d+$/.test(head) ? args[Number(head)] : kwargs[head];
      for (const part of path)
        value = isDict(value) ? value[part] : Array.isArray(value) ? value[Number(part)] : undefined;
      if (conversion === "r") value = repr(value);
      else if (conversion === "s") value = str(value);
      return formatSpec(
        value,
        (spec ?? "").replace(/\{(\w*)\}/g, (_, name: string) =>
          str(name === "" ? args[next++] : kwargs[name]),
        ),
      );
    },
  );
}
