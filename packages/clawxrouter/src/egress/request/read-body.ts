import type { IncomingMessage } from "node:http";

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
  return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts, size);
}
