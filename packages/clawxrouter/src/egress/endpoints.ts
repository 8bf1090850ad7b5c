import { isIP } from "node:net";
import { parseBaseUrl } from "./base-url.ts";
import type { ProtocolId } from "./protocols/types.ts";
import type { Upstream } from "./types.ts";

/** What an endpoint of a model server does, as far as the proxy cares. */
export interface Endpoint {
  /** Name in events, e.g. `chat/completions`. */
  id: string;
  method: "GET" | "POST";
  protocol: ProtocolId;
  /** `generate` answers with model text, `embed` with vectors, `meta` with neither. */
  kind: "generate" | "embed" | "meta";
  /** Model id when it is in the path (Google). */
  modelInPath: string | undefined;
}

interface EndpointRule extends Omit<Endpoint, "modelInPath"> {
  tail: RegExp;
}

const post = (id: string, protocol: ProtocolId, kind: Endpoint["kind"], tail: RegExp): EndpointRule => ({
  id,
  method: "POST",
  protocol,
  kind,
  tail,
});
const get = (id: string, tail: RegExp): EndpointRule => ({
  id,
  method: "GET",
  protocol: "meta",
  kind: "meta",
  tail,
});

/** Up to four plain segments before the endpoint itself: `/v1`, `/api/paas/v4`, `/openai/deployments/x`. */
const at = (path: string): RegExp => new RegExp(`^(?:/[\\w.-]+){0,4}?${path}$`);

/** The allow-list. What is not here is refused; each line is from the vendor's API reference. */
const RULES: readonly EndpointRule[] = [
  post("chat/completions", "openai-chat", "generate", at("/chat/completions")),
  post("responses", "openai-responses", "generate", at("/responses")),
  post("responses/compact", "openai-responses", "generate", at("/responses/compact")),
  post("messages", "anthropic", "generate", at("/messages")),
  post("messages/count_tokens", "anthropic", "meta", at("/messages/count_tokens")),
  post("generateContent", "google", "generate", at("/models/([\\w.-]+):generateContent")),
  post("streamGenerateContent", "google", "generate", at("/models/([\\w.-]+):streamGenerateContent")),
  post("countTokens", "google", "meta", at("/models/([\\w.-]+):countTokens")),
  post("embedContent", "google", "embed", at("/models/([\\w.-]+):(?:embedContent|batchEmbedContents)")),
  post("api/chat", "ollama", "generate", at("/api/chat")),
  post("api/generate", "ollama", "generate", at("/api/generate")),
  post("api/embed", "ollama", "embed", at("/api/(?:embed|embeddings)")),
  post("api/show", "ollama", "meta", at("/api/show")),
  post("embeddings", "openai-embeddings", "embed", at("/embeddings")),
  get("models", at("/models(?:/[\\w.:-]+){0,2}")),
  get("api/tags", at("/api/(?:tags|version|ps)")),
];

/** The endpoint a path names, or undefined when it is not on the allow-list. */
export function endpointOf(tail: string): Endpoint | undefined {
  for (const { tail: pattern, ...rule } of RULES) {
    const match = pattern.exec(tail);
    if (match) return { ...rule, modelInPath: rule.protocol === "google" ? match[1] : undefined };
  }
  return undefined;
}

/**
 * Where a request goes: the origin is always the configured one. The tail replaces nothing of the base path:
 * it either starts with it (as `proxyBaseUrl` arranged) or is put behind it.
 */
export function upstreamTarget(
  upstream: Upstream,
  tail: string,
  query: URLSearchParams,
): { origin: string; path: string } {
  const base = parseBaseUrl(upstream.baseUrl);
  const basePath = base.pathname.replace(/\/+$/, "");
  let path = basePath === "" || tail.startsWith(`${basePath}/`) ? tail : basePath + tail;
  // Ollama's native API stands beside, not under, its OpenAI-compatible `/v1`; hosts drop the `/v1` for it.
  if (/^\/api\//.test(tail) && basePath.endsWith("/v1")) path = basePath.slice(0, -3) + tail;
  const params = new URLSearchParams(base.search);
  for (const [name, value] of query) params.set(name, value);
  const search = params.size > 0 ? `?${params}` : "";
  return { origin: base.origin, path: path + search };
}

/**
 * True when a local provider's host really is local: a loopback name or address, or listed by the user.
 * Only the written host is looked at, never DNS: a name that resolves to loopback today may not tomorrow.
 */
export function isLocalUpstream(upstream: Upstream, localHosts: readonly string[]): boolean {
  const host = parseBaseUrl(upstream.baseUrl).hostname.toLowerCase();
  const bare = host.replace(/^\[|\]$/g, "");
  if (bare === "localhost" || bare === "::1") return true;
  if (isIP(bare) === 4 && bare.startsWith("127.")) return true;
  return localHosts.some((listed) => listed.toLowerCase().replace(/^\[|\]$/g, "") === bare);
}
