import { detect, type Finding, replaceFindings } from "@clawx/shared-security";
import type { KnowHubConfig } from "../config.ts";
import type { PlainMessage } from "./messages.ts";

/** What was taken out of an upload: how many of each type, never the values. */
export type RedactionCounts = Record<string, number>;

export interface RedactedMessages {
  messages: PlainMessage[];
  counts: RedactionCounts;
}

/** Families of shared-security's rules that find what opens doors, as against what is personal. */
const SECRET_FAMILIES = new Set([
  "credentials",
  "secrets",
  "private-keys",
  "connection-strings",
  "assignments",
  "commands",
  "webhooks",
]);

function isSecret({ level, rule }: Finding): boolean {
  return level === "S3" || SECRET_FAMILIES.has(rule.slice(0, rule.indexOf("/")));
}

/**
 * Messages as they may leave. `strict` takes out everything private, `relaxed` still every secret: a key in an upload helps
 * nobody.
 */
export function redactMessages(
  messages: readonly PlainMessage[],
  mode: KnowHubConfig["privacyMode"],
): RedactedMessages {
  const counts: RedactionCounts = {};
  const out = messages.map(({ role, content }) => {
    const findings = detect(content).filter((finding) => mode === "strict" || isSecret(finding));
    for (const { type } of findings) counts[type] = (counts[type] ?? 0) + 1;
    return { role, content: replaceFindings(content, findings, (finding) => `[REDACTED:${finding.type}]`) };
  });
  return { messages: out, counts };
}
