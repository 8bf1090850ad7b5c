/** How a call attempt ended, from what was seen on the wire. */
import type { Assembled } from "../assemble/assembler.ts";
import type { ModelPrice } from "../correlate/endpoints.ts";
import type { Outcome, Usage } from "../events.ts";
import type { Ending } from "./http-exchange.ts";

const ABORT_NAMES = new Set(["AbortError", "ResponseAborted", "TimeoutError", "RequestAbortedError"]);
const ABORT_CODES = new Set(["UND_ERR_ABORTED", "ABORT_ERR"]);

/** Whether an error means that the client gave up, rather than that the network failed. */
export function isAbort(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const name = Reflect.get(error, "name");
  const code = Reflect.get(error, "code");
  return (
    (typeof name === "string" && ABORT_NAMES.has(name)) || (typeof code === "string" && ABORT_CODES.has(code))
  );
}

export interface Verdict {
  outcome: Outcome;
  /** The provider's answer was received to its end. */
  complete: boolean;
}

/**
 * An abort after the protocol's own end is a success: clients close a stream as soon as they have read `[DONE]`.
 * @param status undefined when no response head came.
 */
export function judge(ending: Ending, status: number | undefined, assembled: Assembled | undefined): Verdict {
  const httpError = status !== undefined && status >= 400;
  if (ending.kind === "shutdown") return { outcome: "shutdown", complete: false };
  if (ending.kind === "error") {
    if (assembled?.terminal && !httpError) {
      return { outcome: assembled.error === undefined ? "ok" : "http_error", complete: true };
    }
    return { outcome: isAbort(ending.error) ? "aborted" : "network_error", complete: false };
  }
  if (httpError) return { outcome: "http_error", complete: true };
  if (assembled?.error !== undefined) return { outcome: "http_error", complete: assembled.terminal };
  return { outcome: "ok", complete: assembled === undefined || assembled.finished || assembled.terminal };
}

/** What went wrong, without anything of the request in it: name, code and message of the error and of its cause. */
export function describeError(error: unknown): { name: string; code?: string; message: string } {
  if (!(error instanceof Error)) return { name: "Error", message: String(error) };
  const cause = error.cause instanceof Error ? error.cause : undefined;
  const code: unknown = Reflect.get(error, "code") ?? (cause && Reflect.get(cause, "code"));
  const message = cause ? `${error.message}: ${cause.message}` : error.message;
  return { name: error.name, ...(typeof code === "string" && { code }), message: message.slice(0, 8_000) };
}

/** USD of an attempt, undefined where tokens or price are unknown. */
export function costOf(usage: Usage | undefined, price: ModelPrice | undefined): number | undefined {
  if (!usage || !price) return undefined;
  const millionths =
    usage.input * price.input +
    usage.output * price.output +
    usage.cacheRead * price.cacheRead +
    usage.cacheWrite * price.cacheWrite;
  return millionths / 1_000_000;
}
