/** Cost: judge, token saver, prices, budget, as the engine puts them together. */
import type { RouterConfig, TokenSaverConfig } from "../config-file/schema.ts";
import { periodsOf } from "../cost/budget.ts";
import { CachedJudge, type JudgeSet, LocalLlmJudge } from "../cost/judges.ts";
import { costOf, type PriceSources, priceOf } from "../cost/prices.ts";
import { type LastUse, TokenSaver } from "../cost/token-saver.ts";
import { LruCache } from "../detection/limits.ts";
import { OllamaNative } from "../detection/protocols/ollama-native.ts";
import { OpenAICompatible } from "../detection/protocols/openai-compatible.ts";
import type { EgressEvent, EndEvent, ForwardEvent } from "../egress/index.ts";
import { EmbeddedJudge } from "../judge/index.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { Judge, Tier } from "../routing/types.ts";
import { isLocalUrl } from "../setup/local-host.ts";
import type { HostModels } from "./models.ts";

export interface CostServiceDeps {
  config: () => RouterConfig;
  models: HostModels;
  ledger: () => Ledger;
  judgePrompt: () => string;
  /** Another judge in the embedded one's place, for tests. */
  embeddedJudge: Judge | undefined;
  warn: (message: string) => void;
}

export class CostService {
  readonly tokenSaver: TokenSaver;
  private readonly deps: CostServiceDeps;
  private readonly judges: () => JudgeSet;
  private readonly last = new LruCache<LastUse>(5_000);
  private readonly forwards = new LruCache<ForwardEvent>(5_000);
  private readonly tiers = new LruCache<Tier>(5_000);
  private local: { key: string; judge: Judge } | undefined;

  constructor(deps: CostServiceDeps) {
    this.deps = deps;
    let embedded = deps.embeddedJudge;
    this.judges = () => {
      // The model is read when the first prompt has to be graded, not when the plugin is loaded.
      embedded ??= new EmbeddedJudge();
      return { embedded, localLlm: this.localJudge() };
    };
    this.tokenSaver = new TokenSaver({
      config: () => deps.config().tokenSaver,
      judge: this.judgeFor(() => deps.config().tokenSaver),
      providerOf: (model) => deps.models.providerOf(model),
      find: (ref) => deps.models.find(ref),
      isDefault: (ref) => deps.models.isDefault(ref),
      prices: () => this.prices(),
      lastUse: (session) => this.last.get(session),
      spent: () => this.spent(),
      warn: deps.warn,
    });
  }

  /** The judges under other settings than those in force, for a replay. */
  judgeFor(settings: () => TokenSaverConfig): CachedJudge {
    return new CachedJudge(this.judges, settings);
  }

  /** USD of a finished request; undefined when its price is unknown. */
  price(forward: ForwardEvent, end: EndEvent): number | undefined {
    const ref = { provider: forward.providerId ?? "", model: forward.model ?? "" };
    return costOf(end.usage, priceOf(ref, this.prices()), forward.api);
  }

  /** USD of the same tokens at the host's default model; undefined when that is unknown. */
  baseline(forward: ForwardEvent, end: EndEvent): number | undefined {
    // Embeddings are no work for a chat model: they would have cost what they did.
    if (/embed/i.test(forward.endpoint)) return this.price(forward, end);
    const model = this.deps.models.defaultModel();
    return model === undefined ? undefined : costOf(end.usage, priceOf(model, this.prices()), forward.api);
  }

  prices(): PriceSources {
    const { models, config } = this.deps;
    return {
      configured: config().tokenSaver.prices,
      host: (ref) => models.find(ref)?.cost,
      isLocal: (provider) => models.isLocal(provider),
    };
  }

  spent(): { dayUsd: number; monthUsd: number } {
    const { day, month } = periodsOf(Date.now());
    const { budget } = this.deps.config().tokenSaver;
    const ledger = this.deps.ledger();
    return {
      dayUsd: budget.dayUsd === undefined ? 0 : ledger.spentSince(day),
      monthUsd: budget.monthUsd === undefined ? 0 : ledger.spentSince(month),
    };
  }

  /** Remembers the tier that a session's turn was given. */
  tierOf(session: string, tier: Tier | undefined): void {
    if (tier !== undefined) this.tiers.set(session, tier);
  }

  /** Keeps what each conversation last used, for stickiness. */
  observe(event: EgressEvent): void {
    if (event.kind === "forward") this.forwards.set(event.requestId, event);
    if (event.kind !== "end" || event.session === undefined || event.usage?.inputTokens === undefined) return;
    const forward = this.forwards.get(event.requestId);
    if (forward?.model === undefined || forward.providerId === undefined || forward.local) return;
    this.last.set(event.session, {
      model: { provider: forward.providerId, model: forward.model },
      tier: this.tiers.get(event.session),
      conversationTokens: event.usage.inputTokens + (event.usage.outputTokens ?? 0),
      at: event.at,
    });
  }

  /** The local model as a judge: only when one is configured, and only on this machine. */
  private localJudge(): Judge | undefined {
    const { privacy } = this.deps.config();
    const { enabled, type, endpoint, model, apiKeyEnv } = privacy.localModel;
    if (!enabled || type === "custom" || !isLocalUrl(endpoint, privacy.localHosts)) return undefined;
    const key = `${type} ${endpoint} ${model} ${apiKeyEnv ?? ""}`;
    if (this.local?.key !== key) {
      const apiKey = apiKeyEnv === undefined ? undefined : process.env[apiKeyEnv];
      const protocol =
        type === "ollama-native"
          ? new OllamaNative({ endpoint, model })
          : new OpenAICompatible({ endpoint, model, apiKey });
      this.local = { key, judge: new LocalLlmJudge(protocol, this.deps.judgePrompt) };
    }
    return this.local.judge;
  }
}
