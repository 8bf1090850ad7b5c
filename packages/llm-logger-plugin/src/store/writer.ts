/**
 * The JSONL writer. `direct` mode hands every line to the kernel in one append before returning, so that SIGKILL
 * loses nothing that was written; `batched` mode groups lines for slow disks. A full or broken disk is reported once
 * and counted; it never throws into the caller.
 */
import fs from "node:fs";
import path from "node:path";
import { makeFolder } from "@clawx/shared-security";
import { EscapedText } from "../body/escaped.ts";
import { cannotWrite } from "./advice.ts";
import { type LogLocation, localDay, logFilePath } from "./paths.ts";

const MAX_OPEN_FILES = 64;
const BATCH_FLUSH_BYTES = 1 << 20;

export interface WriterOptions {
  location: LogLocation;
  mode: "direct" | "batched";
  /** Longest time a line waits in batched mode, milliseconds. */
  batchMs: number;
  /** Told once when writing starts to fail and once when it works again. */
  onProblem: (message: string) => void;
  now?: () => Date;
}

/** UTF-8 text for a line's `body`, and the same escaped for JSON, where that is known. */
export interface LineBody {
  bytes: Buffer;
  escaped?: EscapedText;
}

/** How often an open file's name is looked up again: another program may have moved the file away. */
const CHECK_NAME_MS = 1000;

/** Time between two tellings of failing writes. */
const TELL_AGAIN_MS = 60_000;

interface OpenFile {
  fd: number;
  inode: number;
  checkedAt: number;
  /** The file's end is in the middle of a line: the next line must start on a new one. */
  torn: boolean;
}

export interface WriterStats {
  lines: number;
  bytes: number;
  /** Lines that could not be written (disk full, no permission). */
  dropped: number;
  lastError: string | undefined;
}

