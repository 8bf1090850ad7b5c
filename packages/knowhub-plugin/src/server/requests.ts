import { createHash } from "node:crypto";
import { HttpError, type WireRequest } from "./wire.ts";

export function whole(
  query: URLSearchParams,
  name: string,
  fallback: number,
  min: number,
  max: number,
): number {
  const text = query.get(name);
  if (text === null || text === "") return fallback;
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < min || value > max)
    throw new HttpError(422, `${name} must be a whole number from ${min} to ${max}`);
  return value;
}

export function decimal(
  query: URLSearchParams,
  name: string,
  fallback: number,
  min: number,
  max: number,
): number {
  const text = query.get(name);
  if (text === null || text === "") return fallback;
  const value = Number(text);
  if (!(value >= min && value <= max))
    throw new HttpError(422, `${name} must be a number from ${min} to ${max}`);
  return value;
}

export function list(query: URLSearchParams, name: string): string[] | undefined {
  const values = (query.get(name) ?? "")
    .split(",")
    .map((v) => v.trim())
    .filter(Boolean);
  return values.length > 0 ? values : undefined;
}

export function decode(part: string | undefined): string {
  try {
    return decodeURIComponent(part ?? "");
  } catch {
    throw new HttpError(400, "the ID in the path is not valid");
  }
}

export function missing(id: string): HttpError {
  return new HttpError(404, `no knowledge with ID ${id.slice(0, 200)}`);
}

export function fingerprint(request: WireRequest): string {
  return createHash("sha256")
    .update(`${request.method} ${request.path}\n${JSON.stringify(request.body ?? null)}`)
    .digest("hex");
}

export function each<T>(
  items: readonly T[],
  work: (item: T) => void,
  idOf: (item: T) => string = String,
): { status: number; body: { status: string; ids: string[]; failed: { id: string; error: string }[] } } {
  const done: string[] = [];
  const failed: { id: string; error: string }[] = [];
  for (const item of items) {
    try {
      work(item);
      done.push(idOf(item));
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      failed.push({ id: idOf(item), error: error.message });
    }
  }
  return { status: 200, body: { status: "success", ids: done, failed } };
}
