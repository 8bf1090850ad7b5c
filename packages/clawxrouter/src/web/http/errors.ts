/** What an endpoint answers when it does not do what was asked. */
import type { ErrorBody, ErrorCode, Fault } from "../contract/common.ts";

const STATUS: Record<ErrorCode, number> = {
  unauthenticated: 401,
  "bad-credential": 401,
  "bad-host": 403,
  "bad-origin": 403,
  "bad-csrf": 403,
  "not-local": 403,
  forbidden: 403,
  "not-found": 404,
  "bad-method": 405,
  conflict: 409,
  "too-large": 413,
  "bad-content-type": 415,
  invalid: 422,
  "rate-limited": 429,
  "too-many-streams": 503,
  unavailable: 503,
  internal: 500,
};

export interface ErrorDetails {
  fix?: string;
  path?: string;
  line?: number;
  faults?: Fault[];
  version?: string;
  retryAfterMs?: number;
}

/** Thrown by handlers; its message goes to the browser and must quote no value. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: ErrorCode;
  readonly details: ErrorDetails;
  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return STATUS[this.code];
  }

  body(): ErrorBody {
    return { error: { code: this.code, message: this.message, ...this.details } };
  }
}
