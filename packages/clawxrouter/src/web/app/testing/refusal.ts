import type { ErrorBody, ErrorCode } from "../../contract.ts";

/** An error answer of the made-up API. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: ErrorBody;
  constructor(status: number, code: ErrorCode, more: Partial<ErrorBody["error"]>) {
    super(code);
    this.status = status;
    this.body = { error: { code, message: code, ...more } };
  }
}
