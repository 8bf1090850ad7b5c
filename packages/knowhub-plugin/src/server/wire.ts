/** A request the wire contract does not allow; the message goes to the client. */
export class HttpError extends Error {
  readonly status: number;
  readonly details: unknown;
  constructor(status: number, message: string, details?: unknown) {
    super(message);
    this.status = status;
    this.details = details;
  }
}

export interface WireRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
  idempotencyKey?: string;
}

export interface WireAnswer {
  status: number;
  body: unknown;
}
