import { binary, unary } from "./arithmetic.ts";
import { child, list, type Node, optional } from "./ast.ts";
import { Loop } from "./loop.ts";
import { methodOf } from "./methods.ts";
import {
  compare,
  contains,
  type Dict,
  equals,
  isDict,
  PyFloat,
  PyTuple,
  PythonError,
  toNumber,
  truthy,
  typeName,
} from "./python.ts";
import type { CallArgs, Filter, RenderContext, TemplateFunction, Test } from "./runtime.ts";
import { Namespace, type Scope } from "./scope.ts";

/** Tables an expression may use. */
export interface ExpressionTables {
  filters: Readonly<Record<string, Filter>>;
  tests: Readonly<Record<string, Test>>;
  globals: Readonly<Record<string, unknown>>;
}

const CONSTANTS: Record<string, unknown> = {
  true: true,
  True: true,
  false: false,
  False: false,
  none: null,
  None: null,
};

/** Reads `foo.name`: Python attributes (methods) first, then the key. Only own keys: nothing of JavaScript shows. */
export function getAttribute(value: unknown, name: string): unknown {
  if (value === undefined)
    throw new PythonError("UndefinedError", `an undefined value has no attribute '${name}'`);
  if (value instanceof Loop) return value.attribute(name);
  if (value instanceof Namespace) return value.values.get(name);
  const method = methodOf(value, name);
  if (method) return ((call: CallArgs) => method(call.args, call.kwargs)) satisfies TemplateFunction;
  return ownValue(value, name);
}

/** Reads `foo[index]`: the key first, then the attribute. */
export function getItem(value: unknown, index: unknown): unknown {
  if (value === undefined)
    throw new PythonError("UndefinedError", "an undefined value cannot be subscripted");
  if (typeof index === "number" && (Array.isArray(value) || typeof value === "string")) {
    const items = typeof value === "string" ? [...value] : value;
    return items.at(index);
  }
  const own = ownValue(value, index);
  return own === undefined && typeof index === "string" ? getAttribute(value, index) : own;
}