export class JsonlWriter {
  readonly stats: WriterStats = { lines: 0, bytes: 0, dropped: 0, lastError: undefined };
  /** What is wrong, what to do and where, while lines cannot be written. */
  problem: string | undefined;
  readonly #options: WriterOptions;
  readonly #files = new Map<string, OpenFile>();
  readonly #batch = new Map<string, Buffer[]>();
  #batchBytes = 0;
  #batchTimer: NodeJS.Timeout | undefined;
  #day = "";
  #dayStartsAt = 0;
  #dayEndsAt = 0;
  #failing = false;
  /** The failure under way was told. */
  #told = false;
  #toldAt: number | undefined;
  #closed = false;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  /** Paths written in this run that are still open: retention must not touch them. */
  get currentFiles(): string[] {
    return [...this.#files.keys()];
  }

  /** Open descriptors; 0 after `close()`. */
  get openCount(): number {
    return this.#files.size;
  }

  /**
   * Appends one event as a line of the session's file for today. Never throws.
   * @param body UTF-8 text written as the line's last field, `body`, straight from its bytes; what is escaped of it is
   * released.
   */
  write(sessionId: string | undefined, event: object, body?: LineBody): void {
    const escaped = body && (body.escaped ?? new EscapedText());
    let line: Buffer | undefined;
    try {
      const json = JSON.stringify(event);
      if (body && escaped) {
        if (!body.escaped) escaped.addBytes(body.bytes);
        line = escaped.between(`${json.slice(0, -1)},"body":"`, '"}\n');
      } else line = Buffer.from(`${json}\n`, "utf8");
    } catch (error) {
      this.#fail(error, "an event that cannot be serialised");
    }
    if (line) this.#put(sessionId, line);
    escaped?.release();
  }

  /** @param line valid only during this call. */
  #put(sessionId: string | undefined, line: Buffer): void {
    const file = logFilePath(this.#options.location, sessionId, this.#today());
    if (this.#options.mode === "batched" && !this.#closed) this.#enqueue(file, Buffer.from(line));
    else this.#append(file, line, 1);
    // After close() late events still count: the file is opened for this line only.
    if (this.#closed) this.#closeFiles(false);
  }

  /** Hands waiting lines of batched mode to the kernel. */
  flush(): void {
    clearTimeout(this.#batchTimer);
    this.#batchTimer = undefined;
    this.#batchBytes = 0;
    const waiting = [...this.#batch];
    this.#batch.clear();
    for (const [file, lines] of waiting) this.#append(file, Buffer.concat(lines), lines.length);
  }

  /** Flushes, fsyncs and closes every descriptor. Later `write()` calls reopen the file for their line. */
  close(): void {
    this.flush();
    this.#closed = true;
    this.#closeFiles(true);
  }

  #enqueue(file: string, line: Buffer): void {
    const lines = this.#batch.get(file);
    if (lines) lines.push(line);
    else this.#batch.set(file, [line]);
    this.#batchBytes += line.length;
    if (this.#batchBytes >= BATCH_FLUSH_BYTES) this.flush();
    else this.#batchTimer ??= setTimeout(() => this.flush(), this.#options.batchMs).unref();
  }

  /** @param buffer of `count` whole lines. */
  #append(file: string, buffer: Buffer, count: number): void {
    let open: OpenFile | undefined;
    let written = 0;
    try {
      open = this.#open(file);
      if (open.torn) {
        fs.writeSync(open.fd, "\n");
        open.torn = false;
      }
      while (written < buffer.length) written += fs.writeSync(open.fd, buffer, written);
      this.stats.lines += count;
      this.stats.bytes += buffer.length;
      if (this.#failing) {
        this.#failing = false;
        this.problem = undefined;
        if (this.#told)
          this.#options.onProblem(`log lines are written again (${this.stats.dropped} were lost)`);
      }
    } catch (error) {
      this.stats.dropped += count;
      this.#fail(error, file);
      // The next line opens the file anew: it sees whether this one was torn, and a descriptor that broke is gone.
      if (open) this.#closeFile(file, open);
    }
  }

  #open(file: string): OpenFile {
    const known = this.#files.get(file);
    const state = known && stateOf(file, known);
    if (known && state === "current") return known;
    if (known && state === "moved") this.#closeFile(file, known);
    this.#files.delete(file);
    makeFolder(path.dirname(file), 0o700);
    const fd = fs.openSync(file, "a+", 0o600);
    const { ino: inode } = fs.fstatSync(fd);
    const open = { fd, inode, checkedAt: performance.now(), torn: !endsWithNewline(fd) };
    this.#files.set(file, open);
    if (this.#files.size > MAX_OPEN_FILES) {
      const oldest = this.#files.entries().next().value;
      if (oldest) this.#closeFile(...oldest);
    }
    return open;
  }

  #closeFile(file: string, open: OpenFile): void {
    this.#files.delete(file);
    closeQuietly(open.fd);
  }

  #closeFiles(sync: boolean): void {
    for (const { fd } of this.#files.values()) {
      try {
        if (sync) fs.fsyncSync(fd);
      } catch (error) {
        this.stats.lastError = describe(error);
      }
      closeQuietly(fd);
    }
    this.#files.clear();
  }

  /** Local midnight rolls the file: yesterday's descriptors are closed. */
  #today(): string {
    const now = this.#options.now?.() ?? new Date();
    // Also when the clock was set back over midnight.
    if (now.getTime() >= this.#dayEndsAt || now.getTime() < this.#dayStartsAt) {
      const day = localDay(now);
      if (day !== this.#day && this.#day !== "") {
        this.flush();
        this.#closeFiles(true);
      }
      this.#day = day;
      this.#dayStartsAt = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
      this.#dayEndsAt = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1).getTime();
    }
    return this.#day;
  }

  #fail(error: unknown, where: string): void {
    this.stats.lastError = describe(error);
    if (this.#failing) return;
    this.#failing = true;
    const place = `cannot write ${where}: ${describe(error)}`;
    this.problem = isOfSystem(error) ? `${cannotWrite(error)}: ${place}` : place;
    // A disk that is full but for a few bytes takes one line and refuses the next: that is one problem, not many.
    const now = performance.now();
    this.#told = this.#toldAt === undefined || now - this.#toldAt >= TELL_AGAIN_MS;
    if (!this.#told) return;
    this.#toldAt = now;
    this.#options.onProblem(this.problem);
  }
}

/**
 * Whether the file is still the one of that name: `moved` when it was deleted (asked each time) or renamed (asked now
 * and then), `lost` when the descriptor is no longer this file's: then it is not ours to close.
 */
function stateOf(file: string, open: OpenFile): "current" | "moved" | "lost" {
  let links: number;
  try {
    const { nlink, ino } = fs.fstatSync(open.fd);
    if (ino !== open.inode) return "lost";
    links = nlink;
  } catch {
    return "lost";
  }
  if (links === 0) return "moved";
  const now = performance.now();
  if (now - open.checkedAt < CHECK_NAME_MS) return "current";
  open.checkedAt = now;
  return fs.statSync(file, { throwIfNoEntry: false })?.ino === open.inode ? "current" : "moved";
}

function endsWithNewline(fd: number): boolean {
  const size = fs.fstatSync(fd).size;
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  fs.readSync(fd, last, 0, 1, size - 1);
  return last[0] === 0x0a;
}

function closeQuietly(fd: number): void {
  try {
    fs.closeSync(fd);
  } catch {
    // Already closed by the system: nothing is left to release.
  }
}

/** An error of the file system, which another place or more room would mend. */
function isOfSystem(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}

function describe(error: unknown): string {
  if (error instanceof Error) return (error as NodeJS.ErrnoException).code ?? error.message;
  return String(error);
}
