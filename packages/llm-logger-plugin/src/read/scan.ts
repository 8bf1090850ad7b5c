/**
 * Reads log files of any size in constant memory. Lines are told apart by their first bytes and only the wanted ones
 * are parsed; a torn last line and a damaged record are skipped and counted.
 */
import { open } from "node:fs/promises";
import type { EventType } from "../events.ts";
import type { LogFile } from "../store/retention.ts";

const CHUNK_BYTES = 4 * 1024 * 1024;
const NEWLINE = 0x0a;

/** A longer line is none of ours (bodies are capped long before) and is not held in memory. */
const MAX_LINE_BYTES = 256 * 1024 * 1024;

/** Head of a line: the event type stands within it, whatever follows. */
const HEAD_BYTES = 200;

export interface LogRecord {
  eventType: string;
  [key: string]: unknown;
}

/** Where a record stands, to read it again later. */
export interface RecordPosition {
  file: string;
  offset: number;
  length: number;
}

export interface ScanOptions {
  /** Only these events are parsed; undefined: all. */
  types?: readonly EventType[];
  /** Only lines holding this text (as it stands in the JSON) are parsed. */
  contains?: string;
  /** Parse only the part of a line before one of these texts and leave the rest out: numbers without the answer's text. */
  until?: readonly string[];
  /** Told the bytes read so far and the bytes of all files. */
  onProgress?: (read: number, total: number) => void;
  /** Waited for between the pieces of a file: what was gathered can be written before more is read. */
  onPause?: () => Promise<void>;
  signal?: AbortSignal;
}

export interface ScanResult {
  lines: number;
  /** Lines that are no whole JSON record. */
  bad: number;
  bytes: number;
}

/** Calls `visit` for each wanted record of the files, in file order. `false` from `visit` ends the scan. */
export async function scanFiles(
  files: readonly Pick<LogFile, "file" | "bytes">[],
  options: ScanOptions,
  visit: (record: LogRecord, position: RecordPosition) => unknown,
): Promise<ScanResult> {
  const result: ScanResult = { lines: 0, bad: 0, bytes: 0 };
  const total = files.reduce((sum, file) => sum + file.bytes, 0);
  const wanted = matcher(options);
  const until = options.until?.map((text) => Buffer.from(text)) ?? [];
  for (const { file } of files) {
    const goOn = await scanFile(
      file,
      0,
      (line, offset) => {
        result.lines++;
        if (!wanted(line)) return true;
        const head = headOf(line, until);
        // The text may also have stood in a nested object: then only the whole line can be read.
        const record = (head && parseLine(head)) ?? parseLine(line);
        if (!record) {
          result.bad++;
          return true;
        }
        if (options.types && !options.types.some((type) => type === record.eventType)) return true;
        return visit(record, { file, offset, length: line.length }) !== false;
      },
      {
        onBytes: (bytes) => {
          result.bytes += bytes;
          options.onProgress?.(result.bytes, total);
        },
        onOverlong: () => result.bad++,
        ...(options.onPause && { onPause: options.onPause }),
        ...(options.signal && { signal: options.signal }),
      },
    );
    if (!goOn) break;
  }
  return result;
}

/**
 * Calls `visit` for each complete line from an offset on; an unfinished last line is left out.
 * @returns false when `visit` ended the scan.
 */
export async function scanFile(
  file: string,
  from: number,
  visit: (line: Buffer, offset: number) => boolean,
  options: {
    onBytes?: (bytes: number) => void;
    onPause?: () => Promise<void>;
    onOverlong?: () => void;
    maxLineBytes?: number;
    signal?: AbortSignal;
  } = {},
): Promise<boolean> {
  const { onBytes, onPause, onOverlong, maxLineBytes = MAX_LINE_BYTES, signal } = options;
  const handle = await open(file, "r").catch((error: NodeJS.ErrnoException) => {
    // Deleted meanwhile, or another user's: the other files can still be read.
    if (error.code === "ENOENT" || error.code === "EACCES") return undefined;
    throw error;
  });
  if (!handle) return true;
  let buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  let held = 0;
  let offset = from;
  /** Within a line that is too long: everything up to its end is left out. */
  let skipping = false;
  try {
    for (;;) {
      signal?.throwIfAborted();
      // A line longer than the buffer: the buffer grows to hold it.
      if (held >= maxLineBytes) {
        if (!skipping) onOverlong?.();
        skipping = true;
        offset += held;
        held = 0;
      }
      if (held === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafe(buffer.length)]);
      const { bytesRead } = await handle.read(buffer, held, buffer.length - held, offset + held);
      if (bytesRead === 0) return true;
      onBytes?.(bytesRead);
      const end = held + bytesRead;
      let at = 0;
      for (;;) {
        const newline = buffer.subarray(0, end).indexOf(NEWLINE, Math.max(at, at === 0 ? held : at));
        if (newline === -1) break;
        if (skipping) skipping = false;
        else if (newline > at && !visit(buffer.subarray(at, newline), offset + at)) return false;
        at = newline + 1;
      }
      buffer.copyWithin(0, at, end);
      held = end - at;
      offset += at;
      if (skipping) {
        offset += held;
        held = 0;
      }
      await onPause?.();
    }
  } finally {
    await handle.close();
  }
}

/** Reads one record again; undefined when the file changed meanwhile. */
export async function readRecord({ file, offset, length }: RecordPosition): Promise<LogRecord | undefined> {
  const handle = await open(file, "r");
  try {
    const buffer = Buffer.alloc(length);
    await handle.read(buffer, 0, length, offset);
    return parseLine(buffer);
  } finally {
    await handle.close();
  }
}

export function parseLine(line: Buffer): LogRecord | undefined {
  try {
    const value: unknown = JSON.parse(line.toString("utf8"));
    if (typeof value !== "object" || value === null || !("eventType" in value)) return undefined;
    return typeof value.eventType === "string" ? (value as LogRecord) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The record up to a field. Inside JSON strings quotes are escaped, so `,"message":` can only be structure.
 * @returns undefined when none of the texts stands in the line.
 */
function headOf(line: Buffer, until: readonly Buffer[]): Buffer | undefined {
  let end = -1;
  for (const text of until) {
    const at = (end === -1 ? line : line.subarray(0, end)).indexOf(text);
    if (at !== -1) end = at;
  }
  return end === -1 ? undefined : Buffer.concat([line.subarray(0, end), Buffer.from("}")]);
}

function matcher(options: ScanOptions): (line: Buffer) => boolean {
  const needles = options.types?.map((type) => Buffer.from(`"eventType":"${type}"`));
  const contains = options.contains === undefined ? undefined : Buffer.from(options.contains);
  return (line) => {
    if (needles) {
      const head = line.subarray(0, HEAD_BYTES);
      if (!needles.some((needle) => head.includes(needle))) return false;
    }
    return contains === undefined || line.includes(contains);
  };
}
