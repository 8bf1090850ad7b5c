import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import { configError } from "../exit-codes.ts";
import { namingFile } from "../files/faults.ts";
import { makeFolder } from "../files/folder.ts";
import { type AnswerRecord, answerRecordSchema } from "./schema.ts";

/**
 * The append-only record of answers, one JSON object a line. A process may be killed at any moment: a line is
 * either complete or, as the last one, torn; a torn line is cut off when the journal is opened again.
 */
export class Journal {
  readonly #fd: number;
  readonly #file: string;
  readonly records: AnswerRecord[];

  private constructor(fd: number, file: string, records: AnswerRecord[]) {
    this.#fd = fd;
    this.#file = file;
    this.records = records;
  }

  /** Opens (or creates) a journal and reads what is in it. Lines of another format are kept but not used. */
  static open(file: string): Journal {
    makeFolder(path.dirname(file));
    const fd = openSync(file, "a+", 0o600);
    const size = fstatSync(fd).size;
    if (!fstatSync(fd).isFile()) {
      closeSync(fd);
      throw configError(`${file} is not a file: move it away`);
    }
    const bytes = Buffer.alloc(size);
    for (let read = 0; read < size; ) {
      const count = readSync(fd, bytes, read, size - read, read);
      if (count === 0) break;
      read += count;
    }
    const complete = bytes.lastIndexOf(10) + 1;
    if (complete < size) ftruncateSync(fd, complete);
    return new Journal(fd, file, parseLines(bytes.subarray(0, complete).toString("utf8")));
  }

  /** The records of a journal, without opening it for writing. */
  static read(file: string): AnswerRecord[] {
    return parseLines(readFileSync(file, "utf8"));
  }

  /** Writes one record and waits until the disk has it. */
  append(record: AnswerRecord): void {
    const line = Buffer.from(`${JSON.stringify(record)}\n`, "utf8");
    const before = fstatSync(this.#fd).size;
    try {
      for (let written = 0; written < line.length; ) written += writeSync(this.#fd, line, written);
      fdatasyncSync(this.#fd);
    } catch (error) {
      // A full disk takes a part of a line: without it the next answer still begins a line of its own.
      ftruncateSync(this.#fd, before);
      throw namingFile(error, this.#file);
    }
    this.records.push(record);
  }

  close(): void {
    closeSync(this.#fd);
  }
}

function parseLines(text: string): AnswerRecord[] {
  return text.split("\n").flatMap((line) => {
    if (line === "") return [];
    try {
      const parsed = answerRecordSchema.safeParse(JSON.parse(line));
      return parsed.success ? [parsed.data] : [];
    } catch {
      // A damaged line loses one answer (it is asked again), not the run.
      return [];
    }
  });
}
