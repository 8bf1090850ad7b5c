import { openPayload, restoreStream, type Vault, type WireProtocol } from "@clawx/shared-security";
import type { JsonObject } from "../json.ts";
import { segmentsOf } from "./segments.ts";
import { Turns } from "./turns.ts";
import { windowsOf } from "./windows.ts";

/** Piece of a text restored at once, in UTF-16 units. */
const PIECE = 64 * 1024;

/** Of a request whose conversation is not known no token may be turned back. */
const NO_TOKENS: ReadonlySet<string> = new Set();

/**
 * De-tokenises a request to a local model: there the model works on the real values, private ones too. Only of its own
 * conversation: a placeholder carried over from another one stays one.
 *
 * @param session the conversation; undefined when it is not known: then every placeholder stays
 * @returns the body to send, and whether it holds anything private, as a token or in the clear
 * @throws PayloadError when the body is nested too deep
 */
export async function restoreRequest(
  body: JsonObject,
  protocol: WireProtocol,
  vault: Vault,
  session: string | undefined,
): Promise<{ body: JsonObject; isPrivate: boolean }> {
  const payload = openPayload(body, protocol);
  const texts = new Map<unknown, string>();
  const turns = new Turns();
  let isPrivate = false;
  for (const leaf of payload.leaves) {
    if (turns.due()) await turns.pause();
    if (await holdsToken(leaf.text, vault, turns)) {
      const stream = restoreStream(vault, session === undefined ? { tokens: NO_TOKENS } : { session });
      const restored: string[] = [];
      for (let at = 0; at < leaf.text.length; at += PIECE) {
        const piece = stream.push(leaf.text.slice(at, at + PIECE));
        // V8 keeps a text put together of thousands of parts as a tree until it is read: here and now, not all at once.
        piece.charCodeAt(piece.length - 1);
        restored.push(piece);
        if (turns.due()) await turns.pause();
      }
      texts.set(leaf, restored.join("") + stream.end());
      isPrivate = true;
    } else if (!isPrivate) isPrivate = await holdsKnown(leaf.text, vault, turns);
  }
  const rewritten = payload.rewrite((leaf) => texts.get(leaf) ?? leaf.text);
  return { body: rewritten.changed ? (rewritten.body as JsonObject) : body, isPrivate };
}

async function holdsToken(text: string, vault: Vault, turns: Turns): Promise<boolean> {
  for (const segment of segmentsOf(text, [])) {
    if (turns.due()) await turns.pause();
    if (vault.tokensIn(segment.text).length > 0) return true;
  }
  return false;
}

async function holdsKnown(text: string, vault: Vault, turns: Turns): Promise<boolean> {
  for (const window of windowsOf({ text, kind: "leaf" })) {
    if (turns.due()) await turns.pause();
    if (vault.holdsKnown(window.text)) return true;
  }
  return false;
}
