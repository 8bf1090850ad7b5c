import { asObject } from "../json.ts";
import { openaiUsage } from "./openai-chat.ts";
import type { Protocol } from "./types.ts";

/** Embeddings and metadata calls: nothing in the answer is model text, nothing streams. */
const plain = (id: Protocol["id"]): Protocol => ({
  id,
  framing: "sse",
  jsonKeys: new Set(),
  wantsStream: () => false,
  plan: () => ({ slots: [], closes: [], whole: false }),
  usage: (value) => openaiUsage(asObject(value.usage)),
  completion: (text) => ({
    error: { message: text, type: "clawxrouter_refused", code: "clawxrouter_refused" },
  }),
  streamOf: (completion) => [{ event: undefined, data: completion }],
});

/** @see https://platform.openai.com/docs/api-reference/embeddings */
export const openaiEmbeddings: Protocol = plain("openai-embeddings");

/** Model lists and versions: requests without a body. */
export const meta: Protocol = plain("meta");
