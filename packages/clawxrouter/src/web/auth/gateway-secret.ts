/** The gateway's own token or password, as far as it can be read. */
import { createHash } from "node:crypto";
import { sameText } from "./sessions.ts";

/**
 * @param host openclaw.json as an object
 * @returns what may be typed on the sign-in page; empty when none is known (a SecretRef, no auth)
 */
export function gatewaySecrets(
  host: unknown,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string[] {
  const auth = record(record(record(host).gateway).auth);
  const mode = auth.mode;
  const candidates =
    mode === "password"
      ? [auth.password, env.OPENCLAW_GATEWAY_PASSWORD]
      : mode === "token" || mode === undefined
        ? [auth.token, env.OPENCLAW_GATEWAY_TOKEN]
        : [];
  return candidates.filter(
    (value): value is string => typeof value === "string" && value.length >= 8 && !/^\$\{.*\}$/.test(value),
  );
}

/** In constant time, whatever is given. */
export function isGatewaySecret(given: string, secrets: readonly string[]): boolean {
  let good = false;
  for (const secret of secrets) if (sameText(secret, given)) good = true;
  return good;
}

/** Changes with the secrets and says nothing of them: a part of a hash that many secrets share. */
export function realmOf(secrets: readonly string[]): string {
  return createHash("sha256")
    .update(`clawxrouter realm\n${secrets.join("\n")}`)
    .digest("hex")
    .slice(0, 6);
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}
