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
  const count = (type: string) => {
    counts[type] = (counts[type] ?? 0) + 1;
  };
  const out = messages.map(({ role, content }) => {
    const findings = detect(content).filter((finding) => mode === "strict" || isSecret(finding));
    for (const { type } of findings) count(type);
    const redacted = replaceFindings(content, findings, (finding) => `[REDACTED:${finding.type}]`);
    return { role, content: hideExports(redacted, count) };
  });
  return { messages: out, counts };
}

/** A value that a shell puts into the environment, but for paths, references, numbers and switches. */
const EXPORT = /(\bexport\s+[A-Za-z_]\w*=)("[^"\n]*"|'[^'\n]*'|[^\s;&|]+)/g;
const HARMLESS = /^["']?(?:[$/~.][^\s"']*|\d+|true|false|yes|no|on|off|\[REDACTED:[A-Z_]+\])?["']?$/i;

/**
 * Whatever is exported is taken for a secret: a name like DB_PASSWORD tells, `export NAME=…` does not, and an experience needs the
 * name, never the value.
 */
function hideExports(text: string, count: (type: string) => void): string {
  return text.replace(EXPORT, (whole, head: string, value: string) => {
    if (HARMLESS.test(value)) return whole;
    count("ENV_VALUE");
    return `${head}[REDACTED:ENV_VALUE]`;
  });
}
