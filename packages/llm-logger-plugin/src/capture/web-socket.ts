/**
 * `globalThis.WebSocket`: undici announces each opened one on `undici:websocket:open` and hands the instance over.
 * Incoming frames are listened to; outgoing ones are seen by an own `send` on that instance, removed on stop.
 */
import diagnosticsChannel from "node:diagnostics_channel";
import { type CaptureSink, deliverFrame, guarded, type Seam } from "./seam.ts";

interface OpenMessage {
  websocket?: unknown;
}

export function webSocket(sink: CaptureSink): Seam {
  const attached = new Set<() => void>();
  let live = false;
  let seen = 0;

  const onOpen = guarded(sink, "undici:websocket:open", (message: unknown) => {
    const socket = (message as OpenMessage).websocket;
    if (!(socket instanceof EventTarget) || !("url" in socket) || !("send" in socket)) return;
    const target = sink.socket({ seam: "web-socket", url: String(socket.url), headers: [] });
    if (!target) return;
    seen++;
    const original = socket.send;
    if (typeof original !== "function") return;
    const forward = guarded(sink, "web-socket send", (data: unknown) => {
      deliverFrame(sink, data, (frame) => target.sent(frame));
    });
    const own = function send(this: unknown, ...args: unknown[]): unknown {
      forward(args[0]);
      return Reflect.apply(original, this, args);
    };
    Object.defineProperty(socket, "send", { value: own, configurable: true, writable: true });
    const onMessage = guarded(sink, "web-socket message", (event: Event) => {
      const data: unknown = event instanceof MessageEvent ? event.data : undefined;
      deliverFrame(sink, data, (frame) => target.received(frame));
    });
    const detach = () => {
      socket.removeEventListener("message", onMessage);
      socket.removeEventListener("close", onClose);
      Reflect.deleteProperty(socket, "send");
      attached.delete(detach);
    };
    const onClose = guarded(sink, "web-socket close", (event: Event) => {
      const code: unknown = Reflect.get(event, "code");
      target.closed(typeof code === "number" ? code : undefined);
      detach();
    });
    socket.addEventListener("message", onMessage);
    socket.addEventListener("close", onClose);
    attached.add(detach);
  });

  return {
    name: "web-socket",
    start() {
      if (live) return;
      diagnosticsChannel.subscribe("undici:websocket:open", onOpen);
      live = true;
    },
    stop() {
      diagnosticsChannel.unsubscribe("undici:websocket:open", onOpen);
      for (const detach of [...attached]) detach();
      live = false;
    },
    status: () => ({ live, seen, reason: live ? "subscribed to undici:websocket:open" : "not subscribed" }),
  };
}
