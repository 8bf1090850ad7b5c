import { type RestoreStreamOptions, restoreStream, type Vault } from "@clawx/shared-security";
import type { Restorer } from "./restorer.ts";

/**
 * Restores the answer to one request: only S2 values, and only of tokens that belong to its conversation or were put in
 * for what the request itself said. A token that some page or answer made up, or that was carried over from another
 * conversation, stays a token.
 *
 * @param tokens placeholders put in for values of this request; not all that stand in it
 * @param session the conversation, when it is known
 */
export function vaultRestorer(
  vault: Vault,
  tokens: ReadonlySet<string>,
  session: string | undefined,
): Restorer {
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
