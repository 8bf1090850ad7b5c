/** Cursors of lists. What is no cursor of ours is refused, so that a page is never silently the first one. */
import type { Place } from "../ledger/queries.ts";
import { ApiError } from "./http/errors.ts";

export function idCursor(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined;
  if (!/^\d{1,15}$/.test(cursor)) throw bad();
  return Number(cursor);
}

export function placeCursor(cursor: string | undefined): Place | undefined {
  if (cursor === undefined) return undefined;
  const match = /^(\d{1,16})-(\d{1,16})$/.exec(cursor);
  if (match === null) throw bad();
  return { decision: Number(match[1]), request: Number(match[2]) };
}

export function sessionCursor(cursor: string | undefined): { lastAt: number; key: string } | undefined {
  if (cursor === undefined) return undefined;
  const at = cursor.indexOf(".");
  const lastAt = Number(cursor.slice(0, at));
  if (at < 1 || !Number.isSafeInteger(lastAt)) throw bad();
  return { lastAt, key: Buffer.from(cursor.slice(at + 1), "base64url").toString("utf8") };
}

export function sessionCursorOf({ lastAt, key }: { lastAt: number; key: string }): string {
  return `${lastAt}.${Buffer.from(key, "utf8").toString("base64url")}`;
}

function bad(): ApiError {
  return new ApiError("invalid", "cursor: not one that this list gave", { path: "/cursor" });
}
