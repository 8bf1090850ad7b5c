/** Where two prompts part: the first changed byte, and what it is. A provider's prompt cache holds up to there. */
import { scanStrings } from "../redaction/json-scan.ts";

export interface PromptDiff {
  identical: boolean;
  /** Bytes (UTF-8) that both bodies share at their start. */
  commonBytes: number;
  oldBytes: number;
  newBytes: number;
  /** JSON path of the value in which they part, e.g. `.messages[3].content`. */
  path: string;
  /** Text around the first difference. */
  oldAround: string;
  newAround: string;
  /** Items of the conversation that both share, and counts of each: appended-only keeps the cache whole. */
  items: { shared: number; old: number; new: number };
  /** Top-level parts that differ: tools, system, a parameter ... */
  changedParts: string[];
  verdict: "identical" | "appended" | "changed";
}

const AROUND = 60;

/** Compares two request bodies, older first. Bodies that are no JSON are compared as text. */
export function diffPrompts(before: string, after: string): PromptDiff {
  const at = commonPrefix(before, after);
  const identical = before === after;
  const oldJson = parseObject(before);
  const newJson = parseObject(after);
  const oldItems = conversation(oldJson);
  const newItems = conversation(newJson);
  let shared = 0;
  while (shared < Math.min(oldItems.length, newItems.length) && same(oldItems[shared], newItems[shared]))
    shared++;
  const changedParts = partsThatDiffer(oldJson, newJson);
  const appended =
    !identical && changedParts.length === 0 && shared === oldItems.length && newItems.length > 0;
  return {
    identical,
    commonBytes: Buffer.byteLength(after.slice(0, at)),
    oldBytes: Buffer.byteLength(before),
    newBytes: Buffer.byteLength(after),
    path: pathAt(after, at),
    oldAround: around(before, at),
    newAround: around(after, at),
    items: { shared, old: oldItems.length, new: newItems.length },
    changedParts,
    verdict: identical ? "identical" : appended ? "appended" : "changed",
  };
}

/** Length of the common start, never in the middle of a surrogate pair. */
function commonPrefix(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  let at = 0;
  while (at < end && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  const last = a.charCodeAt(at - 1);
  return at > 0 && last >= 0xd800 && last <= 0xdbff ? at - 1 : at;
}

function around(text: string, at: number): string {
  return text.slice(Math.max(0, at - AROUND / 2), at + AROUND);
}

function pathAt(text: string, at: number): string {
  let path = "";
  scanStrings(text, false, (token) => {
    if (token.start <= at + 1) path = token.path;
  });
  return path;
}

const CONVERSATION_KEYS = ["messages", "input", "contents"];

function conversation(body: Record<string, unknown> | undefined): unknown[] {
  for (const key of CONVERSATION_KEYS) {
    const value = body?.[key];
    if (Array.isArray(value)) return value;
  }
  return [];
}

/** Parts that stand before the conversation for every provider's cache: tools and system prompt, and the model itself. */
function partsThatDiffer(
  a: Record<string, unknown> | undefined,
  b: Record<string, unknown> | undefined,
): string[] {
  if (!a || !b) return [];
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].filter(
    (key) => !CONVERSATION_KEYS.includes(key) && key !== "previous_response_id" && !same(a[key], b[key]),
  );
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
