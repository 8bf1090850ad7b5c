import type { Vault } from "@clawx/shared-security";

/**
 * What the host's own redactor makes of a placeholder that stands where it expects a secret (`SLACK_TOKEN=…`,
 * `Authorization: Bearer …`): the first 6 characters, `…`, the last 4; sometimes the bracket is not counted.
 * Seen in transcripts of OpenClaw 2026.9.6.
 */
const CUT = /\[(REDAC|PRIVA)(?:…|\\u2026)([A-Z0-9_]{3,4})\]/g;
/** `…` as text, as an escape of JSON, and in UTF-8 read byte by byte. */
const ELLIPSES = ["…", "\\u2026", Buffer.from("…").toString("latin1")];
/** A shorter text the host replaces by `***`: nothing is left to tell it by. */
const CUT_FROM = 18;

/**
 * Whether a body holds what may be a cut placeholder; quick.
 * @param json text, or UTF-8 with a character for each byte
 */
export function mayBeCut(json: string): boolean {
  return ["[REDAC", "[PRIVA"].some(
    (start) => json.includes(start) && ELLIPSES.some((ellipsis) => json.includes(start + ellipsis)),
  );
}

/**
 * Puts whole placeholders of a conversation in the place of cut ones, where only one of them can be meant: neither a model
 * nor the way back could do anything with the rest. Works on the JSON text: a placeholder needs no escape in it.
 */
export function mendCut(json: string, vault: Vault, session: string | undefined): string {
  if (session === undefined || !mayBeCut(json)) return json;
  const known = new Map<string, string>();
  return json.replace(CUT, (cut, word: string, end: string) => {
    const whole = known.get(cut) ?? onlyOne(vault, session, `[${word}`, `${end}]`) ?? cut;
    known.set(cut, whole);
    return whole;
  });
}

/** The one placeholder of a conversation that begins and ends so; undefined when there is none, or more than one. */
function onlyOne(vault: Vault, session: string, start: string, end: string): string | undefined {
  let found: string | undefined;
  for (const token of vault.tokensOf(session)) {
    if (token.length < CUT_FROM || !token.startsWith(start) || !token.endsWith(end)) continue;
    if (found !== undefined && found !== token) return undefined;
    found = token;
  }
  return found;
}
