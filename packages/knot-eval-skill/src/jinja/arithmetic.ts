import { formatPercent } from "./format.ts";
import { float, isFloat, isNumber, Markup, PyTuple, PythonError, str, toNumber, typeName } from "./python.ts";

function bad(operator: string, left: unknown, right: unknown): PythonError {
  return new PythonError(
    "TypeError",
    `unsupported operand type(s) for ${operator}: '${typeName(left)}' and '${typeName(right)}'`,
  );
}

function numeric(value: unknown): boolean {
  return isNumber(value) || typeof value === "boolean";
}

function repeat(value: unknown, times: unknown): unknown {
  if (!numeric(times) || isFloat(times)) return undefined;
  const count = Math.max(0, toNumber(times));
  if (typeof value === "string") return value.repeat(count);
  if (Array.isArray(value)) {
    const items = Array.from({ length: count }, () => value).flat(1);
    return value instanceof PyTuple ? PyTuple.make(items) : items;
  }
  return undefined;
}

/** Evaluates a binary operator with Python's types: `/` gives a float, `//` and `%` floor, `*` repeats, `+` joins. */
export function binary(operator: string, left: unknown, right: unknown): unknown {
  if (operator === "Concat")
    return left instanceof Markup || right instanceof Markup
      ? new Markup(str(left) + str(right))
      : str(left) + str(right);
  if (operator === "Add") {
    if (typeof left === "string" && typeof right === "string") return left + right;
    if (left instanceof Markup || right instanceof Markup) return new Markup(str(left) + str(right));
    if (Array.isArray(left) && Array.isArray(right))
      return left instanceof PyTuple ? PyTuple.make([...left, ...right]) : [...left, ...right];
  }
  if (operator === "Mul") {
    const repeated = repeat(left, right) ?? repeat(right, left);
    if (repeated !== undefined) return repeated;
  }
  if (operator === "Mod" && (typeof left === "string" || left instanceof Markup))
    return formatPercent(str(left), right);
  const symbol =
    { Add: "+", Sub: "-", Mul: "*", Div: "/", FloorDiv: "//", Mod: "%", Pow: "**" }[operator] ?? operator;
  if (!numeric(left) || !numeric(right)) throw bad(symbol, left, right);
  const a = toNumber(left);
  const b = toNumber(right);
  const asFloat = isFloat(left) || isFloat(right);
  const result = (value: number) => (asFloat ? float(value) : value);
  switch (operator) {
    case "Add":
      return result(a + b);
    case "Sub":
      return result(a - b);
    case "Mul":
      return result(a * b);
    case "Pow":
      return asFloat || b < 0 ? float(a ** b) : a ** b;
    case "Div":
    case "FloorDiv":
    case "Mod":
      if (b === 0)
        throw new PythonError(
          "ZeroDivisionError",
          operator === "Div" ? "division by zero" : "integer division or modulo by zero",
        );
      if (operator === "Div") return float(a / b);
      return result(operator === "FloorDiv" ? Math.floor(a / b) : a - b * Math.floor(a / b));
    default:
      throw new PythonError("TypeError", `unknown operator ${operator}`);
  }
}

/** Unary minus and plus. */
export function unary(operator: "Neg" | "Pos", value: unknown): unknown {
  const number = toNumber(value, "operand");
  const result = operator === "Neg" ? -number : number;
  return isFloat(value) ? float(result) : result === 0 ? 0 : result;
}
