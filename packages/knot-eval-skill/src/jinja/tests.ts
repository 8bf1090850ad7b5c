import {
  compare,
  contains,
  equals,
  isDict,
  isFloat,
  isNumber,
  iterate,
  Markup,
  str,
  toNumber,
} from "./python.ts";
import { argument, type Test } from "./runtime.ts";

function isIterable(value: unknown): boolean {
  try {
    iterate(value);
    return true;
  } catch {
    return false;
  }
}

const order =
  (accept: (sign: number) => boolean): Test =>
  (v, call) =>
    accept(compare(v, argument(call, 0, "other")));
const equal: Test = (v, call) => equals(v, argument(call, 0, "other"));
const greater = order((sign) => sign > 0);
const less = order((sign) => sign < 0);

/** Jinja2's built-in tests. */
export const TESTS: Record<string, Test> = {
  boolean: (v) => typeof v === "boolean",
  callable: (v) => typeof v === "function",
  defined: (v) => v !== undefined,
  undefined: (v) => v === undefined,
  divisibleby: (v, call) => toNumber(v) % toNumber(argument(call, 0, "num")) === 0,
  even: (v) => toNumber(v) % 2 === 0,
  odd: (v) => Math.abs(toNumber(v) % 2) === 1,
  eq: equal,
  equalto: equal,
  "==": equal,
  ne: (v, call, context) => !equal(v, call, context),
  "!=": (v, call, context) => !equal(v, call, context),
  gt: greater,
  greaterthan: greater,
  ">": greater,
  ge: order((sign) => sign >= 0),
  ">=": order((sign) => sign >= 0),
  lt: less,
  lessthan: less,
  "<": less,
  le: order((sign) => sign <= 0),
  "<=": order((sign) => sign <= 0),
  escaped: (v) => v instanceof Markup,
  false: (v) => v === false,
  true: (v) => v === true,
  float: (v) => isFloat(v),
  integer: (v) => typeof v === "number" && Number.isInteger(v),
  number: (v) => isNumber(v) || typeof v === "boolean",
  in: (v, call) => contains(argument(call, 0, "seq"), v),
  iterable: isIterable,
  sequence: (v) => isIterable(v) || isDict(v),
  mapping: isDict,
  lower: (v) => str(v) === str(v).toLowerCase() && str(v) !== str(v).toUpperCase(),
  upper: (v) => str(v) === str(v).toUpperCase() && str(v) !== str(v).toLowerCase(),
  none: (v) => v === null,
  sameas: (v, call) => Object.is(v, argument(call, 0, "other")),
  string: (v) => typeof v === "string" || v instanceof Markup,
};
