import type { ErrorBody, ErrorCode } from "../../contract.ts";

/** A request to the gateway that did not succeed. `offline`: no answer at all. */
export class ApiFault extends Error {
  readonly code: ErrorCode | "offline";
  readonly status: number;
  readonly detail: Partial<ErrorBody["error"]>;

  constructor(code: ErrorCode | "offline", status: number, detail: Partial<ErrorBody["error"]> = {}) {
    super(detail.message ?? code);
    this.name = "ApiFault";
    this.code = code;
    this.status = status;
    this.detail = detail;
  }
}

function isErrorBody(value: unknown): value is ErrorBody {
  if (typeof value !== "object" || value === null || !("error" in value)) return false;
  const { error } = value;
  return typeof error === "object" && error !== null && "code" in error && typeof error.code === "string";
}

/** From an answer with a status of 400 or more. */
export async function faultOf(response: Response): Promise<ApiFault> {
  const body: unknown = await response.json().catch(() => undefined);
  if (isErrorBody(body)) return new ApiFault(body.error.code, response.status, body.error);
  return new ApiFault(response.status === 401 ? "unauthenticated" : "internal", response.status);
}
