/**
 * Whether changing the model in the middle of a conversation saves more than it costs: the new model reads the
 * whole conversation without a prompt cache, the old one would read most of it from its cache.
 */
import type { Price } from "../config-file/schema.ts";

export interface SwitchQuestion {
  /** Tokens of the conversation so far. */
  conversationTokens: number;
  /** Tokens of the new message. */
  messageTokens: number;
  /** Expected tokens of the answer. */
  answerTokens: number;
  /** Milliseconds since the last request of the conversation. */
  idleMs: number;
  from: Price | undefined;
  to: Price | undefined;
}

/** Providers keep a prompt cache for about this long. */
const CACHE_LIFETIME_MS = 5 * 60_000;

/**
 * @returns USD saved by switching (negative: it costs more); undefined when a price is unknown
 */
export function savingOfSwitch(q: SwitchQuestion): number | undefined {
  if (q.from === undefined || q.to === undefined) return undefined;
  const warm = q.idleMs < CACHE_LIFETIME_MS;
  const reread = warm ? (q.from.cacheRead ?? q.from.input) : (q.from.cacheWrite ?? q.from.input);
  const stay =
    q.conversationTokens * reread + q.messageTokens * q.from.input + q.answerTokens * q.from.output;
  const first = q.to.cacheWrite ?? q.to.input;
  const go = (q.conversationTokens + q.messageTokens) * first + q.answerTokens * q.to.output;
  return (stay - go) / 1_000_000;
}
