/**
 * Private values on their way out in an address. A cloud model knows a value by its placeholder only; but a page that it
 * reads can tell it to ask for `https://its.host/?q=[REDACTED:PHONE_1]`, and in the arguments of the tool the value is
 * back. So an address with a value in it is asked for only where the user named the host himself.
 */
import type { Finding } from "@clawx/shared-security";
import { isOrdinary, isWords } from "../egress/request/ordinary.ts";
import { isLocalUrl } from "../setup/local-host.ts";

const ADDRESS = /\b(?:https?|wss?|ftp):\/\/[^\s"'`<>\\]+/gi;
/** A host as people write it, with or without an address around. */
const NAMED_HOST = /[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63})+/giu;
/** Hosts that are on no public network (RFC 1918, RFC 6762, RFC 8375, names without a dot). */
const INSIDE =
  /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|\[f[cde])|^[^.[]+$|\.(?:local|lan|internal|home\.arpa|localhost)$/;
/** What the host writes around text that others sent. */
const FOREIGN = /EXTERNAL,? (?:and )?UNTRUSTED/i;
const MAX_SESSIONS = 1000;
const MAX_HOSTS = 500;

/** Hosts that the users of conversations have named. In memory, bounded. */
export class NamedHosts {
  readonly #bySession = new Map<string, Set<string>>();

  /** Takes down what hosts a message names. */
  note(session: string | undefined, message: string): void {
    if (session === undefined || FOREIGN.test(message)) return;
    const hosts = this.#bySession.get(session) ?? new Set<string>();
    for (const [name] of message.matchAll(NAMED_HOST)) {
      if (hosts.size < MAX_HOSTS) hosts.add(hostOf(`http://${name}`) ?? name.toLowerCase());
    }
    if (hosts.size === 0) return;
    this.#bySession.delete(session);
    this.#bySession.set(session, hosts);
    if (this.#bySession.size > MAX_SESSIONS) {
      const oldest = this.#bySession.keys().next().value;
      if (oldest !== undefined) this.#bySession.delete(oldest);
    }
  }

  /** Whether the user named this host, or one that it belongs to. */
  has(session: string, host: string): boolean {
    const hosts = this.#bySession.get(session);
    if (hosts === undefined) return false;
    for (let name = host; name.includes("."); name = name.slice(name.indexOf(".") + 1)) {
      if (hosts.has(name)) return true;
    }
    return false;
  }
}

export interface AddressDeps {
  /** Hosts besides loopback that are the user's own. */
  localHosts: readonly string[];
  isNamed: (host: string) => boolean;
  findKnown: (text: string) => readonly Finding[];
}

/**
 * The first address in a tool's arguments that would carry a private value to a host that the user did not name.
 * @param params whatever the tool takes; addresses inside of commands and texts count
 */
export function privateAddress(
  params: unknown,
  { localHosts, isNamed, findKnown }: AddressDeps,
): { host: string; type: string } | undefined {
  for (const text of textsOf(params)) {
    for (const [address] of text.matchAll(ADDRESS)) {
      if (!URL.canParse(address)) continue;
      const { hostname, pathname, search, hash, username, password } = new URL(address);
      if (isLocalUrl(address, localHosts) || INSIDE.test(hostname) || isNamed(hostname)) continue;
      const told = [hostname, username, password, pathname, search, hash].map(decoded).join("\n");
      const found = findKnown(told).find(
        ({ start, end, type }) =>
          // A host that is a private value itself is where the request goes to.
          !(start === 0 && end >= hostname.length && end <= hostname.length + 1) &&
          !isOrdinary(told.slice(start, end)) &&
          !isWords(told.slice(start, end), type),
      );
      if (found !== undefined) return { host: hostname, type: found.type };
    }
  }
  return undefined;
}

function* textsOf(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  else if (typeof value === "object" && value !== null)
    for (const item of Object.values(value)) yield* textsOf(item);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll("+", " "));
  } catch {
    return part;
  }
}

function hostOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).hostname : undefined;
}
