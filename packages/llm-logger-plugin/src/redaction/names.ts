/** Names of headers, URL parameters and JSON keys that hold credentials: exact names, no patterns of values. */

export const REDACTED = "[REDACTED]";

const HEADER_NAMES = new Set([
  "authorization",
  "proxy-authorization",
  "api-key",
  "x-api-key",
  "x-goog-api-key",
  "x-auth-token",
  "x-access-token",
  "x-amz-security-token",
  "x-goog-iam-authorization-token",
  "x-csrf-token",
  "x-xsrf-token",
  "ocp-apim-subscription-key",
  "x-functions-key",
  "cf-access-client-secret",
  "cf-aig-authorization",
  "cookie",
  "set-cookie",
  "set-cookie2",
  "www-authenticate-secret",
  "sec-websocket-key",
  "openai-ephemeral-user-token",
  "x-openclaw-token",
  "api_key",
  "apikey",
  "token",
  "secret",
  "password",
]);

/** Ends of vendor header names that hold a credential; singular, so `x-ratelimit-remaining-tokens` stays. */
const HEADER_ENDINGS = [
  "-api-key",
  "-apikey",
  "-token",
  "-secret",
  "-secret-key",
  "-access-key",
  "_api_key",
  "_token",
  "-password",
  "-authorization",
  "-cookie",
];

/** Verdicts by name as written: a gateway sends the same few dozen names again and again. */
const headerVerdicts = new Map<string, boolean>();

/** Whether a header's value is a credential by its name (any case). */
export function isCredentialHeader(name: string): boolean {
  const known = headerVerdicts.get(name);
  if (known !== undefined) return known;
  const lower = name.toLowerCase();
  const verdict = HEADER_NAMES.has(lower) || HEADER_ENDINGS.some((ending) => lower.endsWith(ending));
  if (headerVerdicts.size < 1000) headerVerdicts.set(name, verdict);
  return verdict;
}

const URL_PARAMETERS = new Set([
  "key",
  "apikey",
  "token",
  "accesstoken",
  "refreshtoken",
  "idtoken",
  "authtoken",
  "auth",
  "authorization",
  "password",
  "passwd",
  "secret",
  "clientsecret",
  "sig",
  "signature",
  "code",
  "assertion",
  "xamzsignature",
  "xamzcredential",
  "xamzsecuritytoken",
  "xgoogsignature",
  "xgoogcredential",
  "awsaccesskeyid",
  "googleaccessid",
  "subscriptionkey",
  "xapikey",
  "jwt",
  "ticket",
  "accesskey",
]);

/** Whether a URL parameter holds a credential or a signature by its name. */
export function isCredentialParameter(name: string): boolean {
  const folded = fold(name);
  return URL_PARAMETERS.has(folded) || STRONG_KEYS.has(folded);
}

/** Keys whose string value is a credential whatever it looks like. */
const STRONG_KEYS = new Set([
  "apikey",
  "xapikey",
  "xgoogapikey",
  "accesstoken",
  "refreshtoken",
  "idtoken",
  "authtoken",
  "bearertoken",
  "sessiontoken",
  "securitytoken",
  "bottoken",
  "clientsecret",
  "appsecret",
  "secretkey",
  "secretaccesskey",
  "signingsecret",
  "webhooksecret",
  "privatekey",
  "encryptionkey",
  "password",
  "passwd",
  "passphrase",
  "secret",
  "authorization",
  "proxyauthorization",
  "cookie",
  "setcookie",
]);

/** Keys that often hold something else (a piece of text, a page cursor): the value must look like a credential. */
const WEAK_KEYS = new Set([
  "token",
  "credential",
  "credentials",
  "auth",
  "key",
  "apitoken",
  "accesskey",
  "accesskeyid",
]);

export type KeyStrength = "strong" | "weak" | undefined;

/** Verdicts by key as written: bodies repeat the same few hundred keys. */
const keyVerdicts = new Map<string, KeyStrength>();

/** How surely a JSON key holds a credential. `max_tokens`, `tokens` and the like are not among them. */
export function credentialKey(name: string): KeyStrength {
  if (name.length > 64) return undefined;
  if (keyVerdicts.has(name)) return keyVerdicts.get(name);
  const folded = fold(name);
  const verdict = STRONG_KEYS.has(folded)
    ? "strong"
    : WEAK_KEYS.has(folded) || isOwnersCredential(name)
      ? "weak"
      : undefined;
  if (keyVerdicts.size < 5000) keyVerdicts.set(name, verdict);
  return verdict;
}

/** `OPENAI_API_KEY`, `dbPassword`, `github-token`: a known name after its owner's. Page and model tokens are none. */
function isOwnersCredential(name: string): boolean {
  const words = name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();
  return (
    /[a-z0-9][-_](api[-_]?key|access[-_]?key|secret[-_]key|private[-_]key|token|secret|password|passwd)$/.test(
      words,
    ) &&
    !/(^|[-_])(page|next|continuation|sync|resume|cursor|bos|eos|pad|unk|sep|cls|mask|start|end|stop|image|audio|special|max|min)[-_]token$/.test(
      words,
    )
  );
}

function fold(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, "");
}

const NOT_A_VALUE = new Set([
  "string",
  "number",
  "integer",
  "boolean",
  "object",
  "array",
  "null",
  "true",
  "false",
  "none",
  "undefined",
  "required",
  "optional",
]);

/**
 * Whether the string under a credential key is one: no prose, no type name of a schema, no variable reference,
 * no placeholder. A weak key's value must also mix letters and digits as generated tokens do.
 */
export function isCredentialValue(strength: "strong" | "weak", value: string): boolean {
  const scheme = /^(?:bearer|basic|token|apikey|aws4-hmac-sha256)\s+/i.exec(value);
  const bare = scheme ? value.slice(scheme[0].length) : value;
  if (bare.length < 4 || bare.length > 16_384) return false;
  if (strength === "strong" && scheme) return true;
  if (/\s/.test(bare.trim()) && !bare.startsWith("-----BEGIN") && !/^[^\s=]+=[^\s;]+(;|$)/.test(bare))
    return false;
  if (NOT_A_VALUE.has(bare.toLowerCase())) return false;
  if (/^(\$\{.*\}|\{\{.*\}\}|<[^>]*>|\[REDACTED.*\]|\*+|x{3,}|%[A-Z_]+%|\$[A-Z_]+)$/.test(bare)) return false;
  if (strength === "strong") return true;
  return bare.length >= 8 && /\d/.test(bare) && /[A-Za-z]/.test(bare) && !/^[A-Za-z]+-?\d{1,4}$/.test(bare);
}
