/**
 * Whether the first part of a compact JWS or JWE is a JOSE header: JSON with `alg` (RFC 7515, section 4.1.1).
 * @param token dot-separated base64url parts.
 */
export function isJwt(token: string): boolean {
  const header = token.slice(0, token.indexOf("."));
  try {
    const parsed: unknown = JSON.parse(Buffer.from(header, "base64url").toString("utf8"));
    return typeof parsed === "object" && parsed !== null && ("alg" in parsed || "typ" in parsed);
  } catch {
    return false;
  }
}
