/**
 * The `ws` npm module: OpenClaw's own client for Responses over WebSocket. Every loaded copy's prototype gets a `send`
 * and an `emit` that look first and then call the original. Only client sockets to model endpoints are followed.
 */
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { entryPoints } from "./host-module.ts";
import { type CaptureSink, deliverFrame, guarded, type Seam, type SocketSink } from "./seam.ts";

/** The part of a `ws` WebSocket that is used. */
interface WsSocket {
  url?: unknown;
  _isServer?: unknown;
}

type Method = (this: WsSocket, ...args: unknown[]) => unknown;

interface Patched {
  prototype: object;
  names: ("send" | "emit")[];
  originals: Map<string, Method>;
  replacements: Map<string, Method>;
}

/** @param entry the host's main script, from which its `ws` is found; replaceable for tests. */
export function wsModule(sink: CaptureSink, entry: string | undefined = process.argv[1]): Seam {
  const sockets = new WeakMap<WsSocket, SocketSink | "other">();
  let patched: Patched[] = [];
  let reason = "not started";
  let seen = 0;

  function follow(socket: WsSocket): SocketSink | undefined {
    const known = sockets.get(socket);
    if (known) return known === "other" ? undefined : known;
    if (socket._isServer === true || typeof socket.url !== "string") return undefined;
    const target = sink.socket({ seam: "ws-module", url: socket.url, headers: [] });
    sockets.set(socket, target ?? "other");
    if (target) seen++;
    return target;
  }

  const onSend = guarded(sink, "ws send", (socket: WsSocket, data: unknown) => {
    const target = follow(socket);
    if (target) deliverFrame(sink, data, (frame) => target.sent(frame));
  });
  const onEmit = guarded(
    sink,
    "ws emit",
    (socket: WsSocket, event: unknown, first: unknown, second: unknown) => {
      if (event === "message") {
        const target = follow(socket);
        if (target) deliverFrame(sink, first, (frame) => target.received(frame));
      } else if (event === "close") {
        const target = sockets.get(socket);
        if (target && target !== "other")
          target.closed(
            typeof first === "number" ? first : undefined,
            second instanceof Error ? second : undefined,
          );
      }
    },
  );

  function patch(prototype: object): Patched | undefined {
    const send: unknown = Reflect.get(prototype, "send");
    const emit: unknown = Reflect.get(prototype, "emit");
    if (typeof send !== "function" || typeof emit !== "function") return undefined;
    const originals = new Map<string, Method>([
      ["send", send as Method],
      ["emit", emit as Method],
    ]);
    const replacements = new Map<string, Method>([
      [
        "send",
        function send(this: WsSocket, ...args) {
          onSend(this, args[0]);
          return Reflect.apply(originals.get("send") as Method, this, args);
        },
      ],
      [
        "emit",
        function emit(this: WsSocket, ...args) {
          onEmit(this, args[0], args[1], args[2]);
          return Reflect.apply(originals.get("emit") as Method, this, args);
        },
      ],
    ]);
    // `emit` is inherited from EventEmitter: an own property shadows it and can be taken away again.
    for (const [name, value] of replacements) {
      Object.defineProperty(prototype, name, {
        value,
        configurable: true,
        writable: true,
        enumerable: false,
      });
    }
    return { prototype, names: ["send", "emit"], originals, replacements };
  }

  return {
    name: "ws-module",
    start() {
      if (patched.length > 0) return;
      const prototypes = wsPrototypes(entry);
      patched = prototypes.flatMap((prototype) => patch(prototype) ?? []);
      const copies = patched.length === 1 ? "1 copy" : `${patched.length} copies`;
      reason = patched.length > 0 ? `watching ${copies} of ws` : "the host has no ws module";
    },
    stop() {
      for (const { prototype, originals, replacements } of patched) {
        for (const [name, original] of originals) {
          // Another wrapper on top of ours stays working: it holds our function, which still calls the original.
          if (Reflect.get(prototype, name) !== replacements.get(name)) continue;
          if (name === "emit") Reflect.deleteProperty(prototype, name);
          else
            Object.defineProperty(prototype, name, { value: original, configurable: true, writable: true });
        }
      }
      patched = [];
      reason = "stopped";
    },
    status: () => ({ live: patched.length > 0, seen, reason }),
  };
}

/** Prototypes of the copies of `ws` that the host's code would load, each once. */
function wsPrototypes(entry: string | undefined): object[] {
  const found = new Set<object>();
  for (const from of entryPoints(entry)) {
    try {
      const require = createRequire(pathToFileURL(from));
      const main: unknown = require("ws");
      for (const candidate of [
        main,
        typeof main === "object" && main !== null ? Reflect.get(main, "WebSocket") : undefined,
      ]) {
        if (typeof candidate === "function" && typeof candidate.prototype === "object")
          found.add(candidate.prototype);
      }
      for (const loaded of Object.values(require.cache)) {
        if (!loaded || !/[/\\]ws[/\\]lib[/\\]websocket\.js$/.test(loaded.filename)) continue;
        const copy: unknown = loaded.exports;
        if (typeof copy === "function" && typeof copy.prototype === "object") found.add(copy.prototype);
      }
    } catch {
      // This entry has no ws beside it; the next one may.
    }
  }
  return [...found];
}
