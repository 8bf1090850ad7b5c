/** Undoes HTTP content codings (RFC 9110 section 8.4) of a whole body; a cut or damaged one gives what came. */
import { createHash, hash } from "node:crypto";
import type { Transform } from "node:stream";
import zlib from "node:zlib";

/** Most decoded bytes held; a longer body keeps its head and is still measured and hashed. */
export const MAX_DECODED_BYTES = 32 * 1024 * 1024;

export interface DecodedBody {
  /** Decoded bytes, at most `MAX_DECODED_BYTES`. */
  bytes: Buffer;
  /** Length of the whole decoded body. */
  length: number;
  /** Lower-case hex SHA-256 of the whole decoded body. */
  sha256: string;
  /** Why decoding stopped early; undefined when the coding ended cleanly or there was none. */
  error?: string;
}

/** The codings of a `content-encoding` header, in the order in which they were applied; `identity` left out. */
export function contentCodings(header: string | undefined): string[] {
  if (!header) return [];
  return header
    .toLowerCase()
    .split(",")
    .map((coding) => coding.trim())
    .filter((coding) => coding !== "" && coding !== "identity");
}

/** Decodes a body without codings: no copy, no wait, the hash only when somebody wants it. */
export function decodeIdentity(wire: Buffer): DecodedBody {
  let sha256: string | undefined;
  return {
    bytes: wire,
    length: wire.length,
    get sha256() {
      sha256 ??= hash("sha256", wire, "hex");
      return sha256;
    },
  };
}

/**
 * Undoes the codings, last applied first.
 * @returns what could be decoded; `error` says what stopped it (an unknown coding gives the wire bytes).
 */
export async function decodeBody(wire: Buffer, codings: string[]): Promise<DecodedBody> {
  let body = decodeIdentity(wire);
  for (const coding of codings.toReversed()) {
    const decoder = decoderFor(coding, body.bytes);
    if (!decoder) return { ...body, error: `unknown content coding "${coding}"` };
    const next = await runDecoder(decoder, body.bytes);
    const error = body.error ?? next.error;
    body = { ...next, ...(error !== undefined && { error }) };
  }
  return body;
}

function decoderFor(coding: string, head: Buffer): Transform | undefined {
  switch (coding) {
    case "gzip":
    case "x-gzip":
      return zlib.createGunzip({ finishFlush: zlib.constants.Z_SYNC_FLUSH });
    case "deflate":
      // RFC 9110 means the zlib format; some servers send raw deflate, told apart by the zlib header.
      return isZlib(head)
        ? zlib.createInflate({ finishFlush: zlib.constants.Z_SYNC_FLUSH })
        : zlib.createInflateRaw({ finishFlush: zlib.constants.Z_SYNC_FLUSH });
    case "br":
      return zlib.createBrotliDecompress({ finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH });
    case "zstd":
      // Node >= 22.15; an older runtime leaves the body as it came and says so.
      return typeof zlib.createZstdDecompress === "function" ? zlib.createZstdDecompress() : undefined;
    default:
      return undefined;
  }
}

function isZlib(head: Buffer): boolean {
  const [cmf = 0, flg = 0] = head;
  return (cmf & 0x0f) === 8 && (cmf * 256 + flg) % 31 === 0;
}

function runDecoder(decoder: Transform, input: Buffer): Promise<DecodedBody> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    const digest = createHash("sha256");
    let kept = 0;
    let length = 0;
    let settled = false;
    const finish = (error?: string) => {
      if (settled) return;
      settled = true;
      decoder.destroy();
      const sha256 = digest.digest("hex");
      resolve({ bytes: Buffer.concat(parts), length, sha256, ...(error !== undefined && { error }) });
    };
    decoder.on("data", (part: Buffer) => {
      length += part.length;
      digest.update(part);
      if (kept >= MAX_DECODED_BYTES) return;
      const piece = part.subarray(0, MAX_DECODED_BYTES - kept);
      kept += piece.length;
      parts.push(piece);
    });
    decoder.once("error", (error: NodeJS.ErrnoException) => finish(error.code ?? error.message));
    decoder.once("end", () => finish());
    decoder.end(input);
  });
}
