/** Whether a base URL stays on this machine, or on a host the user named as local. */

/**
 * @param localHosts names or addresses besides loopback, e.g. `["gpu.lan"]`
 */
export function isLocalUrl(baseUrl: string | undefined, localHosts: readonly string[]): boolean {
  if (baseUrl === undefined) return false;
  let host: string;
  try {
    host = new URL(baseUrl).hostname.toLowerCase().replace(/^\[|\]$/g, "");
  } catch {
    return false;
  }
  if (host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host)) return true;
  return localHosts.some((name) => name.toLowerCase() === host);
}
