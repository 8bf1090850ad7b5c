/** Headers, URLs and whole exchanges without their credentials. */
import { isCredentialHeader, isCredentialParameter, REDACTED } from "./names.ts";
import { replaceAll, type SecretFinder } from "./replace.ts";

/** Header lines in wire order; a name may occur more than once. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

export interface WireRedactor {
  headers(list: HeaderList): Record<string, string | string[]>;
  url(url: string): string;
  text(text: string): string;
}

/**
 * @param headerRule `redactAuthorization`: false leaves headers of credential names as they are; every other rule stays.
 */
export function createWireRedactor(finder: SecretFinder, headerRule: boolean): WireRedactor {
  // A gateway calls few URLs, again and again; what becomes of their parts depends on nothing else.
  const urls = new Map<string, string>();
  const urlParts = (url: string) => {
    const known = urls.get(url);
    if (known !== undefined) return known;
    if (urls.size >= MAX_URLS) urls.clear();
    const clean = redactUrlParts(url);
    urls.set(url, clean);
    return clean;
  };
  const text = (value: string) => {
    const clean = value.includes("://") ? value.replace(URL_IN_TEXT, redactUrlParts) : value;
    return replaceAll(clean, finder.find(clean));
  };
  return {
    text,
    headers(list) {
      // Without a prototype: `constructor` and `__proto__` are header names like any other.
      const out: Record<string, string | string[]> = Object.create(null);
      for (const [rawName, rawValue] of list) {
        const name = rawName.toLowerCase();
        const shown = URL_HEADERS.has(name) ? redactUrlParts(rawValue) : rawValue;
        const value = isCredentialHeader(name)
          ? headerRule
            ? REDACTED
            : rawValue
          : name === "traceparent" && TRACEPARENT.test(rawValue)
            ? rawValue
            : text(shown);
        const before = out[name];
        if (before === undefined) out[name] = value;
        else if (Array.isArray(before)) before.push(value);
        else out[name] = [before, value];
      }
      return out;
    },
    url: (url) => text(urlParts(url)),
  };
}

/** URLs remembered. */
const MAX_URLS = 200;

/** Ids of a trace and nothing else (W3C Trace Context, section 3.2): another one with each call, and no secret. */
const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Headers that hold a URL, which may be relative. */
const URL_HEADERS = new Set([
  "location",
  "content-location",
  "operation-location",
  "referer",
  "refresh",
  "link",
]);

/** URLs inside other text: redirects, referers, error messages. */
const URL_IN_TEXT = /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'<>`]+/gi;

/** Replaces user info and the values of credential parameters; every other byte of the URL stays. */
export function redactUrlParts(url: string): string {
  const noUser = url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, `$1${REDACTED}@`);
  return redactParameters(noUser);
}

/** Replaces the values of credential parameters in a query, in a fragment, or in a form that starts with `?`. */
export function redactParameters(query: string): string {
  return query.replace(
    /([?&;#])([^=&;#?]{1,100})=([^&;#]*)/g,
    (whole, mark: string, name: string, value: string) => {
      if (value === "" || !isCredentialParameter(decode(name))) return whole;
      return `${mark}${name}=${REDACTED}`;
    },
  );
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
