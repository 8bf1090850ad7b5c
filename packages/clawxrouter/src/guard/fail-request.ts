/**
 * Fails a request of undici that was only just made. An error thrown in a diagnostics channel's subscriber stops nothing:
 * Node hands it to the process as an uncaught exception, which ends the gateway.
 */

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

/** The request's promise rejects with `error` (or one that names it as cause); nothing of the request is sent. Never throws. */
export function failRequest(request: FailableRequest, error: Error): void {
  try {
    // Whatever an unknown undici makes of the rest: there is nothing left in it to send.
    if (request.body !== null && request.body !== undefined) request.body = "";
    request.headers = Array.isArray(request.headers) ? [] : "";
    request.path = "/";
    request.error = error;
    if (typeof request.onError === "function") request.onError(error);
  } catch {
    // A request whose parts cannot be changed is no request of undici.
  }
}
