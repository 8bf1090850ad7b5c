import { methodOf } from "./methods.ts";
import {
  compare,
  type Dict,
  equals,
  float,
  hash,
  isDict,
  isFloat,
  iterate,
  Markup,
  PyFloat,
  PyTuple,
  PythonError,
  repr,
  roundHalfEven,
  str,
  toNumber,
  truthy,
} from "./python.ts";
import { argument, type CallArgs, type Filter, type RenderContext } from "./runtime.ts";

type Key = (item: unknown) => unknown;

function ignoreCase(value: unknown): unknown {
  return typeof value === "string" ? value.toLowerCase() : value;
}

/** An attribute getter: a name, a dotted path, an index, or several separated by commas. */
function keyBy(attribute: unknown, context: RenderContext, fold: boolean, fallback?: unknown): Key {
  const single =
    (path: string): Key =>
    (item) => {
      let value: unknown = item;
      for (const part of path.split(".")) {
        value = context.attribute(value, /^\d+$/.test(part) ? Number(part) : part);
        if (value === undefined) value = fallback;
      }
      return fold ? ignoreCase(value) : value;
    };
  if (attribute === undefined || attribute === null) return (item) => (fold ? ignoreCase(item) : item);
  const paths = str(attribute)
    .split(",")
    .map((path) => single(path.trim()));
  const [only] = paths;
  return paths.length === 1 && only ? only : (item) => paths.map((key) => key(item));
}

function sorted(items: readonly unknown[], key: Key, reverse: boolean): unknown[] {
  const decorated = items.map((item, index) => ({ item, key: key(item), index }));
  decorated.sort((a, b) => {
    const order = compare(a.key, b.key);
    return order !== 0 ? (reverse ? -order : order) : a.index - b.index;
  });
  return decorated.map((d) => d.item);
}

function extreme(value: unknown, call: CallArgs, context: RenderContext, sign: 1 | -1): unknown {
  const key = keyBy(
    argument(call, 1, "attribute"),
    context,
    !truthy(argument(call, 0, "case_sensitive", false)),
  );
  const items = iterate(value);
  if (items.length === 0) return undefined;
  return items.reduce((best, item) => (compare(key(item), key(best)) * sign > 0 ? item : best));
}

/** select, reject and their attribute forms. */
function selection(keepWhenTrue: boolean, byAttribute: boolean): Filter {
  return (value, call, context) => {
    const [first, ...others] = call.args;
    const testName = byAttribute ? others[0] : first;
    const testArgs = byAttribute ? others.slice(1) : others;
    const get = byAttribute ? keyBy(first, context, false) : (item: unknown) => item;
    return iterate(value).filter((item) => {
      const subject = get(item);
      const passed =
        testName === undefined
          ? truthy(subject)
          : context.test(str(testName), subject, { args: testArgs, kwargs: call.kwargs });
      return passed === keepWhenTrue;
    });
  };
}

function sliceInto(items: unknown[], columns: number, fill: unknown): unknown[][] {
  const size = Math.floor(items.length / columns);
  const extra = items.length % columns;
  const out: unknown[][] = [];
  for (let i = 0, offset = 0; i < columns; i++) {
    const start = offset;
    const end = start + size + (i < extra ? 1 : 0);
    offset = end;
    const part = items.slice(start, end);
    if (fill !== undefined && fill !== null && i >= extra && extra > 0) part.push(fill);
    out.push(part);
  }
  return out;
}

function batch(items: unknown[], size: number, fill: unknown): unknown[][] {
  const out: unknown[][] = [];
  for (let i = 0; i < items.length; i += size) out.push(items.slice(i, i + size));
  const last = out.at(-1);
  if (last && fill !== undefined && fill !== null) while (last.length < size) last.push(fill);
  return out;
}

function toInt(value: unknown, fallback: unknown, base: number): unknown {
  if (typeof value === "string" || value instanceof Markup) {
    const text = str(value).trim().replaceAll("_", "");
    if (base !== 10) {
      const parsed = Number.parseInt(text.replace(/^0[xob]/i, ""), base);
      return Number.isNaN(parsed) ? fallback : parsed;
    }
    if (/^[-+]?\d+$/.test(text)) return Number(text);
    return /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(text) ? Math.trunc(Number(text)) : fallback;
  }
  if (typeof value === "number" || typeof value === "boolean" || value instanceof PyFloat)
    return Math.trunc(toNumber(value));
  return fallback;
}

