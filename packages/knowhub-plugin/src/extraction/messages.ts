import { REMINDER_CLOSE, REMINDER_OPEN } from "../reminders/texts.ts";
import { FRAME_CLOSE, FRAME_OPEN } from "../tools/format.ts";

/** A message reduced to what extraction may see. */
export interface PlainMessage {
  role: "user" | "assistant" | "tool";
  content: string;
}

const MAX_MESSAGE_BYTES = 8 * 1024;
/**
 * What is looked at of a message before redaction. More than what is kept of it: a secret that is cut in half is not recognised, so the
 * cut to size comes after redaction ({@link capMessage}).
 */
const MAX_RAW = 4 * MAX_MESSAGE_BYTES;
/** The end of a text that was cut may be half a secret: it is thrown away with the words it is part of. */
const MARGIN = 4 * 1024;
const KB_TOOLS = /^(?:kb_search|kb_save|kb_update)$/;
/** The host's tools whose results are text of other sessions, or of the user's memory. */
const FOREIGN_TOOLS = /^(?:sessions?_[a-z_]+|memory_[a-z_]+)$/;
/** How the host begins a message that another session sent; it has the role of a user's (docs/reference/transcript-hygiene.md). */
const INTER_SESSION = /^\s*\[Inter-session message\]/;
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
  provenance?: unknown;
}

const OWN_BLOCKS = [
  [REMINDER_OPEN, REMINDER_CLOSE],
  [FRAME_OPEN, FRAME_CLOSE],
] as const;

/** What the host puts around the user's words (seen on 2026.9.6). */
const HOST_CONTEXT = [
  "<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>",
  "<<<END_OPENCLAW_INTERNAL_CONTEXT>>>",
] as const;

/** Takes blocks out in one pass; one that is not closed reaches to the end. */
function withoutBlocks(text: string, [open, close]: readonly [string, string]): string {
  let out = "";
  let from = 0;
  for (;;) {
    const start = text.indexOf(open, from);
    if (start < 0) return out + text.slice(from);
    out += text.slice(from, start);
    const end = text.indexOf(close, start + open.length);
    if (end < 0) return out;
    from = end + close.length;
  }
}

/** Takes what this plugin and the host put into a text out of it; the user's own words around it stay. */
export function stripInjected(text: string): string {
  let out = text;
  for (const marks of [...OWN_BLOCKS, HOST_CONTEXT]) out = withoutBlocks(out, marks);
  return out.replace(/\n{3,}/g, "\n\n").trim();
}

/**
 * The messages of a session snapshot reduced to text, in order: no thinking, no images (`[image]`), no `details`, nothing this
 * plugin, the host or another session put in, and neither calls nor results of its own tools — knowledge that came out of the store must not go
 * back in, and what the agent saved itself must not be saved twice. Messages of which nothing is left are not there.
 */
export function reduceSnapshot(snapshot: readonly unknown[]): PlainMessage[] {
  const calls: Calls = { own: new Set(), foreign: new Set() };
  return (snapshot as readonly (RawMessage | null | undefined)[]).flatMap((raw) => {
    const plain = typeof raw === "object" && raw !== null ? reduce(raw, calls) : undefined;
    return plain?.content ? [plain] : [];
  });
}

/** IDs of tool calls whose results are not taken: this plugin's own, and what reads other sessions. */
interface Calls {
  own: Set<string>;
  foreign: Set<string>;
}

function reduce(raw: RawMessage, calls: Calls): PlainMessage | undefined {
  switch (raw.role) {
    case "user":
      if (!fromPerson(raw)) return undefined;
      return { role: "user", content: cap(stripInjected(textOf(raw.content))) };
    case "assistant": {
      for (const part of parts(raw.content)) {
        if (part.type !== "toolCall") continue;
        if (isCallOf(KB_TOOLS, part)) calls.own.add(String(part.id));
        else if (isCallOf(FOREIGN_TOOLS, part)) calls.foreign.add(String(part.id));
      }
      return { role: "assistant", content: cap(stripInjected(textOf(raw.content))) };
    }
    case "toolResult":
      if (KB_TOOLS.test(String(raw.toolName)) || calls.own.has(String(raw.toolCallId)))
        return savedNote(textOf(raw.content));
      if (FOREIGN_TOOLS.test(String(raw.toolName)) || calls.foreign.has(String(raw.toolCallId)))
        return undefined;
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

/** Whether a user's message is a person's: other sessions, and the host itself, speak with the same role. */
function fromPerson(raw: RawMessage): boolean {
  const { kind } = (typeof raw.provenance === "object" && raw.provenance !== null ? raw.provenance : {}) as {
    kind?: unknown;
  };
  if (kind !== undefined && kind !== "external_user") return false;
  return !INTER_SESSION.test(textOf(raw.content));
}

function isCallOf(tools: RegExp, part: RawPart): boolean {
  if (tools.test(String(part.name))) return true;
  if (part.name !== BRIDGE) return false;
  const { id } = (part.arguments ?? {}) as { id?: unknown };
  return tools.test(String(id).split(/[.:/]/).at(-1) ?? "");
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

/** The beginning of a long text, without what the cut may have torn apart. */
function cap(text: string): string {
  if (text.length <= MAX_RAW) return text;
  return `${text.slice(0, MAX_RAW - MARGIN).replace(/\S{1,200}$/, "")} […]`;
}

/** A redacted message cut to {@link MAX_MESSAGE_BYTES} bytes, never half a character. */
export function capMessage(text: string): string {
  if (text.length <= MAX_MESSAGE_BYTES / 4) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= MAX_MESSAGE_BYTES) return text;
  return `${new TextDecoder("utf-8").decode(bytes.subarray(0, MAX_MESSAGE_BYTES), { stream: true })} […]`;
}

/** Messages in order, cut into uploads of at most `maxBytes`; a single message always fits, as messages are capped. */
export function batches(messages: readonly PlainMessage[], maxBytes = 256 * 1024): PlainMessage[][] {
  const out: PlainMessage[][] = [];
  let current: PlainMessage[] = [];
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
