/** The token saver: gives a safe turn to the cheapest model that does it, unless a switch would cost more. */
import { TIERS, type Tier, type TokenSaverConfig } from "../config-file/schema.ts";
import type { ClawXrouterRouter, ModelRef, RouterContext, RouterDecision } from "../routing/types.ts";
import type { HostModel } from "../setup/host-view.ts";
import { type BudgetReport, budgetReport, type Spent } from "./budget.ts";
import type { CachedJudge } from "./judges.ts";
import { type PriceSources, priceOf } from "./prices.ts";
import { savingOfSwitch } from "./stickiness.ts";

/** The last request of a conversation. */
export interface LastUse {
  model: ModelRef;
  tier: Tier | undefined;
  /** Tokens of the conversation as the provider counted them. */
  conversationTokens: number;
  at: number;
}

export interface TokenSaverDeps {
  config: () => TokenSaverConfig;
  judge: CachedJudge;
  providerOf: (model: string) => string | undefined;
  find: (ref: ModelRef) => HostModel | undefined;
  /** False for a model that somebody chose for this conversation: a choice is not overridden. */
  isDefault: (ref: Partial<ModelRef>) => boolean;
  prices: () => PriceSources;
  lastUse: (session: string) => LastUse | undefined;
  spent: () => Spent;
  warn: (message: string) => void;
  now?: () => number;
}

/** Tokens of an answer as assumed before it is there. */
const EXPECTED_ANSWER_TOKENS = 600;

export class TokenSaver implements ClawXrouterRouter {
  readonly id = "token-saver";
  private readonly deps: TokenSaverDeps;
  private warnedAt = 0;
  constructor(deps: TokenSaverDeps) {
    this.deps = deps;
  }

  async detect(context: RouterContext): Promise<RouterDecision> {
    const config = this.deps.config();
    if (!config.enabled) return none("switched off");
    if (config.exemptSubagents && context.subagent === true) return none("subagents are exempt");
    if (context.currentModel !== undefined && !this.deps.isDefault(context.currentModel))
      return none("the model was chosen by hand");
    const verdict = await this.deps.judge.classify(context.message, {
      sessionKey: context.sessionKey,
      attachments: context.attachments,
      signal: context.signal,
    });
    if (verdict === undefined) return none("no judge answered");
    if (verdict.confidence < config.minConfidence)
      return {
        ...none(`${verdict.tier}, but unsure (${verdict.confidence.toFixed(2)})`),
        tier: verdict.tier,
      };
    const budget = this.checkBudget(config);
    const wanted =
      budget.state === "exceeded" && config.budget.onExceeded === "downgrade" ? "SIMPLE" : verdict.tier;
    const fit = this.fitting(wanted, context);
    if (fit === undefined)
      return { ...none(`${wanted}: no configured model of this tier or above fits`), tier: wanted };
    const why = `${wanted} (${verdict.reason || verdict.judge})${wanted === verdict.tier ? "" : `, downgraded from ${verdict.tier}: budget ${budget.text}`}`;
    const stay = wanted === verdict.tier ? this.reasonToStay(fit, wanted, context) : undefined;
    if (stay !== undefined) {
      return {
        level: "S1",
        action: "redirect",
        target: stay.model,
        tier: wanted,
        confidence: verdict.confidence,
        reason: `${why}; ${stay.reason}`,
      };
    }
    return {
      level: "S1",
      action: "redirect",
      target: fit,
      tier: wanted,
      confidence: verdict.confidence,
      reason: why,
    };
  }

  /** The tier's model, or that of the next tier up that can take the turn: images, context window, tools. */
  private fitting(tier: Tier, given: RouterContext): ModelRef | undefined {
    const { tiers } = this.deps.config();
    const last = given.sessionKey === undefined ? undefined : this.deps.lastUse(given.sessionKey);
    const context = { ...given, conversationTokens: given.conversationTokens ?? last?.conversationTokens };
    for (const name of TIERS.slice(TIERS.indexOf(tier))) {
      const { model, provider = this.deps.providerOf(model) } = tiers[name];
      if (provider === undefined) continue;
      const known = this.deps.find({ provider, model });
      if (known !== undefined && takes(known, context)) return { provider, model };
    }
    return undefined;
  }

  private reasonToStay(
    fit: ModelRef,
    tier: Tier,
    context: RouterContext,
  ): { model: ModelRef; reason: string } | undefined {
    if (!this.deps.config().stickiness || context.sessionKey === undefined) return undefined;
    const last = this.deps.lastUse(context.sessionKey);
    if (last === undefined || (last.model.provider === fit.provider && last.model.model === fit.model))
      return undefined;
    // A harder task than the current model is meant for is worth a switch whatever it costs.
    if (last.tier !== undefined && TIERS.indexOf(tier) > TIERS.indexOf(last.tier)) return undefined;
    const current = this.deps.find(last.model);
    if (current === undefined || !takes(current, context)) return undefined;
    const sources = this.deps.prices();
    const saving = savingOfSwitch({
      conversationTokens: last.conversationTokens,
      messageTokens: tokensOf(context.message),
      answerTokens: EXPECTED_ANSWER_TOKENS,
      idleMs: (this.deps.now ?? Date.now)() - last.at,
      from: priceOf(last.model, sources),
      to: priceOf(fit, sources),
    });
    if (saving !== undefined && saving > 0) return undefined;
    const reason =
      saving === undefined
        ? "a switch may cost more than it saves (price unknown)"
        : `a switch would cost ${(-saving).toFixed(4)} USD more`;
    return { model: last.model, reason: `stays on ${last.model.provider}/${last.model.model}: ${reason}` };
  }

  private checkBudget(config: TokenSaverConfig): BudgetReport {
    const report = budgetReport(this.deps.spent(), config.budget);
    const now = (this.deps.now ?? Date.now)();
    if ((report.state === "warn" || report.state === "exceeded") && now - this.warnedAt > 3_600_000) {
      this.warnedAt = now;
      this.deps.warn(`budget ${report.state === "warn" ? "nearly used" : "used up"}: ${report.text}`);
    }
    return report;
  }
}

/** Tokens of a text, rather too many: three letters make one, a character of Chinese, Japanese or Korean is one. */
function tokensOf(text: string): number {
  const wide = text.match(/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g)?.length ?? 0;
  return Math.ceil(wide + (text.length - wide) / 3);
}

function takes(model: HostModel, context: RouterContext): boolean {
  if (context.attachments?.some((a) => a.kind === "image") === true && !model.input.includes("image"))
    return false;
  if (model.supportsTools === false) return false;
  const need = (context.conversationTokens ?? 0) + tokensOf(context.message) + (model.maxTokens ?? 4_096);
  return model.contextWindow === undefined || need <= model.contextWindow;
}

function none(reason: string): RouterDecision {
  return { level: "S1", action: "passthrough", reason };
}
