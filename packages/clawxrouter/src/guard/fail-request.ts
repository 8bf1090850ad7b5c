/**
 * Fails a request of undici that was only just made. An error thrown in a diagnostics channel's subscriber stops nothing:
 * Node hands it to the process as an uncaught exception, which ends the gateway.
 */

import { Readable } from "node:stream";

/** The parts of undici's internal request that are used; everything is checked before it is touched. */
export interface FailableRequest {
  path?: unknown;
  headers?: unknown;
  body?: unknown;
  /** undici 5 to 8: what a request is aborted with before anything of it is written. */
  error?: unknown;
  /** undici 5 to 7. */
  onError?: (error: Error) => void;
}

/** Whether a body is a stream of Node, or of a copy of it. */
export function isStream(body: unknown): body is AsyncIterable<unknown> & { destroy(): unknown } {
  return (
    typeof body === "object" &&
    body !== null &&
    "off" in body &&
    typeof body.off === "function" &&
    "destroy" in body &&
    typeof body.destroy === "function"
  );
}

/** The request's promise rejects with `error` (or one that names it as cause); nothing of the request is sent. Never throws. */
export function failRequest(request: FailableRequest, error: Error): void {
  try {
    // Whatever an unknown undici makes of the rest: there is nothing left in it to send.
    if (isStream(request.body)) {
      // undici has listeners on a stream, and takes them off when all is over.
      request.body.destroy();
      request.body = Readable.from([]);
    } else if (request.body !== null && request.body !== undefined) request.body = "";
    request.headers = Array.isArray(request.headers) ? [] : "";
    request.path = "/";
    request.error = error;
    if (typeof request.onError === "function") request.onError(error);
  } catch {
    // A request whose parts cannot be changed is no request of undici.
  }
}

/**
 * Does what may fail without keeping a refusal from holding: an error in a subscriber of a diagnostics channel ends the
 * gateway, and the request leaves all the same.
 */
export function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // The refusal stands; there is nobody left to tell.
  }
}