function ownValue(value: unknown, key: unknown): unknown {
  if (value instanceof Map) return value.get(key);
  if (typeof value !== "object" || value === null) return undefined;
  const name = String(key);
  if (Array.isArray(value))
    return name !== "length" && Object.hasOwn(value, name) ? (value as unknown as Dict)[name] : undefined;
  return isDict(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function slice(value: unknown, bounds: readonly unknown[]): unknown {
  const items: unknown[] = typeof value === "string" ? [...value] : Array.isArray(value) ? value : [];
  if (typeof value !== "string" && !Array.isArray(value))
    throw new PythonError("TypeError", `'${typeName(value)}' object cannot be sliced`);
  const step = bounds[2] === undefined || bounds[2] === null ? 1 : toNumber(bounds[2]);
  if (step === 0) throw new PythonError("ValueError", "slice step cannot be zero");
  const size = items.length;
  const clamp = (bound: unknown, fallback: number) => {
    if (bound === undefined || bound === null) return fallback;
    const n = toNumber(bound);
    const absolute = n < 0 ? n + size : n;
    return step > 0 ? Math.min(Math.max(absolute, 0), size) : Math.min(Math.max(absolute, -1), size - 1);
  };
  const start = clamp(bounds[0], step > 0 ? 0 : size - 1);
  const stop = clamp(bounds[1], step > 0 ? size : -1);
  const out: unknown[] = [];
  for (let i = start; step > 0 ? i < stop : i > stop; i += step) out.push(items[i]);
  if (typeof value === "string") return out.join("");
  return value instanceof PyTuple ? PyTuple.make(out) : out;
}

/** Evaluates expression nodes. */
export class ExpressionEvaluator implements RenderContext {
  readonly #tables: ExpressionTables;
  autoescape: boolean;

  constructor(tables: ExpressionTables, autoescape: boolean) {
    this.#tables = tables;
    this.autoescape = autoescape;
  }

  attribute(value: unknown, name: unknown): unknown {
    return getItem(value, name);
  }

  filter(name: string, value: unknown, call: CallArgs): unknown {
    const filter = Object.hasOwn(this.#tables.filters, name) ? this.#tables.filters[name] : undefined;
    if (!filter) throw new PythonError("TemplateRuntimeError", `no filter named '${name}'`);
    return filter(value, call, this);
  }

  test(name: string, value: unknown, call: CallArgs): boolean {
    if (name === "filter") return Object.hasOwn(this.#tables.filters, String(value));
    if (name === "test") return Object.hasOwn(this.#tables.tests, String(value));
    const test = Object.hasOwn(this.#tables.tests, name) ? this.#tables.tests[name] : undefined;
    if (!test) throw new PythonError("TemplateRuntimeError", `no test named '${name}'`);
    return test(value, call, this);
  }

  lookup(name: string, scope: Scope): unknown {
    if (Object.hasOwn(CONSTANTS, name)) return CONSTANTS[name];
    const value = scope.get(name);
    return value !== undefined || !Object.hasOwn(this.#tables.globals, name)
      ? value
      : this.#tables.globals[name];
  }

  evaluate(node: Node, scope: Scope): unknown {
    switch (node.typename) {
      case "Literal":
        return literal(node);
      case "TemplateData":
        return node.value;
      case "Symbol":
        return this.lookup(String(node.value), scope);
      case "Group": {
        const items = node.children ?? [];
        return items.length === 1 && items[0]
          ? this.evaluate(items[0], scope)
          : PyTuple.make(items.map((i) => this.evaluate(i, scope)));
      }
      case "Tuple":
        return PyTuple.make((node.children ?? []).map((i) => this.evaluate(i, scope)));
      case "Array":
        return (node.children ?? []).map((i) => this.evaluate(i, scope));
      case "Dict":
        return Object.fromEntries(
          (node.children ?? []).map((pair) => [
            this.#key(child(pair, "key"), scope),
            this.evaluate(child(pair, "value"), scope),
          ]),
        );
      case "Attribute":
        return this.#attribute(node, scope);
      case "Subscript":
        return getItem(
          this.evaluate(child(node, "target"), scope),
          this.evaluate(child(node, "index"), scope),
        );
      case "Slice": {
        const bounds = ["start", "stop", "step"].map((name) => {
          const bound = optional(node, name);
          return bound ? this.evaluate(bound, scope) : undefined;
        });
        return slice(this.evaluate(child(node, "target"), scope), bounds);
      }
      case "Call":
        return this.#call(node, scope);
      case "FilterCall":
        return this.filter(
          String(node.name),
          this.evaluate(child(node, "target"), scope),
          this.args(list(node, "args"), scope),
        );
      case "CapturedBody":
        return scope.get(CAPTURED);
      case "Test":
        return (
          this.test(
            String(node.name),
            this.evaluate(child(node, "target"), scope),
            this.args(list(node, "args"), scope),
          ) !== Boolean(node.negated)
        );
      case "InlineIf":
        return this.#inlineIf(node, scope);
      case "And": {
        const left = this.evaluate(child(node, "left"), scope);
        return truthy(left) ? this.evaluate(child(node, "right"), scope) : left;
      }
      case "Or": {
        const left = this.evaluate(child(node, "left"), scope);
        return truthy(left) ? left : this.evaluate(child(node, "right"), scope);
      }
      case "Not":
        return !truthy(this.evaluate(child(node, "target"), scope));
      case "In":
        return contains(
          this.evaluate(child(node, "right"), scope),
          this.evaluate(child(node, "left"), scope),
        );
      case "Compare":
        return this.#compare(node, scope);
      case "Neg":
      case "Pos":
        return unary(node.typename, this.evaluate(child(node, "target"), scope));
      case "Add":
      case "Sub":
      case "Mul":
      case "Div":
      case "FloorDiv":
      case "Mod":
      case "Pow":
      case "Concat":
        return binary(
          node.typename,
          this.evaluate(child(node, "left"), scope),
          this.evaluate(child(node, "right"), scope),
        );
      default:
        throw new PythonError("TemplateSyntaxError", `unsupported expression ${node.typename}`);
    }
  }

  /** Evaluates call arguments; `name=value` pairs become keyword arguments. */
  args(nodes: readonly Node[], scope: Scope): CallArgs {
    const args: unknown[] = [];
    const kwargs: Dict = {};
    for (const node of nodes) {
      if (node.typename === "KeywordArgs") {
        for (const pair of node.children ?? [])
          kwargs[String(child(pair, "key").value)] = this.evaluate(child(pair, "value"), scope);
      } else args.push(this.evaluate(node, scope));
    }
    return { args, kwargs };
  }

  #key(node: Node, scope: Scope): string {
    return String(this.evaluate(node, scope));
  }

  #attribute(node: Node, scope: Scope): unknown {
    const target = child(node, "target");
    const value = this.evaluate(target, scope);
    if (value === undefined) {
      const what =
        target.typename === "Symbol"
          ? `'${String(target.value)}' is undefined`
          : `an undefined value has no attribute '${String(node.name)}'`;
      throw new PythonError("UndefinedError", what);
    }
    return getAttribute(value, String(node.name));
  }

  #call(node: Node, scope: Scope): unknown {
    const callee = child(node, "callee");
    const fn = this.evaluate(callee, scope);
    const call = this.args(list(node, "args"), scope);
    if (fn instanceof Loop) return fn.call(call);
    if (typeof fn === "function") return (fn as TemplateFunction)(call);
    const name = callee.typename === "Symbol" ? String(callee.value) : String(callee.name ?? "value");
    throw new PythonError(
      fn === undefined ? "UndefinedError" : "TypeError",
      fn === undefined ? `'${name}' is undefined` : `'${typeName(fn)}' object is not callable`,
    );
  }

  #inlineIf(node: Node, scope: Scope): unknown {
    if (truthy(this.evaluate(child(node, "cond"), scope))) return this.evaluate(child(node, "body"), scope);
    const otherwise = optional(node, "else_");
    return otherwise ? this.evaluate(otherwise, scope) : undefined;
  }

  #compare(node: Node, scope: Scope): boolean {
    let left = this.evaluate(child(node, "expr"), scope);
    for (const operand of list(node, "ops")) {
      const right = this.evaluate(child(operand, "expr"), scope);
      if (!holds(String(operand.type), left, right)) return false;
      left = right;
    }
    return true;
  }
}

/** Variable under which `{% set %}...{% endset %}` and `{% filter %}` hand over their body; no template can name it. */
export const CAPTURED = "\0captured";

function literal(node: Node): unknown {
  const { value } = node;
  return typeof value === "number" && node.float === true ? new PyFloat(value) : value;
}

function holds(operator: string, left: unknown, right: unknown): boolean {
  switch (operator) {
    case "==":
      return equals(left, right);
    case "!=":
      return !equals(left, right);
    case "<":
      return compare(left, right) < 0;
    case "<=":
      return compare(left, right) <= 0;
    case ">":
      return compare(left, right) > 0;
    default:
      return compare(left, right) >= 0;
  }
}
