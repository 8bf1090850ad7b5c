import type { KnowledgeRecord } from "../record/schema.ts";
import type { Screener } from "../safety/screen.ts";
import type { ItemFilter, KnowledgeStore } from "../store/knowledge-store.ts";
import { queryTokens, tokenise } from "../text/tokenise.ts";
import { formatItems } from "../tools/format.ts";
import type { Language } from "../tools/messages.ts";

/** Most items volunteered. */
const MAX_ITEMS = 3;

/** Share of the message's words that an item must hold … */
const MIN_SHARE = 0.4;
/** … of which so many are looked at: a long message is about more than one thing. */
const MAX_ASKED = 10;
/** Lowest score of a volunteered item. */
const MIN_SCORE = 3;

/**
 * Items to show unasked for a user's message: framed, screened, and only such that a human verified or an agent of this
 * gateway saved itself. What came from a server, over the wire, from an import or out of a conversation is shown only when
 * searched for.
 */
export function volunteer(
  message: string,
  by: { store: KnowledgeStore; screener: Screener; language: Language; now: number },
): string | undefined {
  const filter: ItemFilter = { origin: "", minScore: MIN_SCORE, trusts: ["own", "verified"] };
  const items = by.store
    .search(message.slice(0, 2_000), 20, filter, by.now)
    .map(({ item }) => item)
    .filter((item) => item.belief >= 0.5 && fits(message, item.record) && !by.screener.check(item.record))
    .slice(0, MAX_ITEMS)
    .map(({ record, trust }) => ({ record, trust }));
  return items.length === 0 ? undefined : formatItems(items, by.language);
}

/** Whether an item is about what a message says, and does not only share a common word with it. */
function fits(message: string, { task, content }: KnowledgeRecord): boolean {
  const asked = queryTokens(message, 40);
  const held = new Set(tokenise(`${task}\n${content}`));
  const shared = asked.filter((token) => held.has(token)).length;
  return shared >= Math.max(2, Math.ceil(MIN_SHARE * Math.min(asked.length, MAX_ASKED)));
}
