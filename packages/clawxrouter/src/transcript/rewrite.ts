/**
 * What a transcript may hold of a message: placeholders in the place of values, and of the whole text when it is
 * private. Works on the host's message objects as plain JSON; synchronous, because the host's write is.
 */
import type { Detector } from "../detection/detector.ts";
import { isWhollyPrivate } from "../detection/types.ts";
import type { Conversation } from "../vault-store/conversation.ts";

export interface RewriteContext {
  talk: Conversation;
  detector: Detector;
  /** The running turn may only be read by a local model: everything it writes is private. */
  privateTurn: boolean;
  /** Only values made the turn private: what its tools show is not looked for elsewhere, beside those values. */
  valuesOnly?: boolean;
}

type Json = Record<string, unknown>;

/** Keys whose values structure a message and say nothing of its content. */
const STRUCTURE = new Set([
  "role",
  "type",
  "id",
  "toolCallId",
  "toolName",
  "name",
  "timestamp",
  "idempotencyKey",
  "api",
  "provider",
  "model",
  "stopReason",
  "responseId",
  "usage",
  "mimeType",
  "data",
  "__openclaw",
  "customType",
  "display",
  "isError",
]);

/** @returns the message to store, or the same object when nothing has to change */
export function rewriteMessage(message: unknown, context: RewriteContext): unknown {
  if (!isRecord(message)) return message;
  // A user's private message goes whole; of a tool's result only what is private does, so that work can go on.
  const said = message.role === "user";
  const shown = message.role === "toolResult" && context.valuesOnly === true;
  const out: Json = {};
  let changed = false;
  for (const [key, value] of Object.entries(message)) {
    const rewritten = STRUCTURE.has(key) ? value : rewriteValue(value, key, { said, shown }, context);
    out[key] = rewritten;
    if (rewritten !== value) changed = true;
  }
  return changed ? out : message;
}

/** Whose text it is: the user's own words, or what a tool shows that is private by its values at most. */
interface Origin {
  said: boolean;
  shown: boolean;
}

function rewriteValue(value: unknown, key: string, origin: Origin, context: RewriteContext): unknown {
  if (typeof value === "string") return rewriteText(value, key, origin, context);
  if (Array.isArray(value)) {
    const items = value.map((item) => rewriteValue(item, key, origin, context));
    return items.some((item, i) => item !== value[i]) ? items : value;
  }
  if (!isRecord(value)) return value;
  const out: Json = {};
  let changed = false;
  const signed = context.privateTurn && value.type === "thinking";
  for (const [name, item] of Object.entries(value)) {
    if (signed && /signature/i.test(name)) {
      // A signature over text that is no longer there is refused by whoever checks it.
      changed = true;
      continue;
    }
    out[name] =
      STRUCTURE.has(name) && typeof item === "string" ? item : rewriteValue(item, name, origin, context);
    if (out[name] !== item) changed = true;
  }
  return changed ? out : value;
}

function rewriteText(text: string, key: string, { said, shown }: Origin, context: RewriteContext): string {
  if (text.trim() === "") return text;
  const { talk, detector, privateTurn } = context;
  if (isOnlyToken(text, talk)) return text;
  const found = detector.detectByRules(text);
  if (privateTurn && !isLabel(text, key)) {
    // Beside its values it is as private as before.
    const byValues = shown && !isWhollyPrivate(found);
    if (byValues) talk.redact(text, found.findings);
    // What a user says in a private turn and is not private by itself ("Thanks.") must not be hidden wherever it is said;
    // a text that only its meaning makes private is known already, from when the turn was decided.
    const harmless = found.level === "S1" && (said || isPlace(text, key, context));
    return talk.lock(text, { everyday: found.level === "S1", quiet: byValues || harmless });
  }
  const known = talk.findKnown(text);
  const secret = found.level === "S3" || known.some((finding) => finding.level === "S3");
  if ((said && secret) || isWhollyPrivate(found)) return talk.lock(text);
  return talk.redact(text, [...found.findings, ...known]);
}

/** A status word such as `completed` in a tool's details. */
function isLabel(text: string, key: string): boolean {
  return key !== "content" && key !== "text" && key !== "thinking" && /^[a-z][a-z_-]{0,23}$/.test(text);
}

/**
 * Where a tool works: the workspace's own path stands in every request. Of a file only the meaning of a turn says that
 * its name may be private.
 */
function isPlace(text: string, key: string, { valuesOnly }: RewriteContext): boolean {
  return (
    /^(?:cwd|work(?:ing)?_?dir(?:ectory)?|workspace(?:dir)?|root(?:dir)?)$/i.test(key) ||
    (valuesOnly === true && /^(?:~|\.{1,2}|[A-Za-z]:)?[\\/]\S*$/.test(text))
  );
}

function isOnlyToken(text: string, talk: Conversation): boolean {
  return (
    /^\s*🔒?\[(?:PRIVATE|REDACTED):[A-Z0-9_]+\]\s*$/.test(text) && talk.levelOfTokens(text) !== undefined
  );
}

function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What is stored when a message cannot be judged: nothing of it. */
export function withheld(message: unknown): unknown {
  if (!isRecord(message)) return message;
  const note = "🔒 [ClawXRouter: 内容因内部错误未写入 / not stored after an internal error, see the log]";
  const content = typeof message.content === "string" ? note : [{ type: "text", text: note }];
  const { details: _, ...rest } = message;
  return { ...rest, content };
}
