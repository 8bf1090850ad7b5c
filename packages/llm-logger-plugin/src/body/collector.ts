/**
 * Collects one direction of a body off the hot path: a chunk costs one array push. Hashing, joining and decoding
 * happen once, when the body has ended.
 */
import { createHash, type Hash, hash } from "node:crypto";

/** Most wire bytes kept in memory for decoding and assembling; beyond it only length and hash go on. */
export const MAX_KEPT_BYTES = 16 * 1024 * 1024;

/**
 * What `keep: "tail"` retains: a stream's start and end. Its usage stands in the last event, which in the Responses
 * protocol repeats the whole answer, the instructions and the tools.
 */
const HEAD_BYTES = 4 * 1024;
const TAIL_BYTES = 256 * 1024;

/** What `ends()` gives of a stream's end, at least. */
const ENDS_BYTES = 2 * 1024;

const SEPARATOR = Buffer.from("\n\n");

export class BodyCollector {
  /** Bytes seen on the wire. */
  wireBytes = 0;
  /** Every byte seen is still held. */
  complete = true;
  readonly #keep: "all" | "tail";
  readonly #limit: number;
  #chunks: Uint8Array[] = [];
  #kept = 0;
  #running: Hash | undefined;
  #head: Uint8Array[] = [];

  /**
   * @param keep `all` holds up to `limit` bytes and hashes everything; `tail` holds only the first and newest bytes, no hash.
   */
  constructor(keep: "all" | "tail", limit = MAX_KEPT_BYTES) {
    this.#keep = keep;
    this.#limit = limit;
  }

  push(chunk: Uint8Array | string): void {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk, "utf8") : chunk;
    this.wireBytes += bytes.byteLength;
    if (this.#keep === "tail") {
      this.#pushTail(bytes);
      return;
    }
    if (this.#running) {
      this.#running.update(bytes);
      return;
    }
    if (this.#kept + bytes.byteLength > this.#limit) {
      this.complete = false;
      this.#running = createHash("sha256");
      for (const kept of this.#chunks) this.#running.update(kept);
      this.#running.update(bytes);
      return;
    }
    this.#chunks.push(bytes);
    this.#kept += bytes.byteLength;
  }

  /** The held wire bytes, joined. For `tail`: the first and the last ones, a blank line between them. */
  joined(): Buffer {
    if (this.#head.length > 0)
      return Buffer.concat([...this.#head, Buffer.from(this.complete ? "" : "\n\n"), ...this.#chunks]);
    if (this.#chunks.length === 1) return asBuffer(this.#chunks[0] ?? Buffer.alloc(0));
    const all = Buffer.concat(this.#chunks);
    this.#chunks = [all];
    return all;
  }

  /**
   * The first and last few kB alone, a blank line between them: most streams tell their usage there, and joining those
   * costs the same for every length. Undefined where that would save nothing. Only for `tail`.
   */
  ends(): Buffer | undefined {
    if (this.#kept < 4 * ENDS_BYTES) return undefined;
    let from = this.#chunks.length;
    for (let size = 0; from > 0 && size < ENDS_BYTES; ) size += this.#chunks[--from]?.byteLength ?? 0;
    return Buffer.concat([...this.#head, SEPARATOR, ...this.#chunks.slice(from)]);
  }

  /** Lower-case hex SHA-256 of all wire bytes; null where `tail` saw more than it held. */
  sha256(): string | null {
    if (this.#running) return this.#running.copy().digest("hex");
    return this.complete ? hash("sha256", this.joined(), "hex") : null;
  }

  /** Drops what is held. */
  release(): void {
    this.#chunks = [];
    this.#head = [];
    this.#kept = 0;
  }

  #pushTail(bytes: Uint8Array): void {
    if (this.wireBytes <= HEAD_BYTES) {
      this.#head.push(bytes);
      return;
    }
    this.#chunks.push(bytes);
    this.#kept += bytes.byteLength;
    if (this.#kept < 2 * TAIL_BYTES) return;
    // Cut back only now and then: a stream has thousands of chunks.
    let from = 0;
    while (this.#kept - (this.#chunks[from]?.byteLength ?? 0) >= TAIL_BYTES)
      this.#kept -= this.#chunks[from++]?.byteLength ?? 0;
    if (from === 0) return;
    this.#chunks = this.#chunks.slice(from);
    this.complete = false;
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
