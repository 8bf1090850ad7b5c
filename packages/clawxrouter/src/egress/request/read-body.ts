import type { IncomingMessage } from "node:http";
import { setImmediate } from "node:timers/promises";

/** Up to this size a copy is quick enough for the turn of the event loop it stands in, in bytes. */
const AT_ONCE = 2 * 1024 * 1024;

/** Thrown by {@link readBody}. */
export class BodyTooLargeError extends Error {
  constructor(limit: number) {
    super(`the request body is larger than ${limit} bytes`);
    this.name = "BodyTooLargeError";
  }
}

/**
 * Reads a request body.
 * @param limit most bytes accepted; a larger `content-length` is refused before anything is read
 * @throws BodyTooLargeError past the limit; the stream's error when the caller hangs up
 */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const announced = Number(request.headers["content-length"] ?? 0);
  if (announced > limit) throw new BodyTooLargeError(limit);
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    const bytes: Buffer = part;
    size += bytes.length;
    if (size > limit) throw new BodyTooLargeError(limit);
    parts.push(bytes);
  }
  if (parts.length === 1 && parts[0]) return parts[0];
  const whole = Buffer.concat(parts, size);
  // A large copy is a stretch of its own.
  if (size > AT_ONCE) await setImmediate();
  return whole;
}
