import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import { type AnswerRecord, answerRecordSchema } from "./schema.ts";

/**
 * The append-only record of answers, one JSON object a line. A process may be killed at any moment: a line is
 * either complete or, as the last one, torn; a torn line is cut off when the journal is opened again.
 */
export class Journal {
  readonly #fd: number;
  readonly records: AnswerRecord[];

  private constructor(fd: number, records: AnswerRecord[]) {
    this.#fd = fd;
    this.records = records;
  }

  /** Opens (or creates) a journal and reads what is in it. Lines of another format are kept but not used. */
  static open(file: string): Journal {
    mkdirSync(path.dirname(file), { recursive: true });
    const fd = openSync(file, "a+", 0o600);
    const size = fstatSync(fd).size;
    const bytes = Buffer.alloc(size);
    for (let read = 0; read < size; ) {
      const count = readSync(fd, bytes, read, size - read, read);
      if (count === 0) break;
      read += count;
    }
    const complete = bytes.lastIndexOf(10) + 1;
    if (complete < size) ftruncateSync(fd, complete);
    const records: AnswerRecord[] = [];
    for (const line of bytes.subarray(0, complete).toString("utf8").split("\n")) {
      if (line === "") continue;
      try {
        const parsed = answerRecordSchema.safeParse(JSON.parse(line));
        if (parsed.success) records.push(parsed.data);
      } catch {
        // A damaged line in the middle loses one answer (it is asked again), not the run.
      }
    }
    return new Journal(fd, records);
  }

  /** Writes one record and waits until the disk has it. */
  append(record: AnswerRecord): void {
    const line = Buffer.from(`${JSON.stringify(record)}\n`, "utf8");
    for (let written = 0; written < line.length; ) written += writeSync(this.#fd, line, written);
    fdatasyncSync(this.#fd);
    this.records.push(record);
  }

  close(): void {
    closeSync(this.#fd);
  }
}
