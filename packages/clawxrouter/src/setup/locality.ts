/**
 * Whether a provider keeps text on this machine. An address says where a request goes first, not where it ends: a
 * gateway on loopback (LiteLLM, a vendor's bridge) passes it on to a cloud.
 */
import type { RouterConfig } from "../config-file/schema.ts";
import { isProxyBaseUrl } from "../egress/base-url.ts";
import { type HostView, modelsNamed } from "./host-view.ts";
import { isLocalUrl } from "./local-host.ts";

/** What the settings say of it: `privacy.localHosts` and `privacy.localProviders`. */
export interface LocalitySettings {
  localHosts: readonly string[];
  localProviders?: {
    /** Provider ids that are local although they look like a gateway to a cloud. */
    trust: readonly string[];
    /** Provider ids that are cloud although their address is local. */
    treatAsCloud: readonly string[];
  };
}

export interface Locality {
  local: boolean;
  /** Why, for the user: goes into posture and setup. */
  why: string;
  /** True when the address is local and only what the provider offers speaks against it: the user may overrule that. */
  doubted: boolean;
}

/** Names of gateways whose trade is to pass requests on. */
const GATEWAY_ID =
  /lite-?llm|open-?router|portkey|helicone|one-?api|new-?api|copilot|gateway|ai-?proxy|cliproxy/i;
/** Models that their vendors serve and nobody else; open weights of the same vendors are not among them. */
const VENDOR_MODEL =
  /^(?:[\w-]+\/)*(?:gpt-(?!oss)|chatgpt-|o[134](?:-|$)|codex-|claude-|gemini-|grok-(?!1$)|text-embedding-(?:3|ada))/i;
/**
 * @param id the provider's id in the host's config
 * @param baseUrl its true base URL, not the proxy's
 * @param models ids of its models, as far as the config names them
 */
export function localityOf(
  id: string,
  baseUrl: string | undefined,
  models: readonly string[],
  settings: LocalitySettings,
): Locality {
  const { trust = [], treatAsCloud = [] } = settings.localProviders ?? {};
  const host = baseUrl !== undefined && URL.canParse(baseUrl) ? new URL(baseUrl).host : "no address";
  if (!isLocalUrl(baseUrl, settings.localHosts)) {
    return {
      local: false,
      why: `${host} is neither on this machine nor in privacy.localHosts`,
      doubted: false,
    };
  }
  if (treatAsCloud.includes(id))
    return { local: false, why: "named in privacy.localProviders.treatAsCloud", doubted: false };
  if (trust.includes(id))
    return { local: true, why: "named in privacy.localProviders.trust", doubted: false };
  if (GATEWAY_ID.test(id))
    return {
      local: false,
      why: `${host} is local, but the name "${id}" is that of a gateway`,
      doubted: true,
    };
  const elsewhere = models.find((model) => VENDOR_MODEL.test(model));
  if (elsewhere !== undefined)
    return { local: false, why: `${host} is local, but ${elsewhere} is a model of a cloud`, doubted: true };
  return {
    local: true,
    why: isLoopback(host) ? `${host} is on this machine` : `${host} is in privacy.localHosts`,
    doubted: false,
  };
}

function isLoopback(host: string): boolean {
  return isLocalUrl(`http://${host}`, []);
}

/** How to say that a doubted provider keeps text on this machine. */
export function trustHint(id: string): string {
  return `if it keeps text on this machine, add "${id}" to privacy.localProviders.trust`;
}

/** A provider's own base URL, whether or not the host's config points it at the proxy. */
export function trueUrlOf(
  id: string,
  host: HostView,
  upstreams: RouterConfig["managed"]["upstreams"],
): string | undefined {
  const own = host.providers.get(id)?.baseUrl;
  return own !== undefined && !isProxyBaseUrl(own) ? own : upstreams[id]?.baseUrl;
}

/** As {@link localityOf}, for a provider of the host's config. */
export function providerLocality(id: string, host: HostView, config: RouterConfig): Locality {
  return localityOf(id, trueUrlOf(id, host, config.managed.upstreams), modelsNamed(host, id), config.privacy);
}
