import { createHash } from "node:crypto";
import type { PlainMessage } from "./messages.ts";

/** Up to where a session was taken: how many messages, and their roles in order. */
export interface Watermark {
  count: number;
  shape: string;
}

/** What is known of a session. */
export interface Memory {
  watermark: Watermark | undefined;
  /** Whether a message with this mark was taken. */
  has(mark: string): boolean;
}

export interface Fresh {
  messages: PlainMessage[];
  /** What to remember of them. */
  marks: string[];
  watermark: Watermark;
}

/**
 * The messages of a session that were not taken before.
 *
 * Neither their words nor their times tell: the host masks secrets in what it has stored and dates messages anew, so that the
 * same message differs between two snapshots (seen on 2026.9.6). A session only grows, though: what was taken is its beginning, as
 * long as the roles of that beginning are the same and at least half of it is known by its words. After a compaction,
 * which rewrites the beginning, messages are told by their words.
 */
export function freshMessages(all: readonly PlainMessage[], memory: Memory): Fresh {
  const marks = marksOf(all);
  const watermark = { count: all.length, shape: shapeOf(all) };
  const { count = 0, shape } = memory.watermark ?? {};
  const grown =
    count > 0 &&
    count <= all.length &&
    shapeOf(all.slice(0, count)) === shape &&
    marks.slice(0, count).filter((mark) => memory.has(mark)).length * 2 >= count;
  const fresh = all.flatMap((message, i) => {
    const mark = marks[i] ?? "";
    const taken = grown ? i < count : memory.has(mark);
    return taken ? [] : [{ message, mark }];
  });
  return { messages: fresh.map((f) => f.message), marks: fresh.map((f) => f.mark), watermark };
}

function shapeOf(messages: readonly PlainMessage[]): string {
  return hash(messages.map((message) => message.role).join(","));
}

/** A mark for each message: its words, counted, as the same words said twice are two messages. */
function marksOf(messages: readonly PlainMessage[]): string[] {
  const said = new Map<string, number>();
  return messages.map(({ role, content }) => {
    const words = hash(`${role}\u0000${content}`);
    const nth = (said.get(words) ?? 0) + 1;
    said.set(words, nth);
    return `${words}#${nth}`;
  });
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
