/** What a request costs, by provider and model. A price that is not known stays unknown; nothing is guessed. */
import type { Price } from "../config-file/schema.ts";
import type { Usage } from "../egress/types.ts";
import type { ModelRef } from "../routing/types.ts";

export interface PriceSources {
  /** `tokenSaver.prices`, keys `provider/model`. */
  configured: Readonly<Record<string, Price>>;
  /** The host's own `cost` of a model in models.providers, USD a million tokens. */
  host: (ref: ModelRef) => Partial<Price> | undefined;
  isLocal: (provider: string) => boolean;
}

/**
 * The price of a model at a provider, never of its namesake elsewhere.
 * The host writes zeros where it knows nothing: zeros are a price only for local models.
 */
export function priceOf(ref: ModelRef, sources: PriceSources): Price | undefined {
  const configured = sources.configured[`${ref.provider}/${ref.model}`];
  if (configured !== undefined) return configured;
  const host = sources.host(ref);
  if (sources.isLocal(ref.provider))
    return { input: host?.input ?? 0, output: host?.output ?? 0, cacheRead: 0, cacheWrite: 0 };
  if (host?.input === undefined || host.output === undefined) return undefined;
  if (host.input === 0 && host.output === 0) return undefined;
  return { input: host.input, output: host.output, cacheRead: host.cacheRead, cacheWrite: host.cacheWrite };
}

/** Whether an API counts cached tokens within its input tokens. Anthropic counts them apart. */
export function cacheIsWithinInput(api: string): boolean {
  return api !== "anthropic-messages";
}

/** USD; undefined when the price or the usage is not known. */
export function costOf(usage: Usage | undefined, price: Price | undefined, api: string): number | undefined {
  if (usage?.inputTokens === undefined || price === undefined) return undefined;
  const read = usage.cacheReadTokens ?? 0;
  const write = usage.cacheWriteTokens ?? 0;
  const fresh = cacheIsWithinInput(api) ? Math.max(0, usage.inputTokens - read - write) : usage.inputTokens;
  const sum =
    fresh * price.input +
    read * (price.cacheRead ?? price.input) +
    write * (price.cacheWrite ?? price.input) +
    (usage.outputTokens ?? 0) * price.output;
  return sum / 1_000_000;
}
