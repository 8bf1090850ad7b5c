/**
 * The second line inside the gateway process: no request to a model on another machine, through any copy of undici
 * (the host's, Node's fetch, a plugin's) or through `node:http` and `node:https`, leaves with a value of the vault in its
 * body, its path or its query. It sees what bypasses the proxy: a provider that is not behind it, a plugin with a client
 * of its own.
 *
 * Other traffic is let through: a reply that a channel delivers holds the user's own values, and must.
 *
 * It rests on diagnostics channels at which a request can still be failed; tests hold for the versions of undici and
 * Node in use. An error thrown there would end the gateway: nothing here throws.
 */
import diagnostics from "node:diagnostics_channel";
import { Readable } from "node:stream";
import { isChecked } from "../egress/checked.ts";
import { bytesOf, encodingOf, formBody, isForm, plainText } from "./body.ts";
import { type FailableRequest, failRequest, isStream } from "./fail-request.ts";
import { Judgement } from "./judgement.ts";
import { type HttpRequestLike, holdHttpRequest } from "./node-http.ts";

export interface GuardDeps {
  /** Hosts that may receive anything: loopback and the user's own. */
  isLocalOrigin: (origin: string) => boolean;
  /** True for hosts of model providers, whatever the path. */
  isModelOrigin: (origin: string) => boolean;
  /** What private values a text holds, as a short reason; undefined when it may leave. */
  findPrivate: (text: string) => string | undefined;
  /** Told of each refusal. */
  refused: (origin: string, reason: string) => void;
}

interface RequestLike extends FailableRequest {
  origin?: unknown;
  contentLength?: number | null;
  addHeader?: (name: string, value: string) => unknown;
}

const UNDICI = "undici:request:create";
const HTTP = "http.client.request.created";

/** Why a request failed; never holds the value. */
export class PrivateBodyError extends Error {
  constructor(origin: string, reason: string) {
    super(
      `ClawXRouter refused a request to ${origin}: it holds private text (${reason}). Run: openclaw clawxrouter posture`,
    );
    this.name = "PrivateBodyError";
  }
}

/** Starts the guard; the result ends it. */
export function startGuard(deps: GuardDeps): () => void {
  const onUndici = (message: unknown): void => {
    const { request } = message as { request?: RequestLike };
    if (request !== undefined) guarded(request, deps);
  };
  const onHttp = (message: unknown): void => {
    const { request } = message as { request?: HttpRequestLike };
    if (request !== undefined)
      holdHttpRequest(request, (origin, path) => Judgement.of(origin, path, deps), refuse(deps));
  };
  diagnostics.subscribe(UNDICI, onUndici);
  diagnostics.subscribe(HTTP, onHttp);
  return () => {
    diagnostics.unsubscribe(UNDICI, onUndici);
    diagnostics.unsubscribe(HTTP, onHttp);
  };
}

/** Tells of a refusal and makes the error of it. Never throws. */
function refuse(deps: GuardDeps): (origin: string, reason: string) => Error {
  return (origin, reason) => {
    try {
      deps.refused(origin, reason);
    } catch {
      // Who listens must not keep the refusal from holding.
    }
    return new PrivateBodyError(origin, reason);
  };
}

function guarded(request: RequestLike, deps: GuardDeps): void {
  const origin = String(request.origin ?? "");
  try {
    if (isChecked(request.body)) return;
    const judgement = Judgement.of(origin, String(request.path ?? ""), deps);
    if (judgement === undefined) return;
    const reason = judgement.path() ?? inspect(request, judgement, refuse(deps));
    if (reason !== undefined) failRequest(request, refuse(deps)(origin, reason));
  } catch {
    failRequest(request, refuse(deps)(origin, "it could not be checked"));
  }
}

/** Judges the body, or has it held back until it has been read. @returns why it may not leave, when that is known */
function inspect(
  request: RequestLike,
  judgement: Judgement,
  refused: (origin: string, reason: string) => Error,
): string | undefined {
  const { body } = request;
  if (body === null || body === undefined) return undefined;
  const encoding = encodingOf(request.headers);
  const ready = bytesOf(body);
  if (ready !== undefined && ready.length <= Judgement.AT_ONCE)
    return judgement.body(plainText(ready, encoding));
  const held = async function* (parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of parts) chunks.push(chunk);
    const whole = Buffer.concat(chunks);
    const reason = await judgement.inTurns(plainText(whole, encoding));
    if (reason !== undefined) throw refused(judgement.origin, reason);
    yield whole;
  };
  // fetch hands bodies over as async iterables: hold all of it back until it has been read and judged.
  if (ready !== undefined) {
    request.contentLength ??= ready.length;
    request.body = held(only(ready));
  } else if (isForm(body)) {
    const { type, parts } = formBody(body);
    request.addHeader?.("content-type", type);
    request.body = held(parts);
  } else if (isStream(body)) request.body = Readable.from(held(chunksOf(body)), { objectMode: false });
  else if (isAsync(body)) request.body = held(chunksOf(body));
  else if (isIterable(body)) request.body = held(chunksOf(body));
  else if (isBlob(body)) request.body = held(blobChunks(body));
  else return "its body is of an unknown kind";
  return undefined;
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function* chunksOf(body: AsyncIterable<unknown> | Iterable<unknown>): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) yield bytesOf(chunk) ?? Buffer.from(String(chunk));
}

async function* blobChunks(body: Blob): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(await body.arrayBuffer());
}

function isAsync(body: unknown): body is AsyncIterable<unknown> {
  return typeof body === "object" && body !== null && Symbol.asyncIterator in body;
}

function isIterable(body: unknown): body is Iterable<unknown> {
  return typeof body === "object" && body !== null && Symbol.iterator in body;
}

function isBlob(body: unknown): body is Blob {
  return (
    typeof body === "object" &&
    body !== null &&
    "arrayBuffer" in body &&
    typeof body.arrayBuffer === "function"
  );
}
