/** Where a browser on the gateway's machine finds it: by TLS when the host is told to speak that (`gateway.tls`). */

/**
 * @param host openclaw.json as an object
 * @param port of the gateway
 */
export function gatewayOrigin(host: unknown, port: number): string {
  const scheme = record(record(record(host).gateway).tls).enabled === true ? "https" : "http";
  return `${scheme}://127.0.0.1:${port}`;
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
