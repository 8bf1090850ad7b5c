/** What the host's config says of its models, as routing and the proxy ask for it. */
import type { RouterConfig } from "../config-file/schema.ts";
import { isProxyBaseUrl } from "../egress/base-url.ts";
import { isCloudModel } from "../egress/cloud-models.ts";
import type { EgressApi, Upstream } from "../egress/types.ts";
import { EGRESS_APIS } from "../egress/types.ts";
import type { ModelDirectory } from "../routing/decide.ts";
import type { ModelRef } from "../routing/types.ts";
import { type HostModel, type HostView, modelsNamed } from "../setup/host-view.ts";
import { type Locality, providerLocality, trueUrlOf } from "../setup/locality.ts";

export class HostModels implements ModelDirectory {
  private readonly host: () => HostView;
  private readonly config: () => RouterConfig;
  constructor(host: () => HostView, config: () => RouterConfig) {
    this.host = host;
    this.config = config;
  }

  isLocal(provider: string | undefined): boolean {
    return provider !== undefined && this.locality(provider).local;
  }

  /** Whether a provider keeps text on this machine, and why. */
  locality(provider: string): Locality {
    return providerLocality(provider, this.host(), this.config());
  }

  /** Whether requests of a provider pass the egress proxy. */
  isProtected(provider: string | undefined): boolean {
    if (provider === undefined) return false;
    const baseUrl = this.host().providers.get(provider)?.baseUrl;
    return (
      baseUrl !== undefined &&
      isProxyBaseUrl(baseUrl) &&
      this.config().managed.upstreams[provider] !== undefined
    );
  }

  /** Whether requests of a provider come to the egress proxy, which does not know where to send them. */
  isStranded(provider: string | undefined): boolean {
    const baseUrl = provider === undefined ? undefined : this.host().providers.get(provider)?.baseUrl;
    return baseUrl !== undefined && isProxyBaseUrl(baseUrl) && !this.isProtected(provider);
  }

  localModel(): ModelRef | undefined {
    const { guardAgent } = this.config().privacy;
    for (const { id: provider, models } of this.host().providers.values()) {
      if (guardAgent.provider !== undefined && guardAgent.provider !== provider) continue;
      if (!this.isLocal(provider)) continue;
      const model = guardAgent.model ?? models.find(({ id }) => !isCloudModel(id))?.id;
      if (model !== undefined && !isCloudModel(model)) return { provider, model };
    }
    return undefined;
  }

  has(ref: ModelRef): boolean {
    return this.find(ref) !== undefined || this.host().providers.get(ref.provider)?.models.length === 0;
  }

  find(ref: ModelRef): HostModel | undefined {
    return this.host()
      .providers.get(ref.provider)
      ?.models.find((model) => model.id === ref.model);
  }

  /**
   * Whether a model is what the config gives an agent, or a tier of the token saver: not one that a user picked for
   * a conversation. Unknown counts as default.
   */
  isDefault({ provider, model }: Partial<ModelRef>): boolean {
    if (provider === undefined || model === undefined) return true;
    const primaries = this.host().uses.filter((use) =>
      /^\/agents\/(?:defaults|entries\/[^/]+)\/model(?:\/primary)?$/.test(use.path),
    );
    if (primaries.length === 0 || primaries.some((use) => use.provider === provider && use.model === model))
      return true;
    return Object.values(this.config().tokenSaver.tiers).some(
      (tier) => tier.model === model && (tier.provider === undefined || tier.provider === provider),
    );
  }

  /** What the host uses when nothing else is said. */
  defaultModel(): ModelRef | undefined {
    const use = this.host().uses.find(
      ({ path }) => path === "/agents/defaults/model/primary" || path === "/agents/defaults/model",
    );
    return use === undefined ? undefined : { provider: use.provider, model: use.model };
  }

  /** The provider that lists a model by this id, when exactly one does. */
  providerOf(model: string): string | undefined {
    const found = [...this.host().providers.values()].filter((p) => p.models.some((m) => m.id === model));
    return found.length === 1 ? found[0]?.id : undefined;
  }

  /** The upstreams for the proxy; `local` only where the true URL is. */
  upstreams(): Record<string, Upstream> {
    const result: Record<string, Upstream> = {};
    for (const [id, { baseUrl, api }] of Object.entries(this.config().managed.upstreams)) {
      const known = EGRESS_APIS.find((name) => name === api) as EgressApi | undefined;
      if (known === undefined) continue;
      result[id] = {
        baseUrl,
        api: known,
        local: this.locality(id).local,
        models: this.modelsOf(id),
      };
    }
    return result;
  }

  /** Ids of a provider's models, wherever the configuration names one. */
  private modelsOf(provider: string): string[] {
    const ids = new Set(modelsNamed(this.host(), provider));
    for (const tier of Object.values(this.config().tokenSaver.tiers)) {
      if (tier.provider === undefined || tier.provider === provider) ids.add(tier.model);
    }
    return [...ids];
  }

  /** A provider's own base URL, whether or not the host's config points it at the proxy. */
  trueUrl(provider: string): string | undefined {
    return trueUrlOf(provider, this.host(), this.config().managed.upstreams);
  }
}
