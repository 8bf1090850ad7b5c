/**
 * Credentials that were seen in use: what a request carries as its key is a secret wherever else it turns up, in an
 * error that quotes it, in a redirect, in an echo, whatever it looks like.
 */
import { isCredentialHeader, isCredentialParameter } from "./names.ts";
import type { SecretFinder, SecretSpan } from "./replace.ts";
import type { HeaderList } from "./wire.ts";

/** More keys than a gateway has; the oldest are forgotten. */
const CAPACITY = 64;

export interface KnownSecrets extends SecretFinder {
  /** Takes in the credentials of a request or response. @param url its URL or path with query. */
  learn(headers: HeaderList, url: string): void;
}

/** @param base finds secrets by their shape. */
export function withKnownSecrets(base: SecretFinder): KnownSecrets {
  const known = new Set<string>();

  function add(value: string): void {
    if (!isTelling(value) || known.has(value)) return;
    known.add(value);
    if (known.size > CAPACITY) known.delete(known.values().next().value ?? "");
  }

  return {
    learn(headers, url) {
      for (const [name, value] of headers)
        if (isCredentialHeader(name)) for (const one of secretsOf(name, value)) add(one);
      const query = url.indexOf("?");
      if (query === -1) return;
      for (const [name, value] of new URLSearchParams(url.slice(query + 1)))
        if (isCredentialParameter(name)) add(value);
    },
    find(text) {
      const found = base.find(text);
      let spans: SecretSpan[] | undefined;
      for (const secret of known) {
        for (let at = text.indexOf(secret); at !== -1; at = text.indexOf(secret, at + secret.length)) {
          spans ??= [...found];
          spans.push({ start: at, end: at + secret.length, type: "CREDENTIAL" });
        }
      }
      return spans ? disjoint(spans) : found;
    },
  };
}

/** The secret parts of a credential header: without the scheme, of a cookie the values. */
function secretsOf(name: string, value: string): string[] {
  if (/cookie2?$/i.test(name))
    return value.split(";").flatMap((pair) => {
      const equals = pair.indexOf("=");
      return equals === -1 ? [] : [pair.slice(equals + 1).trim()];
    });
  return [/^\s*(?:bearer|basic|token|apikey|key)\s+(\S+)\s*$/i.exec(value)?.[1] ?? value.trim()];
}

/** Long enough, or mixed enough, that it is no word: local servers get keys such as `ollama-local`. */
function isTelling(value: string): boolean {
  if (/\s/.test(value) || value.length > 8_192) return false;
  return value.length >= 20 || (value.length >= 10 && /\d/.test(value) && /[A-Za-z]/.test(value));
}

function disjoint(spans: SecretSpan[]): SecretSpan[] {
  const out: SecretSpan[] = [];
  for (const span of spans.sort((a, b) => a.start - b.start)) {
    const last = out.at(-1);
    if (last && span.start < last.end) last.end = Math.max(last.end, span.end);
    else out.push({ ...span });
  }
  return out;
}
