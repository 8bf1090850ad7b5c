/** The last safe turns graded anew under other settings: what they would have cost. Nothing leaves this machine. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { Value } from "@sinclair/typebox/value";
import { TIERS, type Tier, type TokenSaverConfig, TokenSaverSchema } from "../config-file/schema.ts";
import { costOf, type PriceSources, priceOf } from "../cost/prices.ts";
import type { Engine } from "../engine/engine.ts";
import type { replayable } from "../ledger/queries.ts";

type RecordedTurn = ReturnType<typeof replayable>[number];

interface Side {
  tier: Tier | null;
  provider: string | null;
  model: string | null;
  usd: number | null;
}

export interface Replay {
  turns: number;
  spentUsd: number;
  wouldUsd: number;
  comparable: number;
  changed: number;
  incomplete: boolean;
  rows: { detection: number; at: number; text: string; was: Side; would: Side }[];
}

/** The settings for a replay are not valid. */
export class ReplayError extends Error {
  override readonly name = "ReplayError";
  readonly path: string;
  constructor(path: string, message: string) {
    super(message);
    this.path = path;
  }
}

const BUDGET_MS = 20_000;
const TURN_MS = 10;
const SHOWN_CHARS = 160;

/**
 * @param change merged over `tokenSaver` of the settings in force
 * @throws ReplayError naming the setting that is wrong
 */
export async function replay(
  engine: Engine,
  turns: readonly RecordedTurn[],
  change: Readonly<Record<string, unknown>>,
): Promise<Replay> {
  const config = settingsOf(engine.config().tokenSaver, change);
  const prices: PriceSources = { ...engine.cost.prices(), configured: config.prices };
  const judge = engine.cost.judgeFor(() => config);
  const result: Replay = {
    turns: 0,
    spentUsd: 0,
    wouldUsd: 0,
    comparable: 0,
    changed: 0,
    incomplete: false,
    rows: [],
  };
  const started = performance.now();
  let turn = started;
  for (const recorded of turns) {
    if (performance.now() - started > BUDGET_MS) {
      result.incomplete = true;
      break;
    }
    if (performance.now() - turn > TURN_MS) {
      await nextTurn();
      turn = performance.now();
    }
    const text = recorded.text ?? "";
    const was = sideAsWas(recorded);
    const verdict = config.enabled ? await judge.classify(text, {}) : undefined;
    const tier = verdict !== undefined && verdict.confidence >= config.minConfidence ? verdict.tier : null;
    const model = tier === null ? undefined : modelOf(engine, config, tier);
    const would = sideWith(engine, recorded, tier, model, prices);
    result.turns += 1;
    if (was.provider !== would.provider || was.model !== would.model) result.changed += 1;
    if (was.usd !== null && would.usd !== null) {
      result.comparable += 1;
      result.spentUsd += was.usd;
      result.wouldUsd += would.usd;
    }
    result.rows.push({
      detection: recorded.id,
      at: recorded.at,
      text: text.slice(0, SHOWN_CHARS),
      was,
      would,
    });
  }
  return result;
}

function settingsOf(now: TokenSaverConfig, change: Readonly<Record<string, unknown>>): TokenSaverConfig {
  const value: unknown = merge(now, change);
  const fault = Value.Errors(TokenSaverSchema, value).First();
  if (fault !== undefined) throw new ReplayError(`/settings${fault.path}`, fault.message);
  return value as TokenSaverConfig;
}

function merge(under: unknown, over: unknown): unknown {
  if (!isRecord(under) || !isRecord(over)) return over;
  const out: Record<string, unknown> = { ...under };
  for (const [key, value] of Object.entries(over)) {
    if (key === "__proto__") throw new ReplayError("/settings", "__proto__ is no setting");
    out[key] = merge(Object.hasOwn(under, key) ? under[key] : undefined, value);
  }
  return out;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function sideAsWas(recorded: RecordedTurn): Side {
  const [first] = recorded.uses;
  const known = recorded.uses.length > 0 && recorded.uses.every((use) => use.usd !== null);
  return {
    tier: TIERS.find((tier) => tier === recorded.tier) ?? null,
    provider: first?.provider ?? recorded.provider,
    model: first?.model ?? recorded.model,
    usd: known ? recorded.uses.reduce((sum, use) => sum + (use.usd ?? 0), 0) : null,
  };
}

/** The tier's model, or the next tier's up that the host has; as {@link TokenSaver}, without a conversation. */
function modelOf(
  engine: Engine,
  config: TokenSaverConfig,
  tier: Tier,
): { provider: string; model: string } | undefined {
  for (const name of TIERS.slice(TIERS.indexOf(tier))) {
    const { model, provider = engine.models.providerOf(model) } = config.tiers[name];
    if (provider !== undefined && engine.models.find({ provider, model }) !== undefined)
      return { provider, model };
  }
  return undefined;
}

/** The same tokens at another model; without one the host's default stays. */
function sideWith(
  engine: Engine,
  recorded: RecordedTurn,
  tier: Tier | null,
  model: { provider: string; model: string } | undefined,
  prices: PriceSources,
): Side {
  const target = model ?? engine.models.defaultModel();
  const price = target === undefined ? undefined : priceOf(target, prices);
  let usd: number | null = recorded.uses.length > 0 && price !== undefined ? 0 : null;
  for (const use of recorded.uses) {
    const usage = {
      inputTokens: use.input,
      outputTokens: use.output,
      cacheReadTokens: use.cacheRead,
      cacheWriteTokens: use.cacheWrite,
    };
    const cost = costOf(usage, price, use.api ?? "openai-completions");
    usd = usd === null || cost === undefined ? null : usd + cost;
  }
  return { tier, provider: target?.provider ?? null, model: target?.model ?? null, usd };
}
