import { createHash } from "node:crypto";
import { REMINDER_CLOSE, REMINDER_OPEN } from "../reminders/texts.ts";
import { FRAME_CLOSE, FRAME_OPEN } from "../tools/format.ts";

/** A message reduced to what extraction may see. */
export interface PlainMessage {
  role: "user" | "assistant" | "tool";
  content: string;
}

/** A message with the marks by which it is recognised next time; one of them is enough. */
export interface NewMessage extends PlainMessage {
  fingerprints: string[];
}

const MAX_MESSAGE_BYTES = 8 * 1024;
const KB_TOOLS = /^(?:kb_search|kb_save|kb_update)$/;
/** The host's bridge to deferred tools: the real name is in its arguments. */
const BRIDGE = "tool_call";

interface RawPart {
  type?: string;
  text?: unknown;
  name?: unknown;
  id?: unknown;
  arguments?: unknown;
}

interface RawMessage {
  role?: unknown;
  content?: unknown;
  toolCallId?: unknown;
  toolName?: unknown;
  timestamp?: unknown;
}

function block(open: string, close: string): RegExp {
  return new RegExp(`${open}[\\s\\S]*?(?:${close}|$)`, "g");
}
const OWN_BLOCKS = [block(REMINDER_OPEN, REMINDER_CLOSE), block(FRAME_OPEN, FRAME_CLOSE)];

/** What the host puts around the user's words (seen on 2026.9.6). */
const HOST_CONTEXT = /<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>[\s\S]*?<<<END_OPENCLAW_INTERNAL_CONTEXT>>>/g;

/** Takes what this plugin and the host put into a text out of it; the user's own words around it stay. */
export function stripInjected(text: string): string {
  let out = text;
  for (const pattern of OWN_BLOCKS) out = out.replace(pattern, "");
  return out
    .replace(HOST_CONTEXT, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/**
 * The messages of a session snapshot that extraction has not seen, reduced to text: no thinking, no images (`[image]`), no
 * `details`, nothing this plugin put in, and neither calls nor results of its own tools — knowledge that came out of the store
 * must not go back in, and what the agent saved itself must not be saved twice.
 *
 * @param seen whether a message with this mark was handled before
 */
export function newMessages(snapshot: readonly unknown[], seen: (mark: string) => boolean): NewMessage[] {
  const out: NewMessage[] = [];
  const ownCalls = new Set<string>();
  const repeats = new Map<string, number>();
  for (const raw of snapshot as readonly RawMessage[]) {
    if (typeof raw !== "object" || raw === null) continue;
    const plain = reduce(raw, ownCalls);
    if (!plain?.content) continue;
    const fingerprints = marks(plain, raw.timestamp, (key) => {
      const nth = (repeats.get(key) ?? 0) + 1;
      repeats.set(key, nth);
      return nth;
    });
    if (!fingerprints.some(seen)) out.push({ ...plain, fingerprints });
  }
  return out;
}

/** From so many characters on, equal words are the same message. */
const DISTINCTIVE = 60;

/**
 * A message is known by its time, as the host masks secrets in what it has stored and so changes the words between two snapshots
 * (seen on 2026.9.6); or by its words when it has no time, counted, as the same words said twice are two messages. Long words are
 * enough by themselves, should a time change.
 */
function marks({ role, content }: PlainMessage, timestamp: unknown, nth: (key: string) => number): string[] {
  const hash = (text: string) => createHash("sha256").update(text).digest("base64url");
  const words = hash(`${role}\u0000${content}`);
  const timed = typeof timestamp === "number" || typeof timestamp === "string";
  const first = timed ? hash(`${role}\u0000${timestamp}`) : words;
  const numbered = `${first}#${nth(first)}`;
  return content.length >= DISTINCTIVE ? [numbered, words] : [numbered];
}

function reduce(raw: RawMessage, ownCalls: Set<string>): PlainMessage | undefined {
  switch (raw.role) {
    case "user":
      return { role: "user", content: cap(stripInjected(textOf(raw.content))) };
    case "assistant": {
      for (const part of parts(raw.content)) {
        if (part.type === "toolCall" && isOwnCall(part)) ownCalls.add(String(part.id));
      }
      return { role: "assistant", content: cap(stripInjected(textOf(raw.content))) };
    }
    case "toolResult":
      if (KB_TOOLS.test(String(raw.toolName)) || ownCalls.has(String(raw.toolCallId)))
        return savedNote(textOf(raw.content));
      return { role: "tool", content: cap(stripInjected(textOf(raw.content))) };
    default:
      return undefined;
  }
}

/**
 * What is left of a successful kb_save: that something was saved here, so that whoever extracts does not save it a second time.
 * Nothing is left of the other tools' results.
 */
function savedNote(result: string): PlainMessage | undefined {
  const id = /^✅[^\n]*\(ID: (knowledge-[0-9a-z-]+)/.exec(result)?.[1];
  return id === undefined
    ? undefined
    : {
        role: "tool",
        content: `[The agent saved what it learnt here itself (${id}); do not extract it again]`,
      };
}

function isOwnCall(part: RawPart): boolean {
  if (KB_TOOLS.test(String(part.name))) return true;
  if (part.name !== BRIDGE) return false;
  const { id } = (part.arguments ?? {}) as { id?: unknown };
  return /(?:^|[.:/])kb_(?:search|save|update)$/.test(String(id));
}

function parts(content: unknown): RawPart[] {
  return Array.isArray(content)
    ? (content as unknown[]).filter((p): p is RawPart => typeof p === "object" && p !== null)
    : [];
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return parts(content)
    .map((part) => {
      if (part.type === "text") return typeof part.text === "string" ? part.text : "";
      return part.type === "image" || part.type === "image_url" ? "[image]" : "";
    })
    .filter(Boolean)
    .join("\n");
}

/** The first {@link MAX_MESSAGE_BYTES} bytes, never half a character. */
function cap(text: string): string {
  if (text.length <= MAX_MESSAGE_BYTES / 4) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= MAX_MESSAGE_BYTES) return text;
  return `${new TextDecoder("utf-8").decode(bytes.subarray(0, MAX_MESSAGE_BYTES), { stream: true })} […]`;
}

/** Messages in order, cut into uploads of at most `maxBytes`; a single message always fits, as messages are capped. */
export function batches(messages: readonly NewMessage[], maxBytes = 256 * 1024): NewMessage[][] {
  const out: NewMessage[][] = [];
  let current: NewMessage[] = [];
  let size = 0;
  for (const message of messages) {
    const bytes = Buffer.byteLength(message.content) + 64;
    if (current.length > 0 && size + bytes > maxBytes) {
      out.push(current);
      current = [];
      size = 0;
    }
    current.push(message);
    size += bytes;
  }
  if (current.length > 0) out.push(current);
  return out;
}
