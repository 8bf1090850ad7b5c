/**
 * The base URL that `setup` writes in a provider's place. It ends as the provider's own does (`.../v1`),
 * because hosts and SDKs derive endpoint URLs from that ending.
 *
 * @param port where the proxy listens
 * @param installKey per-install key
 * @param providerId key of `models.providers`
 * @param upstreamBaseUrl the provider's own base URL
 * @returns e.g. `http://127.0.0.1:8403/k/<key>/p/openai/v1`
 * @throws TypeError when `upstreamBaseUrl` is no absolute http(s) URL
 */
export function proxyBaseUrl(
  port: number,
  installKey: string,
  providerId: string,
  upstreamBaseUrl: string,
): string {
  const upstream = parseBaseUrl(upstreamBaseUrl);
  const tail = upstream.pathname.replace(/\/+$/, "");
  return `http://127.0.0.1:${port}/k/${encodeURIComponent(installKey)}/p/${encodeURIComponent(providerId)}${tail}`;
}

/** True when `url` is a base URL made by {@link proxyBaseUrl} for any port and key. */
export function isProxyBaseUrl(url: string): boolean {
  return /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\]):\d+\/k\/[^/]+\/p\/[^/]+/.test(url);
}

/**
 * Parses a provider's base URL.
 * @throws TypeError when it is not absolute, not http(s), or holds credentials, a query or a fragment
 */
export function parseBaseUrl(baseUrl: string): URL {
  const url = new URL(baseUrl);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new TypeError(`provider base URL must be http or https, got ${url.protocol}`);
  }
  if (url.username !== "" || url.password !== "" || url.hash !== "") {
    throw new TypeError("provider base URL must hold no user name, password or fragment");
  }
  return url;
}
