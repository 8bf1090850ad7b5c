/**
 * No request made for the egress proxy goes by way of an HTTP proxy of the environment (`HTTP_PROXY`): it would be handed
 * the text as it was written, the install key and the provider's key, and would connect to a loopback address of its own.
 */
import diagnostics from "node:diagnostics_channel";
import { type FailableRequest, failRequest, quietly } from "./fail-request.ts";

export interface ForwardProxyDeps {
  /** Told of each refusal, by the HTTP proxy that would have got it. */
  refused: (origin: string) => void;
}

interface RequestLike extends FailableRequest {
  origin?: unknown;
  method?: unknown;
}

const CHANNEL = "undici:request:create";
/** As `proxyBaseUrl` writes it. */
const PROXY_PATH = /^\/k\/[^/]+\/p\//;
/** As an HTTP proxy is asked for it (RFC 9112, section 3.2.2). */
const ABSOLUTE = /^https?:\/\/[^/]+(\/.*)$/i;
/** Addresses remembered; there is one, or a few after a change of the port. */
const MAX_KNOWN = 64;

/** Why a request failed; holds no key. */
export class ForwardProxyError extends Error {
  constructor(origin: string) {
    super(
      `ClawXRouter refused to send a request for its own proxy by way of ${origin}: HTTP_PROXY is set, and NO_PROXY does ` +
        "not name 127.0.0.1. Add 127.0.0.1 to NO_PROXY in the gateway's environment and start it again",
    );
    this.name = "ForwardProxyError";
  }
}

/** Starts it; the result ends it. */
export function startForwardProxyDoor(deps: ForwardProxyDeps): () => void {
  /** Hosts with ports that requests for the egress proxy were made for. */
  const asked = new Set<string>();
  const onCreate = (message: unknown): void => {
    const { request } = message as { request?: RequestLike };
    if (request === undefined) return;
    const path = String(request.path ?? "");
    const origin = String(request.origin ?? "");
    if (PROXY_PATH.test(path) && URL.canParse(origin)) {
      if (asked.size < MAX_KNOWN) asked.add(new URL(origin).host);
      return;
    }
    // A tunnel is made after the request that it is for.
    const isTunnel = request.method === "CONNECT" && asked.has(path);
    if (!isTunnel && !PROXY_PATH.test(ABSOLUTE.exec(path)?.[1] ?? "")) return;
    const proxy = URL.canParse(origin) ? new URL(origin).origin : "an HTTP proxy";
    failRequest(request, new ForwardProxyError(proxy));
    quietly(() => deps.refused(proxy));
  };
  diagnostics.subscribe(CHANNEL, onCreate);
  return () => {
    diagnostics.unsubscribe(CHANNEL, onCreate);
  };
}

const PROXY_VARIABLES = ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"];

/**
 * Names the egress proxy's address in `NO_PROXY`, where an HTTP proxy is set and `NO_PROXY` leaves it out: clients read
 * the variable at each request. Only this address; what else goes by way of the proxy still does.
 * @returns undoes it
 */
export function exemptFromForwardProxy(port: number, env: NodeJS.ProcessEnv = process.env): () => void {
  if (!PROXY_VARIABLES.some((name) => (env[name] ?? "") !== "")) return () => undefined;
  // The lower-case name hides the other one, also when it is empty.
  const name = env.no_proxy === undefined ? "NO_PROXY" : "no_proxy";
  const before = env[name];
  const own = `127.0.0.1:${port}`;
  const entries = (before ?? "").split(/[\s,]+/).filter((entry) => entry !== "");
  if (entries.some((entry) => entry === "*" || entry === own || entry === "127.0.0.1"))
    return () => undefined;
  const now = [...entries, own].join(",");
  env[name] = now;
  return () => {
    if (env[name] !== now) return;
    if (before === undefined) delete env[name];
    else env[name] = before;
  };
}
