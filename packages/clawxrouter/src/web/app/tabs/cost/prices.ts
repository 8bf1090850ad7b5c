/** Prices as the user wrote them, over what the host knows. */
import type { Models } from "../../../contract.ts";
import type { Settings } from "../../state/settings.ts";

export type Prices = Settings["tokenSaver"]["prices"];
export type OwnPrice = Prices[string];
export const PRICE_FIELDS = ["input", "output", "cacheRead", "cacheWrite"] as const;
export type PriceField = (typeof PRICE_FIELDS)[number];

export interface PriceRow {
  /** `provider/model`, as in the settings. */
  key: string;
  own: Partial<OwnPrice> | undefined;
  /** What holds without the user's own; undefined: unknown. */
  host: Partial<Record<PriceField, number>> | undefined;
  from: "settings" | "host" | "local" | undefined;
}

/** Every model of the host, then prices of models that the host does not list. */
export function priceRows(prices: Prices, models: Models | undefined): PriceRow[] {
  const listed = (models?.providers ?? []).flatMap((provider) =>
    provider.models.map((model): PriceRow => {
      const key = `${provider.id}/${model.id}`;
      const own = prices[key];
      const known = model.priceFrom === "settings" ? undefined : model.price;
      return {
        key,
        own,
        host: known === null || known === undefined ? undefined : present(known),
        from: own !== undefined ? "settings" : (model.priceFrom ?? undefined),
      };
    }),
  );
  const rest = Object.keys(prices).filter((key) => !listed.some((row) => row.key === key));
  return [
    ...listed,
    ...rest.map((key): PriceRow => ({ key, own: prices[key], host: undefined, from: "settings" })),
  ];
}

function present(price: Readonly<Record<PriceField, number | null>>): Partial<Record<PriceField, number>> {
  return Object.fromEntries(
    PRICE_FIELDS.flatMap((field) => (price[field] === null ? [] : [[field, price[field]]])),
  );
}

/** A copy with one field of one price changed; a price without any field goes away. */
export function withPrice(prices: Prices, key: string, field: PriceField, value: number | undefined): Prices {
  const copy: Record<string, Partial<OwnPrice>> = { ...prices };
  const own = { ...copy[key] };
  if (value === undefined) delete own[field];
  else own[field] = value;
  if (Object.keys(own).length === 0) delete copy[key];
  else copy[key] = own;
  // Half a price is kept while it is typed; it cannot be saved: see halfPriced.
  return copy as Prices;
}

/** Whether a price lacks its input or its output side. */
export function halfPriced(prices: Prices): boolean {
  return Object.values(prices).some(
    (price) => typeof price.input !== "number" || typeof price.output !== "number",
  );
}

/** The price that a tier's model has. */
export function priceOf(
  reference: { provider?: string | undefined; model: string },
  prices: Prices,
  models: Models | undefined,
): { input: number; output: number } | undefined {
  const row = priceRows(prices, models).find(
    ({ key }) =>
      (reference.provider === undefined && key.endsWith(`/${reference.model}`)) ||
      key === `${reference.provider}/${reference.model}`,
  );
  const input = row?.own?.input ?? row?.host?.input;
  const output = row?.own?.output ?? row?.host?.output;
  return input === undefined || output === undefined ? undefined : { input, output };
}