export const DATA_FILTERS: Record<string, Filter> = {
  abs: (v) => (isFloat(v) ? float(Math.abs(toNumber(v))) : Math.abs(toNumber(v))),
  // Python attributes only, never keys: on a dict this finds its methods.
  attr: (v, call) => {
    const method = methodOf(v, str(argument(call, 0, "name")));
    return method && ((inner: CallArgs) => method(inner.args, inner.kwargs));
  },
  batch: (v, call) =>
    batch(iterate(v), toNumber(argument(call, 0, "linecount")), argument(call, 1, "fill_with")),
  default: (v, call) =>
    v === undefined || (truthy(argument(call, 1, "boolean", false)) && !truthy(v))
      ? argument(call, 0, "default_value", "")
      : v,
  dictsort: (v, call) => {
    if (!isDict(v)) throw new PythonError("TypeError", "dictsort needs a dict");
    const fold = !truthy(argument(call, 0, "case_sensitive", false));
    const position = str(argument(call, 1, "by", "key")) === "value" ? 1 : 0;
    const pairs = Object.entries(v).map((pair) => PyTuple.make(pair));
    return sorted(
      pairs,
      (pair) => (fold ? ignoreCase((pair as unknown[])[position]) : (pair as unknown[])[position]),
      truthy(argument(call, 2, "reverse", false)),
    );
  },
  first: (v) => iterate(v)[0],
  last: (v) => iterate(v).at(-1),
  float: (v, call) => {
    const text = typeof v === "string" ? v.trim().replaceAll("_", "") : v;
    const number =
      typeof text === "string"
        ? text === ""
          ? Number.NaN
          : Number(text)
        : typeof text === "boolean" || typeof text === "number" || text instanceof PyFloat
          ? toNumber(text)
          : Number.NaN;
    const fallback = argument(call, 0, "default", new PyFloat(0));
    return Number.isNaN(number) ? fallback : float(number);
  },
  groupby: (v, call, context) => {
    const attribute = argument(call, 0, "attribute");
    const fallback = argument(call, 1, "default");
    const fold = !truthy(argument(call, 2, "case_sensitive", false));
    const key = keyBy(attribute, context, fold, fallback);
    const plainKey = keyBy(attribute, context, false, fallback);
    const groups: { key: unknown; shown: unknown; items: unknown[] }[] = [];
    for (const item of sorted(iterate(v), key, false)) {
      const value = key(item);
      const open = groups.at(-1);
      if (open && equals(open.key, value)) open.items.push(item);
      else groups.push({ key: value, shown: plainKey(item), items: [item] });
    }
    return groups.map((group) =>
      Object.assign(PyTuple.make([group.shown, group.items]), { grouper: group.shown, list: group.items }),
    );
  },
  int: (v, call) => toInt(v, argument(call, 0, "default", 0), toNumber(argument(call, 1, "base", 10))),
  items: (v) => (isDict(v) ? Object.entries(v).map((pair) => PyTuple.make(pair)) : []),
  list: (v) => [...iterate(v)],
  map: (v, call, context) => {
    if (call.args.length === 0 && Object.hasOwn(call.kwargs, "attribute")) {
      return iterate(v).map(keyBy(call.kwargs.attribute, context, false, call.kwargs.default));
    }
    const [name, ...rest] = call.args;
    return iterate(v).map((item) => context.filter(str(name), item, { args: rest, kwargs: call.kwargs }));
  },
  max: (v, call, context) => extreme(v, call, context, 1),
  min: (v, call, context) => extreme(v, call, context, -1),
  pprint: (v) => repr(v),
  random: (v) => {
    const items = iterate(v);
    return items[Math.floor(Math.random() * items.length)];
  },
  reject: selection(false, false),
  rejectattr: selection(false, true),
  select: selection(true, false),
  selectattr: selection(true, true),
  reverse: (v) => (typeof v === "string" ? [...v].reverse().join("") : [...iterate(v)].reverse()),
  round: (v, call) => {
    const digits = toNumber(argument(call, 0, "precision", 0));
    const method = str(argument(call, 1, "method", "common"));
    const number = toNumber(v);
    if (method === "common") return isFloat(v) ? float(roundHalfEven(number, digits)) : v;
    const factor = 10 ** digits;
    return float((method === "ceil" ? Math.ceil(number * factor) : Math.floor(number * factor)) / factor);
  },
  slice: (v, call) =>
    sliceInto(iterate(v), toNumber(argument(call, 0, "slices")), argument(call, 1, "fill_with")),
  sort: (v, call, context) =>
    sorted(
      iterate(v),
      keyBy(argument(call, 2, "attribute"), context, !truthy(argument(call, 1, "case_sensitive", false))),
      truthy(argument(call, 0, "reverse", false)),
    ),
  sum: (v, call, context) => {
    const key = keyBy(argument(call, 0, "attribute"), context, false);
    const items = iterate(v).map(key);
    const start = argument(call, 1, "start", 0);
    const total = items.reduce<number>((sum, item) => sum + toNumber(item), toNumber(start));
    return isFloat(start) || items.some(isFloat) ? float(total) : total;
  },
  unique: (v, call, context) => {
    const key = keyBy(
      argument(call, 1, "attribute"),
      context,
      !truthy(argument(call, 0, "case_sensitive", false)),
    );
    const seen = new Set<string>();
    return iterate(v).filter((item) => {
      const id = hash(key(item));
      if (seen.has(id)) return false;
      seen.add(id);
      return true;
    });
  },
};

DATA_FILTERS.d = DATA_FILTERS.default as Filter;

/** For namespaces and dict(...) in templates. */
export function toDict(call: CallArgs): Dict {
  const [source] = call.args;
  const base: Dict = isDict(source)
    ? { ...source }
    : Array.isArray(source)
      ? Object.fromEntries(source as [string, unknown][])
      : {};
  return { ...base, ...call.kwargs };
}
