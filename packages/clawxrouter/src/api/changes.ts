/** What differs between two documents, value by value. */
import { pointerPart } from "../setup/host-view.ts";

export interface ValueChange {
  /** JSON pointer. */
  path: string;
  /** JSON text of both sides, cut; null: not there. */
  before: string | null;
  after: string | null;
}

const LONGEST = 500;
const MOST = 200;

export function changesBetween(before: unknown, after: unknown): ValueChange[] {
  const changes: ValueChange[] = [];
  walk(before, after, "", changes);
  return changes.slice(0, MOST);
}

function walk(before: unknown, after: unknown, at: string, changes: ValueChange[]): void {
  if (isRecord(before) && isRecord(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
      walk(own(before, key), own(after, key), `${at}/${pointerPart(key)}`, changes);
    return;
  }
  const [old, now] = [textOf(before), textOf(after)];
  if (old !== now) changes.push({ path: at, before: cut(old), after: cut(now) });
}

function own(value: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

function textOf(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

function cut(text: string | null): string | null {
  return text !== null && text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
