import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { RefusalCode } from "./types.ts";

/** Header that carries the install key for clients whose base URL has none; never forwarded. */
export const KEY_HEADER = "x-clawxrouter-key";

/** A request whose form is accepted; says nothing yet about provider and endpoint. */
export interface Route {
  providerId: string;
  /** Path after `/p/<providerId>`, starting with `/`, only unreserved characters and `:`. */
  tail: string;
  /** Allowed query parameters, in the order they came. */
  query: URLSearchParams;
}

/** A request that is answered without being looked at further. */
export interface GuardRefusal {
  code: RefusalCode;
  status: 400 | 401 | 403 | 421;
  detail: string;
}

/**
 * Query parameters that model SDKs send (`alt=sse` Google, `beta=true` Anthropic, `api-version` Azure,
 * `key` Google). Their values cannot carry text: nothing but short identifiers passes.
 */
const QUERY_NAMES = new Set(["alt", "api-version", "beta", "key"]);
const QUERY_VALUE = /^[\w.~-]{0,128}$/;
const SEGMENT = /^[\w.~:-]+$/;

/** Where a caller asks the proxy to show that it holds the install key, before he tells it: `PROOF_PATH` + 64 hex digits. */
export const PROOF_PATH = "/clawxrouter/proof/";

/**
 * What only a holder of the install key can answer to a challenge (HMAC-SHA-256, RFC 2104). It gives nothing of the
 * key away, so that it may be asked of whoever listens; and it holds for one port, so that nobody can have it from the
 * proxy to show it at another.
 */
export function proofOf(installKey: string, challenge: string, port: number): string {
  return proofBy(digest(installKey), challenge, port);
}

function proofBy(keyDigest: Buffer, challenge: string, port: number): string {
  return createHmac("sha256", keyDigest).update(`clawxrouter proof ${port} ${challenge}`).digest("hex");
}

/**
 * Checks of the request line and headers, before any body byte is read.
 *
 * - loopback `Host` only, with this port: a rebound DNS name of a web page is refused (RFC 9110, 7.2)
 * - `Origin` or `Sec-Fetch-Site`: only browsers send them, and no browser has business here
 * - path: origin-form only, no `@`, `//`, dot segments, backslashes, encoded separators or control characters
 * - install key, compared in constant time
 */
export class RequestGuard {
  readonly #keyDigest: Buffer;
  readonly #port: () => number;

  constructor(installKey: string, port: () => number) {
    if (!/^[\w-]{32,256}$/.test(installKey)) {
      throw new TypeError(
        "ClawXRouter proxy: the install key must be 32 to 256 characters of A-Z a-z 0-9 _ -",
      );
    }
    this.#keyDigest = digest(installKey);
    this.#port = port;
  }

  /** The answer to a challenge; undefined when the request is none, or comes from a browser. */
  proof({ method, url = "", headers }: IncomingMessage): string | undefined {
    const challenge = url.startsWith(PROOF_PATH) ? url.slice(PROOF_PATH.length) : "";
    if (method !== "GET" || !/^[0-9a-f]{64}$/.test(challenge)) return undefined;
    if (headers.origin !== undefined || headers["sec-fetch-site"] !== undefined) return undefined;
    return proofBy(this.#keyDigest, challenge, this.#port());
  }

  check(request: IncomingMessage): Route | GuardRefusal {
    if (!this.#hostIsLoopback(request)) {
      return {
        code: "bad-host",
        status: 421,
        detail: "the Host header is not this loopback address; only the local gateway may call",
      };
    }
    if (request.headers.origin !== undefined || request.headers["sec-fetch-site"] !== undefined) {
      return { code: "browser-origin", status: 403, detail: "the request comes from a browser" };
    }
    const target = request.url ?? "";
    const bad = badTarget(target);
    if (bad !== undefined) return { code: "bad-path", status: 400, detail: bad };

    const question = target.indexOf("?");
    const path = question === -1 ? target : target.slice(0, question);
    const segments = path.split("/").slice(1);
    let key = request.headers[KEY_HEADER];
    if (segments[0] === "k") {
      key = decode(segments[1]);
      segments.splice(0, 2);
    }
    if (typeof key !== "string" || !timingSafeEqual(digest(key), this.#keyDigest)) {
      return {
        code: "bad-key",
        status: 401,
        detail: "the install key is missing or wrong; run: openclaw clawxrouter setup",
      };
    }
    const providerId = segments[0] === "p" ? decode(segments[1]) : undefined;
    const rest = segments.slice(2);
    if (
      providerId === undefined ||
      providerId === "" ||
      rest.length === 0 ||
      !rest.every((s) => SEGMENT.test(s))
    ) {
      return { code: "bad-path", status: 400, detail: "the path is not /k/<key>/p/<provider>/<endpoint>" };
    }
    const query = new URLSearchParams(question === -1 ? "" : target.slice(question + 1));
    for (const [name, value] of query) {
      if (!QUERY_NAMES.has(name) || !QUERY_VALUE.test(value)) {
        return {
          code: "bad-path",
          status: 400,
          detail: "the query holds a parameter that is not on the allow-list",
        };
      }
    }
    return { providerId, tail: `/${rest.join("/")}`, query };
  }

  #hostIsLoopback(request: IncomingMessage): boolean {
    const hosts = request.rawHeaders.filter(
      (_, i) => i % 2 === 0 && request.rawHeaders[i]?.toLowerCase() === "host",
    );
    if (hosts.length !== 1) return false;
    const match = /^(?:127\.0\.0\.1|localhost|\[::1\]):(\d{1,5})$/i.exec(request.headers.host ?? "");
    return match !== null && Number(match[1]) === this.#port();
  }
}

/** Says what is wrong with a request target, or undefined when its form is fine. */
function badTarget(target: string): string | undefined {
  if (!target.startsWith("/")) return "only origin-form request targets are served";
  const path = target.split("?", 1)[0] ?? "";
  if (target.includes("@") || target.includes("\\") || target.includes("#")) {
    return "the path holds @, \\ or #";
  }
  if (path.includes("//")) return "the path holds an empty segment";
  // Dot segments and separators may not hide behind one or two rounds of percent-encoding.
  if (/%(?:25)*(?:2f|5c|2e|40|3f|23|00|0d|0a)/i.test(path)) return "the path holds an encoded separator";
  if (/%(?![0-9a-f]{2})/i.test(path)) return "the path holds a broken percent-encoding";
  if (path.split("/").some((segment) => segment === "." || segment === ".."))
    return "the path holds a dot segment";
  if (/[^\x21-\x7e]/.test(target)) return "the path holds control or non-ASCII characters";
  return undefined;
}

function decode(segment: string | undefined): string | undefined {
  if (segment === undefined) return undefined;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
