/** What comes from outside, as the contract says it must be. */
import type { Static, TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Fault } from "../contract/common.ts";
import { ApiError } from "./errors.ts";

/** @throws ApiError naming the first faults; values are not quoted */
export function checked<T extends TSchema>(schema: T, value: unknown): Static<T> {
  const given = Value.Default(schema, value);
  if (Value.Check(schema, given)) return given;
  const faults: Fault[] = [];
  for (const { path, message } of Value.Errors(schema, given)) {
    faults.push({ path, line: null, message });
    if (faults.length >= 10) break;
  }
  const [first] = faults;
  throw new ApiError(
    "invalid",
    first === undefined ? "not valid" : `${first.path || "/"}: ${first.message}`,
    {
      path: first?.path ?? "",
      faults,
    },
  );
}

/** Query parameters are text: numbers are read as such where the contract has a number. */
export function checkedQuery<T extends TSchema>(schema: T, query: URLSearchParams): Static<T> {
  const raw: Record<string, unknown> = {};
  for (const [key, value] of query) if (value !== "") raw[key] = value;
  return checked(schema, Value.Convert(schema, raw));
}
