import type { RefusalCode } from "../types.ts";

/** A request that must not leave; its message is shown to the user, so it is free of private text. */
export class RefusedError extends Error {
  readonly code: RefusalCode;
  constructor(code: RefusalCode, message: string) {
    super(message);
    this.name = "RefusedError";
    this.code = code;
  }
}
