/** What the in-process guard must know of this installation. */
import type { RouterConfig } from "../config-file/schema.ts";
import { isOrdinary } from "../egress/request/ordinary.ts";
import { startGuard } from "../guard/guard.ts";
import { BUNDLED_PROVIDERS, type HostView } from "../setup/host-view.ts";
import { isLocalUrl } from "../setup/local-host.ts";
import type { VaultStore } from "../vault-store/store.ts";
import type { HostModels } from "./models.ts";

export interface GuardServiceDeps {
  config: () => RouterConfig;
  host: () => HostView;
  models: Pick<HostModels, "isLocal" | "trueUrl">;
  vault: () => VaultStore;
  error: (message: string) => void;
}

/** Starts the guard; the result ends it. */
export function guardModels(deps: GuardServiceDeps): () => void {
  return startGuard({
    isLocalOrigin: (origin) =>
      isLocalUrl(origin, deps.config().privacy.localHosts) && !cloudOrigins(deps).has(hostOf(origin)),
    isModelOrigin: (origin) => URL.canParse(origin) && modelHosts(deps).has(new URL(origin).host),
    // Everyday words and numbers that are somebody's value are names and fields of the protocol, too.
    findPrivate: (body) =>
      deps
        .vault()
        .vault.findKnown(body)
        .find(({ start, end }) => !isOrdinary(body.slice(start, end)))?.type,
    refused: (origin, reason) =>
      deps.error(
        `stopped a request to ${origin} that holds private text (${reason}) and did not come through the proxy`,
      ),
  });
}

/** Hosts on this machine that pass on to a cloud what they get. */
function cloudOrigins({ models, host }: GuardServiceDeps): Set<string> {
  const hosts = new Set<string>();
  for (const { id } of host().providers.values()) {
    const url = models.trueUrl(id);
    if (url !== undefined && !models.isLocal(id)) hosts.add(hostOf(url));
  }
  return hosts;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "";
}

function modelHosts({ config, host }: GuardServiceDeps): Set<string> {
  const urls = [
    ...Object.values(BUNDLED_PROVIDERS).map((provider) => provider.baseUrl),
    ...Object.values(config().managed.upstreams).map((upstream) => upstream.baseUrl),
    ...[...host().providers.values()].map((provider) => provider.baseUrl ?? ""),
  ];
  return new Set(urls.filter((url) => URL.canParse(url)).map((url) => new URL(url).host));
}
