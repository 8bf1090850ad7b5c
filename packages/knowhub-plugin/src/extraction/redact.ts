import { detect, replaceFindings } from "@clawx/shared-security";
import type { KnowHubConfig } from "../config.ts";
import type { PlainMessage } from "./messages.ts";

/** What was taken out of an upload: how many of each type, never the values. */
export type RedactionCounts = Record<string, number>;

export interface RedactedMessages {
  messages: PlainMessage[];
  counts: RedactionCounts;
}

/**
 * Messages as they may leave. `strict` takes out everything private, `relaxed` still what is a secret (level S3): a key in
 * an upload helps nobody.
 */
export function redactMessages(
  messages: readonly PlainMessage[],
  mode: KnowHubConfig["privacyMode"],
): RedactedMessages {
  const counts: RedactionCounts = {};
  const out = messages.map(({ role, content }) => {
    const findings = detect(content).filter((finding) => mode === "strict" || finding.level === "S3");
    for (const { type } of findings) counts[type] = (counts[type] ?? 0) + 1;
    return { role, content: replaceFindings(content, findings, (finding) => `[REDACTED:${finding.type}]`) };
  });
  return { messages: out, counts };
}
