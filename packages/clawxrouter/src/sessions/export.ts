/** The two tracks of a conversation, as the design draws them: `full` with every value, `clean` as a cloud model may see it. */
import type { Conversation } from "../vault-store/conversation.ts";

export type Track = "full" | "clean";

/**
 * One transcript event per line. The host's transcript holds placeholders already: that is the clean track.
 * @param events the host's transcript events, in order
 * @returns JSON Lines
 */
export function exportTrack(
  events: readonly unknown[],
  track: Track,
  talk: Conversation,
  redact: (text: string) => string,
): string {
  const map = track === "full" ? (text: string) => talk.restore(text) : redact;
  return events.map((event) => `${JSON.stringify(mapStrings(event, map))}\n`).join("");
}

function mapStrings(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === "string") return map(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, map));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapStrings(item, map)]));
  }
  return value;
}

/** A file name for any session key, never the same for two. */
export function sessionFileName(sessionKey: string): string {
  return `${encodeURIComponent(sessionKey).replaceAll("%", "=").replaceAll("*", "=2A")}.jsonl`;
}
