/** Cursors of lists. What is no cursor of ours is refused, so that a page is never silently the first one. */
import type { Engine } from "../engine/engine.ts";
import type { Place } from "../ledger/queries.ts";
import { ApiError } from "./http/errors.ts";
import { sessionKeysOf } from "./session-keys.ts";

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

/** The key in it is hidden as it is in the list. */
export function sessionCursor(
  cursor: string | undefined,
  engine: Engine,
): { lastAt: number; key: string } | undefined {
  if (cursor === undefined) return undefined;
  const at = cursor.indexOf(".");
  const lastAt = Number(cursor.slice(0, at));
  if (at < 1 || !Number.isSafeInteger(lastAt)) throw bad();
  const key = Buffer.from(cursor.slice(at + 1), "base64url").toString("utf8");
  return { lastAt, key: sessionKeysOf(engine).open(key) };
}

export function sessionCursorOf({ lastAt, key }: { lastAt: number; key: string }, engine: Engine): string {
  return `${lastAt}.${Buffer.from(sessionKeysOf(engine).hide(key), "utf8").toString("base64url")}`;
}

function bad(): ApiError {
  return new ApiError("invalid", "cursor: not one that this list gave", { path: "/cursor" });
}
