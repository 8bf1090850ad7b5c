/**
 * The second line inside the gateway process: no request to a model on another machine, through any copy of undici
 * (the host's, Node's fetch, a plugin's), leaves with a value of the vault in its body. It sees what bypasses the
 * proxy: a provider that is not behind it, a plugin with a client of its own.
 *
 * Other traffic is let through: a reply that a channel delivers holds the user's own values, and must.
 *
 * It rests on undici's `undici:request:create` channel, where the request can still be failed; tests hold for the
 * versions of undici in use.
 */
import diagnostics from "node:diagnostics_channel";
import { type FailableRequest, failRequest } from "./fail-request.ts";

export interface GuardDeps {
  /** Hosts that may receive anything: loopback and the user's own. */
  isLocalOrigin: (origin: string) => boolean;
  /** True for hosts of model providers, whatever the path. */
  isModelOrigin: (origin: string) => boolean;
  /** What private values a body holds, as a short reason; undefined when it may leave. */
  findPrivate: (body: string) => string | undefined;
  /** Told of each refusal. */
  refused: (origin: string, reason: string) => void;
}

interface RequestLike extends FailableRequest {
  origin?: unknown;
}

const CHANNEL = "undici:request:create";

/** Endpoints of the model protocols, on whatever host. */
const MODEL_PATH =
  /\/(?:chat\/completions|completions|responses|messages|embeddings|embed|generate)(?:[/?]|$)|\/api\/chat|:(?:stream)?generateContent|:(?:batch)?embedContents?/i;

/** Why a request failed; never holds the value. */
export class PrivateBodyError extends Error {
  constructor(origin: string, reason: string) {
    super(
      `ClawXRouter refused a request to ${origin}: its body holds private text (${reason}). Run: openclaw clawxrouter posture`,
    );
    this.name = "PrivateBodyError";
  }
}

/** Starts the guard; the result ends it. */
export function startGuard(deps: GuardDeps): () => void {
  const onCreate = (message: unknown) => {
    const request = (message as { request?: RequestLike }).request;
    if (request === undefined || request.body === null || request.body === undefined) return;
    const origin = String(request.origin ?? "");
    if (deps.isLocalOrigin(origin)) return;
    if (!deps.isModelOrigin(origin) && !MODEL_PATH.test(String(request.path ?? ""))) return;
    inspect(request, origin, deps);
  };
  diagnostics.subscribe(CHANNEL, onCreate);
  return () => {
    diagnostics.unsubscribe(CHANNEL, onCreate);
  };
}

function inspect(request: RequestLike, origin: string, deps: GuardDeps): void {
  const { body } = request;
  if (typeof body === "string" || body instanceof Uint8Array) {
    const reason = judge(text(body), deps);
    if (reason === undefined) return;
    deps.refused(origin, reason);
    failRequest(request, new PrivateBodyError(origin, reason));
    return;
  }
  // fetch hands bodies over as async iterables: hold all of it back until it has been read and judged.
  if (typeof body === "object" && body !== null && Symbol.asyncIterator in body) {
    request.body = held(body as AsyncIterable<unknown>, origin, deps);
  }
}

async function* held(body: AsyncIterable<unknown>, origin: string, deps: GuardDeps): AsyncGenerator<unknown> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body)
    chunks.push(chunk instanceof Uint8Array ? chunk : Buffer.from(String(chunk)));
  const whole = Buffer.concat(chunks);
  const reason = judge(text(whole), deps);
  if (reason !== undefined) {
    deps.refused(origin, reason);
    throw new PrivateBodyError(origin, reason);
  }
  yield whole;
}

/** A detector that fails must not open the door. */
function judge(body: string, deps: GuardDeps): string | undefined {
  try {
    return deps.findPrivate(body);
  } catch {
    return "it could not be checked";
  }
}

function text(body: string | Uint8Array): string {
  return typeof body === "string"
    ? body
    : Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8");
}
