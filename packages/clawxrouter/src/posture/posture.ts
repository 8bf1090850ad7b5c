/** Whether what the guarantee rests on is in place: each condition, and the exact fix where it is not. */
import type { RouterConfig } from "../config-file/schema.ts";
import { isProxyBaseUrl } from "../egress/base-url.ts";
import { EGRESS_APIS } from "../egress/types.ts";
import type { HostView } from "../setup/host-view.ts";
import { localityOf, providerLocality, trustHint } from "../setup/locality.ts";
import { MEMORY_UPSTREAM } from "../setup/plan.ts";

/** `red`: private text is stopped, because a condition of the guarantee does not hold; `yellow`: something is missing. */
export type PostureState = "green" | "yellow" | "red";

export interface PostureItem {
  id: string;
  ok: boolean;
  /** What a failure of this item makes of the whole. */
  severity: "red" | "yellow";
  text: string;
  /** Command or setting that mends it; undefined when it is fine. */
  fix: string | undefined;
}

export interface Posture {
  state: PostureState;
  items: PostureItem[];
}

export interface PostureInput {
  host: HostView;
  config: RouterConfig;
  configError: string | undefined;
  proxy: { port: number | undefined; failure: string | undefined; runsHere: boolean };
  localModel: { provider: string; model: string } | undefined;
  /** Undefined: not run yet. */
  selfTest: { ok: boolean; text: string } | undefined;
}

export const GRANT_KEY = "plugins.entries.clawxrouter.hooks.allowConversationAccess";
const SETUP = "openclaw clawxrouter setup --yes";

export function assessPosture(input: PostureInput): Posture {
  const { host, config } = input;
  const items: PostureItem[] = [
    item(
      "config",
      input.configError === undefined,
      "red",
      "clawxrouter.json is valid",
      input.configError ?? "",
      "mend clawxrouter.json",
    ),
    item(
      "access",
      host.conversationAccess,
      "red",
      "conversation access is granted",
      `conversation access is not granted: set ${GRANT_KEY} to true`,
      `openclaw config set ${GRANT_KEY} true`,
    ),
    item(
      "proxy",
      input.proxy.port !== undefined || !input.proxy.runsHere,
      "red",
      input.proxy.runsHere
        ? `the proxy listens on 127.0.0.1:${input.proxy.port}`
        : "the proxy runs with the gateway",
      input.proxy.failure ?? "the proxy is not running",
      "free the port or set privacy.proxyPort, then: openclaw clawxrouter setup --yes",
    ),
    ...providerItems(host, config),
    ...localityItems(host, config),
    ...host.foreignLogins.map(({ path, provider }) =>
      item(
        `login:${path}`,
        false,
        "red",
        "",
        `${path} logs in to ${provider} by OAuth, whose endpoint does not pass the proxy`,
        `use an API key for ${provider}, or another provider`,
      ),
    ),
    ...host.foreignRuntimes.map(({ path, id }) =>
      item(
        `runtime:${id}`,
        false,
        "red",
        "",
        `${path} runs the agent in "${id}", whose traffic passes neither the proxy nor our hooks`,
        `set ${path.slice(1).replaceAll("/", ".")} to "openclaw", or keep private text away from that agent`,
      ),
    ),
    item(
      "memory-search",
      host.memoryRemoteUrl === undefined ||
        isProxyBaseUrl(host.memoryRemoteUrl) ||
        localityOf(MEMORY_UPSTREAM, host.memoryRemoteUrl, [], config.privacy).local,
      "red",
      "embeddings go through the proxy",
      `memory.search.remote is not behind the proxy (${MEMORY_UPSTREAM})`,
      SETUP,
    ),
    item(
      "local-model",
      input.localModel !== undefined,
      "yellow",
      `private turns go to ${input.localModel?.provider}/${input.localModel?.model}`,
      "no local model: private turns end with an explanation",
      "add a local model to models.providers (e.g. Ollama), then: openclaw clawxrouter setup --yes",
    ),
  ];
  if (input.selfTest !== undefined) {
    items.push(
      item(
        "self-test",
        input.selfTest.ok,
        "red",
        input.selfTest.text,
        input.selfTest.text,
        "openclaw clawxrouter selftest",
      ),
    );
  }
  const failed = items.filter((entry) => !entry.ok);
  const state = failed.some((entry) => entry.severity === "red")
    ? "red"
    : failed.length > 0
      ? "yellow"
      : "green";
  return { state, items };
}

/** Every provider that a model reference or the config names. */
function providerItems(host: HostView, config: RouterConfig): PostureItem[] {
  return [...host.providers.values()].map((provider) => {
    const known = config.managed.upstreams[provider.id];
    const patched = provider.baseUrl !== undefined && isProxyBaseUrl(provider.baseUrl);
    const { local } = providerLocality(provider.id, host, config);
    const uses = host.uses.filter((use) => use.provider === provider.id).map((use) => use.path);
    const used =
      uses.length > 0 ? ` (used by ${uses.slice(0, 3).join(", ")}${uses.length > 3 ? ", …" : ""})` : "";
    const readable = provider.api === undefined || (EGRESS_APIS as readonly string[]).includes(provider.api);
    const ok = patched && known !== undefined;
    const why = !readable
      ? `provider ${provider.id}${used} speaks ${provider.api}, which the proxy cannot read`
      : provider.baseUrl === undefined
        ? `provider ${provider.id}${used} has no base URL that can be put behind the proxy`
        : patched
          ? `provider ${provider.id}${used} points at a proxy that does not know its upstream`
          : `provider ${provider.id}${used} is not behind the proxy`;
    const fix =
      readable && provider.baseUrl !== undefined
        ? SETUP
        : `set models.providers.${provider.id}.baseUrl and .api, or use another provider`;
    return item(
      `provider:${provider.id}`,
      ok,
      local ? "yellow" : "red",
      `provider ${provider.id} is behind the proxy${local ? " (local)" : ""}`,
      local
        ? `local provider ${provider.id} is not behind the proxy: placeholders are not restored for it`
        : why,
      fix,
    );
  });
}

/** What is taken for local, and what on a local address is not: why, and how to say otherwise. */
function localityItems(host: HostView, config: RouterConfig): PostureItem[] {
  return [...host.providers.keys()].flatMap((id) => {
    const { local, doubted, why } = providerLocality(id, host, config);
    const named = config.privacy.localProviders.treatAsCloud.includes(id);
    if (!local && !doubted && !named) return [];
    const good = local
      ? `provider ${id} is trusted as local: ${why}`
      : `provider ${id} counts as a cloud: ${why}`;
    const bad = `${good}. It gets placeholders, and private turns do not go there`;
    const fix = `${trustHint(id)}, else to privacy.localProviders.treatAsCloud`;
    return [item(`locality:${id}`, !doubted, "yellow", good, bad, fix)];
  });
}

function item(
  id: string,
  ok: boolean,
  severity: "red" | "yellow",
  good: string,
  bad: string,
  fix: string,
): PostureItem {
  return { id, ok, severity, text: ok ? good : bad, fix: ok ? undefined : fix };
}

/** One line for the log. */
export function postureLine(posture: Posture): string {
  const failed = posture.items.filter((entry) => !entry.ok);
  if (failed.length === 0) return "posture green: everything the guarantee rests on is in place";
  return `posture ${posture.state}: ${failed.map((entry) => `${entry.text} -> ${entry.fix}`).join(" | ")}`;
}
