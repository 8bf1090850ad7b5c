export { isProxyBaseUrl, parseBaseUrl, proxyBaseUrl } from "./base-url.ts";
export { isLocalUpstream } from "./endpoints.ts";
export { createEgressProxy } from "./proxy.ts";
export * from "./types.ts";
