import type { IncomingMessage } from "node:http";
import { ApiError } from "./errors.ts";

/** Largest body, in bytes: a whole configuration with room to spare. */
export const MAX_BODY_BYTES = 2 * 1024 * 1024;
/** Longest wait for it, in milliseconds. */
const BODY_TIMEOUT_MS = 15_000;

/** @throws ApiError when the body is too large, too slow or no JSON */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  if (Number(request.headers["content-length"] ?? 0) > MAX_BODY_BYTES) throw tooLarge();
  const text = (await collect(request)).toString("utf8");
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError("invalid", "the body is not JSON");
  }
}

function collect(request: IncomingMessage): Promise<Buffer> {
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
      if (size > MAX_BODY_BYTES) end(tooLarge());
      else chunks.push(chunk);
    };
    const onEnd = (): void => end();
    const onError = (): void => end(new ApiError("invalid", "the body could not be read"));
    const onClose = (): void => end(new ApiError("invalid", "the body was cut off"));
    const timer = setTimeout(
      () => end(new ApiError("too-large", "the body took too long")),
      BODY_TIMEOUT_MS,
    ).unref();
    request.on("data", onData).on("end", onEnd).on("error", onError).on("close", onClose);
  });
}

function tooLarge(): ApiError {
  return new ApiError("too-large", `at most ${MAX_BODY_BYTES} bytes`);
}
