/** Reading parsed JSON of unknown shape: the value when it is of the kind asked for, else nothing. */

/** JSON object of unknown content: a parsed event. */
export type Json = Record<string, unknown>;

export function object(value: unknown): Json | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
}

export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

export function string(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function count(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

/** The error text of a provider's error object, in the shapes that providers use. */
export function errorText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  const error = object(value);
  if (!error) return undefined;
  const inner = object(error.error) ?? error;
  return string(inner.message) ?? string(error.error) ?? string(inner.type) ?? string(inner.code);
}
