/**
 * HTTP through `undici`, whichever copy of it: Node's own `fetch` and the host's npm copy publish the same
 * `diagnostics_channel` events. Nothing is patched; a request costs a WeakMap look-up an event.
 * @see https://github.com/nodejs/undici/blob/main/docs/docs/api/DiagnosticsChannel.md
 */
import diagnosticsChannel from "node:diagnostics_channel";
import type { HeaderList } from "../redaction/wire.ts";
import type { CaptureSink, HttpSink, Seam } from "./seam.ts";

/** The part of undici's Request that its channels hand over. */
interface UndiciRequest {
  origin?: unknown;
  path?: unknown;
  method?: unknown;
  headers?: unknown;
}

interface ChannelMessage {
  request: UndiciRequest;
  chunk?: Uint8Array | string;
  response?: { statusCode: number; statusText?: string; headers?: unknown };
  error?: unknown;
}

export function undiciChannels(sink: CaptureSink): Seam {
  const open = new WeakMap<UndiciRequest, HttpSink>();
  /** The request whose chunk came last, and its exchange. */
  let latest: UndiciRequest | undefined;
  let latestExchange: HttpSink | undefined;
  let live = false;
  let seen = 0;

  const forget = (request: UndiciRequest): HttpSink | undefined => {
    const exchange = open.get(request);
    open.delete(request);
    latest = latestExchange = undefined;
    return exchange;
  };

  const handlers: Record<string, (message: ChannelMessage) => void> = {
    "undici:request:create": ({ request }) => {
      const method = String(request.method ?? "GET");
      const { origin, path } = target(request);
      const exchange = sink.http({
        seam: "undici-channels",
        origin,
        path,
        method,
        headers: headerList(request.headers),
      });
      if (!exchange) return;
      seen++;
      open.set(request, exchange);
    },
    "undici:request:bodyChunkSent": ({ request, chunk }) => {
      if (chunk !== undefined) open.get(request)?.requestChunk(chunk);
    },
    "undici:request:bodySent": ({ request }) => open.get(request)?.requestSent(),
    "undici:request:headers": ({ request, response }) => {
      if (!response || response.statusCode < 200) return;
      open
        .get(request)
        ?.responseHead(response.statusCode, response.statusText ?? "", headerList(response.headers));
    },
    "undici:request:bodyChunkReceived": ({ request, chunk }) => {
      // One after the other, the chunks of a read are of one request.
      if (request !== latest) {
        latest = request;
        latestExchange = open.get(request);
      }
      if (chunk !== undefined)
        latestExchange?.responseChunk(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
    },
    "undici:request:trailers": ({ request }) => forget(request)?.end(),
    "undici:request:error": ({ request, error }) => forget(request)?.fail(error),
  };
  const subscribers = Object.entries(handlers).map(([channel, handle]) => {
    // Called once a chunk: no argument lists, no closures made.
    const subscriber = (message: unknown): void => {
      try {
        // Node types channel messages as unknown; the shape is undici's documented one and every read is guarded.
        handle(message as ChannelMessage);
      } catch (error) {
        sink.fault(channel, error);
      }
    };
    return [channel, subscriber] as const;
  });

  return {
    name: "undici-channels",
    start() {
      if (live) return;
      for (const [channel, subscriber] of subscribers) diagnosticsChannel.subscribe(channel, subscriber);
      live = true;
    },
    stop() {
      for (const [channel, subscriber] of subscribers) diagnosticsChannel.unsubscribe(channel, subscriber);
      live = false;
      latest = latestExchange = undefined;
    },
    status: () => ({
      live,
      seen,
      reason: live ? "subscribed to undici:request:* of every undici copy" : "not subscribed",
    }),
  };
}

/** Through a forward proxy the path is the whole URL and the origin the proxy's. */
function target(request: UndiciRequest): { origin: string; path: string } {
  const path = String(request.path ?? "/");
  if (!/^https?:\/\//i.test(path) || !URL.canParse(path)) return { origin: originOf(request.origin), path };
  const { origin, pathname, search } = new URL(path);
  return { origin, path: pathname + search };
}

/** Origins seen, as text and as URL: the same few again and again. */
const ORIGINS = new Map<string, string>();
const MAX_ORIGINS = 500;

function originOf(origin: unknown): string {
  const text = String(origin ?? "");
  const known = ORIGINS.get(text);
  if (known !== undefined) return known;
  const parsed = URL.canParse(text) ? new URL(text).origin : text;
  if (ORIGINS.size >= MAX_ORIGINS) ORIGINS.clear();
  ORIGINS.set(text, parsed);
  return parsed;
}

/** Headers as undici's versions hold them: text lines (v5, v6), a flat list of names and values (v7, v8), an object (HTTP/2). */
export function headerList(headers: unknown): HeaderList {
  if (typeof headers === "string") {
    return headers.split("\r\n").flatMap((line) => {
      const colon = line.indexOf(":");
      return colon <= 0 ? [] : [[line.slice(0, colon), line.slice(colon + 1).trim()] as const];
    });
  }
  const pairs: [string, string][] = [];
  if (Array.isArray(headers)) {
    for (let i = 0; i + 1 < headers.length; i += 2) {
      const name = text(headers[i]);
      const value: unknown = headers[i + 1];
      if (Array.isArray(value)) for (const item of value) pairs.push([name, text(item)]);
      else pairs.push([name, text(value)]);
    }
  } else if (typeof headers === "object" && headers !== null) {
    for (const [name, value] of Object.entries(headers)) {
      if (Array.isArray(value)) for (const item of value) pairs.push([name, text(item)]);
      else pairs.push([name, text(value)]);
    }
  }
  return pairs;
}

function text(value: unknown): string {
  return Buffer.isBuffer(value) ? value.toString("latin1") : String(value);
}
