import { type RestoreStreamOptions, restoreStream, type Vault } from "@clawx/shared-security";
import type { Restorer } from "./restorer.ts";

/**
 * Restores the answer to one request: only S2 values, and only of tokens that stood in the request or belong
 * to its conversation. A token that some page or answer made up, or carried over from another conversation,
 * stays a token.
 *
 * @param wire the request as it was sent
 * @param minted tokens made for this request
 * @param session the conversation, when it is known
 */
export function vaultRestorer(
  vault: Vault,
  wire: string,
  minted: ReadonlySet<string>,
  session: string | undefined,
): Restorer {
  const tokens = new Set(minted);
  for (const use of vault.tokensIn(wire)) tokens.add(use.token);
  let restored = 0;
  const options: RestoreStreamOptions = {
    tokens,
    levels: ["S2"],
    onRestore: () => {
      restored += 1;
    },
    ...(session === undefined ? {} : { session }),
  };
  return {
    whole(text, kind) {
      const stream = restoreStream(vault, { ...options, format: kind });
      return stream.push(text) + stream.end();
    },
    stream: (kind) => restoreStream(vault, { ...options, format: kind }),
    count: () => restored,
  };
}
