/** Undoes HTTP content codings (RFC 9110 section 8.4) of a whole body; a cut or damaged one gives what came. */
import { createHash, hash } from "node:crypto";
import type { Transform } from "node:stream";
import zlib from "node:zlib";

/** A body that grows beyond this was made to: decoding stops and says so. */
const MAX_DECODED_LENGTH = 1024 * 1024 * 1024;

/** No coding needs more bytes to say that there is nothing. */
const LARGEST_EMPTY = 64;

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
  if (wire.length === 0) return body;
  for (const coding of codings.toReversed()) {
    const next = await runDecoder(() => decoderFor(coding, body.bytes), body.bytes);
    if (!next) return { ...body, error: `unknown content coding "${coding}"` };
    // Not in this coding at all, whatever the header says: the bytes as they came are better than none.
    if (next.length === 0 && (next.error !== undefined || body.length > LARGEST_EMPTY))
      return { ...body, error: next.error ?? `no ${coding} data` };
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
      return typeof zlib.createZstdDecompress === "function"
        ? zlib.createZstdDecompress({ finishFlush: zlib.constants.ZSTD_e_flush })
        : undefined;
    default:
      return undefined;
  }
}

function isZlib(head: Buffer): boolean {
  const [cmf = 0, flg = 0] = head;
  return (cmf & 0x0f) === 8 && (cmf * 256 + flg) % 31 === 0;
}

/** @param create undefined for an unknown coding; called again for each further frame of a body. */
function runDecoder(create: () => Transform | undefined, input: Buffer): Promise<DecodedBody | undefined> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    const digest = createHash("sha256");
    let kept = 0;
    let length = 0;
    const keep = (part: Buffer) => {
      length += part.length;
      digest.update(part);
      if (kept >= MAX_DECODED_BYTES) return;
      const piece = part.subarray(0, MAX_DECODED_BYTES - kept);
      kept += piece.length;
      parts.push(piece);
    };
    const next = (from: number) => {
      const decoder = create();
      if (!decoder) return resolve(undefined);
      let settled = false;
      const finish = (error?: string) => {
        if (settled) return;
        settled = true;
        const consumed = from + Number(Reflect.get(decoder, "bytesWritten"));
        decoder.destroy();
        // A server that flushes may send frame after frame (RFC 8878, section 3).
        if (error === undefined && consumed > from && isZstdFrame(input, consumed)) return next(consumed);
        resolve({
          bytes: Buffer.concat(parts),
          length,
          sha256: digest.digest("hex"),
          ...(error !== undefined && { error }),
        });
      };
      decoder.on("data", (part: Buffer) => {
        if (settled) return;
        keep(part);
        if (length > MAX_DECODED_LENGTH) finish("decoded body larger than 1 GiB");
      });
      decoder.once("error", (error: NodeJS.ErrnoException) => finish(error.code ?? error.message));
      decoder.once("end", () => finish());
      decoder.end(from === 0 ? input : input.subarray(from));
    };
    next(0);
  });
}

/** Whether a Zstandard or skippable frame starts here. */
function isZstdFrame(bytes: Buffer, at: number): boolean {
  if (at + 4 > bytes.length) return false;
  const magic = bytes.readUInt32LE(at);
  return magic === 0xfd2fb528 || (magic & 0xfffffff0) >>> 0 === 0x184d2a50;
}
