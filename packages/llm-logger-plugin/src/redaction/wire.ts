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
  const text = (value: string) => replaceAll(value, finder.find(value));
  return {
    text,
    headers(list) {
      const out: Record<string, string | string[]> = {};
      for (const [rawName, rawValue] of list) {
        const name = rawName.toLowerCase();
        const value = isCredentialHeader(name) ? (headerRule ? REDACTED : rawValue) : text(rawValue);
        const before = out[name];
        if (before === undefined) out[name] = value;
        else if (Array.isArray(before)) before.push(value);
        else out[name] = [before, value];
      }
      return out;
    },
    url: (url) => text(redactUrlParts(url)),
  };
}

/** Replaces user info and the values of credential parameters; every other byte of the URL stays. */
export function redactUrlParts(url: string): string {
  const noUser = url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#@]*@/i, `$1${REDACTED}@`);
  return noUser.replace(
    /([?&;#])([^=&;#?]+)=([^&;#]*)/g,
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
