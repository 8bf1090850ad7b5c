/**
 * Collects one direction of a body off the hot path: a chunk is copied into memory that is used again and again, so that
 * nothing of the client's outlives its own use of it. Hashing and decoding happen once, when the body has ended.
 */
import { createHash, type Hash, hash } from "node:crypto";
import { giveBack, growMemory, takeMemory } from "./memory.ts";

/** Most wire bytes kept in memory for decoding and assembling; beyond it only length and hash go on. */
export const MAX_KEPT_BYTES = 16 * 1024 * 1024;

/**
 * What `keep: "tail"` retains: a stream's start and end. Its usage stands in the last event, which in the Responses
 * protocol repeats the whole answer, the instructions and the tools.
 */
const HEAD_BYTES = 4 * 1024;
const TAIL_BYTES = 256 * 1024;

/** Blank lines from the end that `ends()` goes back: the events after it are those of finish, usage and end mark. */
const LAST_BLANK_LINES = 4;

const BLANK_LINE = Buffer.from("\n\n");
const NOTHING = Buffer.alloc(0);

export class BodyCollector {
  /** Bytes seen on the wire. */
  wireBytes = 0;
  /** Every byte seen is still held. */
  complete = true;
  readonly #keep: "all" | "tail";
  readonly #limit: number;
  #memory: Buffer = NOTHING;
  #kept = 0;
  #running: Hash | undefined;

  /**
   * @param keep `all` holds up to `limit` bytes and hashes everything; `tail` holds only the first and newest bytes, no hash.
   */
  constructor(keep: "all" | "tail", limit = MAX_KEPT_BYTES) {
    this.#keep = keep;
    this.#limit = keep === "tail" ? HEAD_BYTES + 2 * TAIL_BYTES : limit;
  }

  push(chunk: Uint8Array | string): void {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk, "utf8") : chunk;
    const { byteLength } = bytes;
    this.wireBytes += byteLength;
    const end = this.#kept + byteLength;
    // Nearly every chunk takes this way.
    if (end <= this.#memory.length && end <= this.#limit && this.#running === undefined) {
      this.#memory.set(bytes, this.#kept);
      this.#kept = end;
    } else this.#pushSlowly(bytes);
  }

  /**
   * The held wire bytes, to be read until `release()`. For `tail`: the first and the last ones, a blank line between
   * them.
   */
  joined(): Buffer {
    if (this.#keep === "all" || this.complete) return this.#memory.subarray(0, this.#kept);
    return Buffer.concat([
      this.#memory.subarray(0, HEAD_BYTES),
      BLANK_LINE,
      this.#memory.subarray(HEAD_BYTES, this.#kept),
    ]);
  }

  /**
   * The first event and the last few of an event stream: most streams tell their usage there, and reading those costs
   * the same for every length. Undefined where they cannot be told apart, or are the whole stream. Only for `tail`.
   */
  ends(): Buffer | undefined {
    const held = this.#memory.subarray(0, this.#kept);
    // Comments that keep the connection alive may come before the first event.
    const first = held.indexOf(BLANK_LINE, held.indexOf("data:", 0, "latin1"), "latin1");
    if (first === -1 || first >= HEAD_BYTES) return undefined;
    let from = held.length - 1;
    for (let lines = 0; lines < LAST_BLANK_LINES && from > first; lines++)
      from = held.lastIndexOf(BLANK_LINE, from - 1, "latin1");
    if (from <= first) return undefined;
    return Buffer.concat([held.subarray(0, first + 2), held.subarray(from + 2)]);
  }

  /** Lower-case hex SHA-256 of all wire bytes; null where `tail` saw more than it held. */
  sha256(): string | null {
    if (this.#running) return this.#running.copy().digest("hex");
    return this.complete ? hash("sha256", this.joined(), "hex") : null;
  }

  /** Drops what is held: what `joined()` gave may not be read any more. */
  release(): void {
    if (this.#memory.length > 0) giveBack(this.#memory);
    this.#memory = NOTHING;
    this.#kept = 0;
  }

  #pushSlowly(bytes: Uint8Array): void {
    const end = this.#kept + bytes.byteLength;
    if (this.#running) this.#running.update(bytes);
    else if (end <= this.#limit) {
      this.#memory = this.#memory.length === 0 ? takeMemory(end) : growMemory(this.#memory, this.#kept, end);
      this.#memory.set(bytes, this.#kept);
      this.#kept = end;
    } else if (this.#keep === "all") {
      this.complete = false;
      this.#running = createHash("sha256").update(this.joined()).update(bytes);
    } else this.#cutBack(bytes);
  }

  /** Keeps the head and the newest bytes. Only now and then: a stream has thousands of chunks. */
  #cutBack(bytes: Uint8Array): void {
    const newest = bytes.subarray(Math.max(0, bytes.byteLength - TAIL_BYTES));
    const first = bytes.subarray(0, Math.max(0, HEAD_BYTES - this.#kept));
    const needed = HEAD_BYTES + TAIL_BYTES + newest.byteLength;
    if (this.#memory.length < needed) {
      this.#memory =
        this.#memory.length === 0 ? takeMemory(needed) : growMemory(this.#memory, this.#kept, needed);
    }
    this.#memory.set(first, Math.min(this.#kept, HEAD_BYTES));
    const older = Math.max(0, Math.min(TAIL_BYTES - newest.byteLength, this.#kept - HEAD_BYTES));
    this.#memory.copyWithin(HEAD_BYTES, this.#kept - older, this.#kept);
    this.#memory.set(newest, HEAD_BYTES + older);
    this.#kept = HEAD_BYTES + older + newest.byteLength;
    this.complete = false;
  }
}
