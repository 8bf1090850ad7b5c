import { detect } from "../detect/detect.ts";
import type { Policy } from "../detect/policy.ts";
import { openPayload, PayloadError } from "../walk/payload.ts";
import { detectPayload } from "../walk/views.ts";
import { redact, replaceFindings } from "./redact.ts";

/** `strict`: every string of the message is redacted. `relaxed`: role and content pass as they are. */
export type PrivacyMode = "strict" | "relaxed";

/** A chat message of any provider: what is not known is kept in its place. */
export interface MessageLike {
  readonly role: string;
  readonly content?: unknown;
}

/** A message as it may be kept or sent: role and content only, in strict mode with every text in it redacted. */
export function redactMessage<M extends MessageLike>(
  message: M,
  mode: PrivacyMode,
  policy?: Policy,
): { role: string; content: M["content"] } {
  if (mode === "relaxed") return { role: message.role, content: message.content };
  return {
    role: redactSensitiveInfo(message.role, policy),
    content: redactContent(message.content, policy) as M["content"],
  };
}

/** The text with everything private replaced: {@link redact} for callers that want only the text. */
export function redactSensitiveInfo(text: string, policy?: Policy): string {
  return redact(text, policy).text;
}

/** Texts, numbers and property names, JSON in strings included; what is too deep to be read is not kept. */
function redactContent(content: unknown, policy: Policy | undefined): unknown {
  try {
    const payload = openPayload(content, "unknown");
    const findings = detectPayload(payload, (view) => detect(view.text, policy));
    return payload.rewrite((leaf) =>
      replaceFindings(leaf.text, findings.get(leaf) ?? [], (finding) => `[REDACTED:${finding.type}]`),
    ).body;
  } catch (error) {
    if (error instanceof PayloadError) return "[REDACTED:TOO_DEEP]";
    throw error;
  }
}
