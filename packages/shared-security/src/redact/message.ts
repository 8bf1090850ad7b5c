import type { Policy } from "../detect/policy.ts";
import { redact } from "./redact.ts";

/** `strict`: every string of the message is redacted. `relaxed`: role and content pass as they are. */
export type PrivacyMode = "strict" | "relaxed";

/** A chat message of any provider: what is not known is kept in its place. */
export interface MessageLike {
  readonly role: string;
  readonly content?: unknown;
}

const MAX_DEPTH = 64;
/** What identifies or shapes a part; never free text, and changing it would break the message. */
const STRUCTURAL_KEYS = new Set([
  "role",
  "type",
  "id",
  "tool_call_id",
  "toolCallId",
  "mimeType",
  "mime_type",
]);

/** A message as it may be kept or sent: role and content only, in strict mode with every text in it redacted. */
export function redactMessage<M extends MessageLike>(
  message: M,
  mode: PrivacyMode,
  policy?: Policy,
): { role: string; content: M["content"] } {
  if (mode === "relaxed") return { role: message.role, content: message.content };
  return { role: message.role, content: redactStrings(message.content, policy, 0) };
}

/** The text with everything private replaced: {@link redact} for callers that want only the text. */
export function redactSensitiveInfo(text: string, policy?: Policy): string {
  return redact(text, policy).text;
}

function redactStrings<T>(value: T, policy: Policy | undefined, depth: number): T;
function redactStrings(value: unknown, policy: Policy | undefined, depth: number): unknown {
  if (typeof value === "string") return redact(value, policy).text;
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return "[REDACTED:TOO_DEEP]";
  if (Array.isArray(value)) return value.map((item: unknown) => redactStrings(item, policy, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]: [string, unknown]) => [
      key,
      STRUCTURAL_KEYS.has(key) && typeof item === "string" ? item : redactStrings(item, policy, depth + 1),
    ]),
  );
}
