/** Which judge grades a prompt, with a cache in front of it. Only text that is S1 ever gets here. */
import { createHash } from "node:crypto";
import { TIERS, type Tier, type TokenSaverConfig } from "../config-file/schema.ts";
import { jsonObjects } from "../detection/answer.ts";
import { LruCache } from "../detection/limits.ts";
import type { LocalModelProtocol } from "../detection/protocols/types.ts";
import type { Judge, JudgeContext, JudgeVerdict } from "../routing/types.ts";

const TIER_SCHEMA = {
  type: "object",
  additionalProperties: false,
  required: ["tier", "confidence", "reason"],
  properties: {
    tier: { type: "string", enum: [...TIERS] },
    confidence: { type: "number" },
    reason: { type: "string" },
  },
} as const;

/** Longest part of a prompt that a judge reads, in characters: head and tail, where the task is said. */
const JUDGE_CHARS = 8_000;
const JUDGE_TIMEOUT_MS = 8_000;

/** The local model with `prompts/token-saver-judge.md`. */
export class LocalLlmJudge implements Judge {
  readonly id = "local-llm";
  private readonly protocol: LocalModelProtocol;
  private readonly prompt: () => string;
  constructor(protocol: LocalModelProtocol, prompt: () => string) {
    this.protocol = protocol;
    this.prompt = prompt;
  }

  /** @throws when the model does not answer in time or gives no tier */
  async classify(prompt: string, context: JudgeContext): Promise<JudgeVerdict> {
    const limit = AbortSignal.timeout(JUDGE_TIMEOUT_MS);
    const signal = context.signal === undefined ? limit : AbortSignal.any([limit, context.signal]);
    const text =
      prompt.length <= JUDGE_CHARS
        ? prompt
        : `${prompt.slice(0, JUDGE_CHARS / 2)}\n…\n${prompt.slice(-JUDGE_CHARS / 2)}`;
    const answer = await this.protocol.ask({
      system: this.prompt(),
      user: `Request to grade:\n${text}`,
      schema: TIER_SCHEMA,
      signal,
    });
    const verdict = parseTier(answer);
    if (verdict === undefined) throw new Error("the judge gave no tier");
    return verdict;
  }
}

export function parseTier(answer: string): JudgeVerdict | undefined {
  for (const value of jsonObjects(answer.replace(/<think>[\s\S]*?<\/think>/gi, ""))) {
    const name = String(value.tier ?? "").toUpperCase();
    const tier = TIERS.find((candidate) => candidate === name);
    if (tier === undefined) continue;
    const confidence =
      typeof value.confidence === "number" ? Math.min(1, Math.max(0, value.confidence)) : 0.7;
    return { tier, confidence, reason: typeof value.reason === "string" ? value.reason.slice(0, 200) : "" };
  }
  return undefined;
}

export interface JudgeSet {
  /** The small trained classifier. */
  embedded: Judge | undefined;
  /** The local model, when one is configured. */
  localLlm: Judge | undefined;
}

/** `auto`: the embedded judge, which is instant; the local model where it is unsure or absent. */
export class CachedJudge {
  private readonly judges: () => JudgeSet;
  private readonly config: () => TokenSaverConfig;
  private readonly now: () => number;
  private readonly cache = new LruCache<{ verdict: JudgeVerdict; at: number }>(10_000);

  constructor(
    judges: () => JudgeSet,
    config: () => TokenSaverConfig,
    now: () => number = () => performance.now(),
  ) {
    this.judges = judges;
    this.config = config;
    this.now = now;
  }

  /** @returns undefined when no judge is there or none answered */
  async classify(
    prompt: string,
    context: JudgeContext,
  ): Promise<(JudgeVerdict & { cached: boolean; judge: string }) | undefined> {
    const { judge, cacheTtlMs } = this.config();
    const key = createHash("sha256")
      .update(`${judge}\n${context.hasTools ?? ""}\n${prompt}`)
      .digest("hex");
    const known = this.cache.get(key);
    if (known !== undefined && this.now() - known.at < cacheTtlMs)
      return { ...known.verdict, cached: true, judge };
    const verdict = await this.ask(judge, prompt, context);
    if (verdict !== undefined) this.cache.set(key, { verdict, at: this.now() });
    return verdict === undefined ? undefined : { ...verdict, cached: false, judge };
  }

  private async ask(
    which: TokenSaverConfig["judge"],
    prompt: string,
    context: JudgeContext,
  ): Promise<JudgeVerdict | undefined> {
    const { embedded, localLlm } = this.judges();
    if (which === "embedded") return embedded?.classify(prompt, context);
    if (which === "local-llm")
      return (await attempt(localLlm, prompt, context)) ?? embedded?.classify(prompt, context);
    const quick = await embedded?.classify(prompt, context);
    if (quick !== undefined && (quick.confidence >= this.config().minConfidence || localLlm === undefined))
      return quick;
    return (await attempt(localLlm, prompt, context)) ?? quick;
  }
}

async function attempt(
  judge: Judge | undefined,
  prompt: string,
  context: JudgeContext,
): Promise<JudgeVerdict | undefined> {
  try {
    return await judge?.classify(prompt, context);
  } catch {
    // A judge that does not answer costs money at most: the default model or the other judge takes the turn.
    return undefined;
  }
}

export type { Tier };
