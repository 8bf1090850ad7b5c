import type { IncomingMessage } from "node:http";
import { ApiError } from "./errors.ts";

/** Largest body, in bytes: a whole configuration with room to spare. */
export const MAX_BODY_BYTES = 2 * 1024 * 1024;
/** Largest body of somebody who is not signed in. */
export const MAX_OPEN_BODY_BYTES = 16 * 1024;
/** Longest wait for a body, in milliseconds. */
const BODY_TIMEOUT_MS = 15_000;
const OPEN_BODY_TIMEOUT_MS = 3_000;
/** Settings are four or five levels deep; what is much deeper is there to exhaust the stack of whoever walks it. */
const MOST_LEVELS = 64;

/**
 * @param open from somebody who is not signed in: less, and faster
 * @throws ApiError when the body is too large, too slow or no JSON
 */
export async function readJson(request: IncomingMessage, open = false): Promise<unknown> {
  const most = open ? MAX_OPEN_BODY_BYTES : MAX_BODY_BYTES;
  if (Number(request.headers["content-length"] ?? 0) > most) throw tooLarge(most);
  const timeout = open ? OPEN_BODY_TIMEOUT_MS : BODY_TIMEOUT_MS;
  const text = (await collect(request, most, timeout)).toString("utf8");
  if (text.trim() === "") return {};
  refuseDeep(text);
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError("invalid", "the body is not JSON");
  }
}

/** @throws ApiError when JSON text is nested deeper than any document of ours */
export function refuseDeep(text: string): void {
  let levels = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (quoted) {
      if (code === 0x5c) at += 1;
      else if (code === 0x22) quoted = false;
    } else if (code === 0x22) quoted = true;
    else if (code === 0x7b || code === 0x5b) {
      levels += 1;
      if (levels > MOST_LEVELS) throw new ApiError("invalid", `nested more than ${MOST_LEVELS} levels deep`);
    } else if (code === 0x7d || code === 0x5d) levels -= 1;
  }
}

function collect(request: IncomingMessage, most: number, timeoutMs: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (error?: Error): void => {
      clearTimeout(timer);
      request.off("data", onData).off("end", onEnd).off("error", onError).off("close", onClose);
      if (error === undefined) resolve(Buffer.concat(chunks));
      else {
        request.pause();
        reject(error);
      }
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > most) end(tooLarge(most));
      else chunks.push(chunk);
    };
    const onEnd = (): void => end();
    const onError = (): void => end(new ApiError("invalid", "the body could not be read"));
    const onClose = (): void => end(new ApiError("invalid", "the body was cut off"));
    const timer = setTimeout(
      () => end(new ApiError("too-large", "the body took too long")),
      timeoutMs,
    ).unref();
    request.on("data", onData).on("end", onEnd).on("error", onError).on("close", onClose);
  });
}

function tooLarge(most: number): ApiError {
  return new ApiError("too-large", `at most ${most} bytes`);
}
