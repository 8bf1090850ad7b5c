/** A JSON value as `JSON.parse` gives it. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
/** A JSON object. */
export interface JsonObject {
  [key: string]: Json | undefined;
}

/** True for a JSON object (not an array, not null). */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value when it is an object, else undefined. */
export function asObject(value: Json | undefined): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

/** The value when it is an array, else an empty one. */
export function asArray(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

/** The value when it is a string, else undefined. */
export function asString(value: Json | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The value when it is a finite number, else undefined. */
export function asNumber(value: Json | undefined): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** Parses JSON text. @returns undefined when it is not JSON */
export function parseJson(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** The JSON objects among the items. */
export function objectsIn(items: readonly (Json | undefined)[]): JsonObject[] {
  return items.filter((item) => isObject(item));
}
