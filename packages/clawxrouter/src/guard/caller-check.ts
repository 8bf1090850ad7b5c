/**
 * In a process that has no proxy of its own (`openclaw memory index`, an agent without a gateway): nothing made for the
 * proxy is written to a connection before whoever is at its other end has shown that he holds the install key. While the
 * gateway is down any program of this machine can listen there.
 *
 * It rests on undici's `undici:client:connected` channel, which comes before the first byte is written; tests hold for
 * the versions of undici in use.
 */
import diagnostics from "node:diagnostics_channel";
import { isEgressOrigin } from "@clawx/shared-security";
import { PROXY_PATH, StrangerError } from "./door.ts";
import { type FailableRequest, failRequest, quietly } from "./fail-request.ts";

export interface CallerCheckDeps {
  /** Asks who listens at a loopback port. */
  isOurProxy: (port: number) => Promise<boolean>;
  /** Told of each refusal. */
  refused: (origin: string) => void;
}

interface RequestLike extends FailableRequest {
  origin?: unknown;
}

/** The parts of a socket that are used. */
interface SocketLike {
  cork(): void;
  uncork(): void;
  destroy(error?: Error): unknown;
  once(event: "close", listener: () => void): unknown;
}

interface Connected {
  connectParams?: { protocol?: unknown; hostname?: unknown; port?: unknown };
  socket?: SocketLike;
}

interface Holder {
  /** Origins that requests for the proxy have been made for. */
  asked: Set<string>;
  /** Connections to an origin that were made before, when nobody was to be asked; how many are open. */
  unasked: Map<string, number>;
  stop: () => void;
}

/** The host registers plugins several times in a process: one check is enough, the newest. */
const KEY = Symbol.for("clawxrouter.caller-check");
const CREATE = "undici:request:create";
const CONNECTED = "undici:client:connected";

/** Starts it; the result ends it. */
export function startCallerCheck(deps: CallerCheckDeps): () => void {
  const process = globalThis as { [KEY]?: Holder };
  const {
    asked = new Set<string>(),
    unasked = new Map<string, number>(),
    stop: stopOlder,
  } = process[KEY] ?? {};
  stopOlder?.();

  const refuse = (origin: string): StrangerError => {
    quietly(() => deps.refused(origin));
    return new StrangerError(origin);
  };
  const onCreate = (message: unknown) => {
    const { request } = message as { request?: RequestLike };
    if (request === undefined || !PROXY_PATH.test(String(request.path ?? ""))) return;
    const origin = originOf(String(request.origin ?? ""));
    if (isEgressOrigin(origin)) return;
    asked.add(origin);
    if (!isLoopback(origin) || (unasked.get(origin) ?? 0) > 0) failRequest(request, refuse(origin));
  };
  const onConnected = (message: unknown) => {
    const { connectParams, socket } = message as Connected;
    if (socket === undefined) return;
    const origin = originOf(
      `${String(connectParams?.protocol)}//${String(connectParams?.hostname)}:${String(connectParams?.port)}`,
    );
    if (!isLoopback(origin) || isEgressOrigin(origin)) return;
    if (!asked.has(origin)) {
      count(unasked, origin, 1);
      socket.once("close", () => count(unasked, origin, -1));
      return;
    }
    socket.cork();
    deps.isOurProxy(portOf(origin)).then(
      (isOurs) => {
        if (isOurs) socket.uncork();
        else socket.destroy(refuse(origin));
      },
      () => socket.destroy(refuse(origin)),
    );
  };
  diagnostics.subscribe(CREATE, onCreate);
  diagnostics.subscribe(CONNECTED, onConnected);
  const stop = () => {
    diagnostics.unsubscribe(CREATE, onCreate);
    diagnostics.unsubscribe(CONNECTED, onConnected);
  };
  process[KEY] = { asked, unasked, stop };
  return stop;
}

function count(open: Map<string, number>, origin: string, by: number): void {
  const now = (open.get(origin) ?? 0) + by;
  if (now > 0) open.set(origin, now);
  else open.delete(origin);
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}

/** As `proxyBaseUrl` writes it: there is no other address of the proxy. */
function isLoopback(origin: string): boolean {
  return URL.canParse(origin) && new URL(origin).hostname === "127.0.0.1" && origin.startsWith("http:");
}

function portOf(origin: string): number {
  return Number(new URL(origin).port || 80);
}
