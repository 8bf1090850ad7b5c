import { setTimeout as sleep } from "node:timers/promises";

export interface RetryPolicy {
  max: number;
  base_delay_ms: number;
  max_delay_ms: number;
}

/** HTTP statuses after which the same request may succeed a moment later. */
export const RETRY_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * Reads `Retry-After` (RFC 9110 section 10.2.3): seconds or an HTTP date.
 *
 * @returns milliseconds to wait, or undefined when absent or unreadable
 */
export function parseRetryAfter(value: string | undefined, now = Date.now()): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/**
 * Milliseconds before attempt `attempt + 1`: exponential with full jitter between half and whole, or what
 * the server asked for; never more than the policy's maximum.
 */
export function retryDelay(
  policy: RetryPolicy,
  attempt: number,
  retryAfterMs?: number,
  random = Math.random,
): number {
  if (retryAfterMs !== undefined) return Math.min(retryAfterMs, policy.max_delay_ms);
  const full = Math.min(policy.base_delay_ms * 2 ** attempt, policy.max_delay_ms);
  return Math.round(full * (0.5 + random() / 2));
}

/** Waits; ends early with the signal's reason when aborted. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  if (ms > 0) await sleep(ms, undefined, signal ? { signal } : undefined);
}
