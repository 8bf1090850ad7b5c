/**
 * How the plugins of one process know of each other's traffic. ClawXRouter's proxy announces where it listens and
 * where it forwards to; whoever watches requests (the LLM logger) then leaves the hop to the proxy out and takes the
 * one that really goes to the model. Each plugin bundles its own copy of this file, so the register hangs on the
 * process.
 */
const KEY = Symbol.for("clawx.egress.proxies");

/** Where a proxy sends a provider's requests. */
export interface EgressUpstream {
  baseUrl: string;
  api: string;
}

interface Announcement {
  /** Scheme, host and port of the proxy. */
  origin: string;
  /** By provider id, read anew at each use: settings change while the proxy runs. */
  upstreams(): Readonly<Record<string, EgressUpstream>>;
}

function register(): Set<Announcement> {
  const holder = globalThis as { [KEY]?: Set<Announcement> };
  holder[KEY] ??= new Set();
  return holder[KEY];
}

/** Announces a proxy of this process. @returns a function that takes it back */
export function announceEgress(announcement: Announcement): () => void {
  register().add(announcement);
  return () => {
    register().delete(announcement);
  };
}

/** True when a proxy of this process listens at `origin` (as `URL.origin` writes it). */
export function isEgressOrigin(origin: string): boolean {
  for (const proxy of register()) if (proxy.origin === origin) return true;
  return false;
}

/** The provider whose requests a proxy of this process forwards to this URL. */
export function egressUpstreamAt(
  origin: string,
  path: string,
): { provider: string; api: string } | undefined {
  for (const proxy of register()) {
    for (const [provider, { baseUrl, api }] of Object.entries(proxy.upstreams())) {
      if (!URL.canParse(baseUrl)) continue;
      const url = new URL(baseUrl);
      const prefix = url.pathname.replace(/\/+$/, "");
      if (url.origin === origin && (path === prefix || path.startsWith(`${prefix}/`)))
        return { provider, api };
    }
  }
  return undefined;
}
