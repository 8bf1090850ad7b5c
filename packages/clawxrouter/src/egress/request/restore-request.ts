import { restoreStream, type Vault } from "@clawx/shared-security";
import type { JsonObject } from "../json.ts";
import { collectLeaves } from "./leaves.ts";
import { Turns } from "./turns.ts";

/**
 * De-tokenises a request to a local model in place: there the model works on the real values, private ones too.
 *
 * @param session the conversation; when it is known only its own tokens are turned back
 * @returns whether the request holds anything private, as a token or in the clear
 */
export async function restoreRequest(
  body: JsonObject,
  vault: Vault,
  session: string | undefined,
): Promise<boolean> {
  const found = collectLeaves(body);
  let isPrivate = false;
  const turns = new Turns();
  for (const leaf of found.leaves) {
    if (turns.due()) await turns.pause();
    if (vault.tokensIn(leaf.text).length > 0) {
      const stream = restoreStream(vault, session === undefined ? {} : { session });
      leaf.replace(stream.push(leaf.text) + stream.end());
      isPrivate = true;
    } else if (!isPrivate && vault.holdsKnown(leaf.text)) {
      isPrivate = true;
    }
  }
  found.commit();
  return isPrivate;
}
