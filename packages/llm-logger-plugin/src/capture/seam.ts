/** One place in the host where model traffic can be seen. Every seam has this shape; the tenth reads like the first. */
import type { CallInfo } from "../correlate/calls.ts";
import type { Correlator } from "../correlate/correlator.ts";
import type { HeaderList } from "../redaction/wire.ts";

export type SeamName = "undici-channels" | "ws-module" | "web-socket" | "fetch-patch" | "agent-patch";

export interface SeamStatus {
  /** Attached and able to see traffic. */
  live: boolean;
  /** Why it is live or not, for the status page. */
  reason: string;
  /** Requests or frames that this seam handed on. */
  seen: number;
}

export interface Seam {
  readonly name: SeamName;
  /** Attaches. Must not throw; a seam that the host lacks stays not live and says why. */
  start(): void;
  /** Undoes everything `start()` did. */
  stop(): void;
  status(): SeamStatus;
}

/** The first facts of an HTTP request. */
export interface HttpStart {
  seam: SeamName;
  /** Scheme, host and port. */
  origin: string;
  /** Path with query. */
  path: string;
  method: string;
  headers: HeaderList;
  /** The seam delivers the response with its content coding undone already (as `fetch` does). */
  decoded?: boolean;
}

/** What a seam reports about one HTTP request, in this order. Every method is cheap and never throws. */
export interface HttpSink {
  requestChunk(chunk: Uint8Array | string): void;
  /** The request body is complete. */
  requestSent(): void;
  responseHead(status: number, statusText: string, headers: HeaderList): void;
  responseChunk(chunk: Uint8Array): void;
  /** The response body is complete. */
  end(): void;
  /** The exchange failed or was given up, at any point. */
  fail(error: unknown): void;
}

/** One WebSocket to a model endpoint. */
export interface SocketSink {
  sent(frame: Uint8Array | string): void;
  received(frame: Uint8Array | string): void;
  closed(code: number | undefined, error?: unknown): void;
}

/** Where seams deliver. */
export interface CaptureSink {
  readonly correlator: Correlator;
  /** A provider request as the host's agent loop hands it to the provider, before any transport. */
  payload(call: CallInfo, payload: unknown): void;
  callStarted(call: CallInfo): void;
  callEnded(spanId: string, ended: NonNullable<CallInfo["ended"]>): void;
  /** @returns undefined when the request is none of ours: the seam then forgets it. */
  http(start: HttpStart): HttpSink | undefined;
  /** @returns undefined when the socket goes to no model endpoint. */
  socket(start: { seam: SeamName; url: string; headers: HeaderList }): SocketSink | undefined;
  /** An internal fault of the logger; counted and told once. Never throws. */
  fault(where: string, error: unknown): void;
}

/** A WebSocket frame's bytes; undefined for what is none. A Blob's bytes come later. */
export function frameOf(data: unknown): Uint8Array | string | Blob | undefined {
  if (typeof data === "string" || data instanceof Uint8Array || data instanceof Blob) return data;
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  if (data instanceof ArrayBuffer || data instanceof SharedArrayBuffer) return new Uint8Array(data);
  if (Array.isArray(data) && data.every((part) => part instanceof Uint8Array)) return Buffer.concat(data);
  return undefined;
}

/** Hands a frame on: at once, or as soon as its bytes can be read. */
export function deliverFrame(
  sink: CaptureSink,
  data: unknown,
  deliver: (frame: Uint8Array | string) => void,
): void {
  const frame = frameOf(data);
  if (frame === undefined) return;
  if (!(frame instanceof Blob)) {
    deliver(frame);
    return;
  }
  frame
    .arrayBuffer()
    .then((bytes) => deliver(new Uint8Array(bytes)))
    .catch((error: unknown) => sink.fault("WebSocket frame", error));
}

/** Runs a subscriber so that nothing it throws reaches the host. */
export function guarded<A extends unknown[]>(
  sink: CaptureSink,
  where: string,
  run: (...args: A) => void,
): (...args: A) => void {
  return (...args) => {
    try {
      run(...args);
    } catch (error) {
      sink.fault(where, error);
    }
  };
}
