import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Journal } from "./journal.ts";
import type { AnswerRecord } from "./schema.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), "journal-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const record = (key: string): AnswerRecord => ({
  key,
  q_id: key,
  repeat: 0,
  status: "ok",
  answer: "答\n案",
  thinking_chars: 0,
  error: null,
  truncated: false,
  latency_ms: 1,
  first_token_ms: null,
  attempts: 1,
  http_status: 200,
  usage: null,
  tools: [],
  chunks: [],
  finished_at: "2026-01-01T00:00:00Z",
});

describe("Journal", () => {
  it("keeps records over runs, private to the owner", () => {
    const file = path.join(dir, "deep", "a.jsonl");
    const first = Journal.open(file);
    first.append(record("1"));
    first.close();
    const second = Journal.open(file);
    second.append(record("2"));
    second.close();
    expect(Journal.read(file).map((r) => r.key)).toEqual(["1", "2"]);
    expect(statSync(file).mode & 0o077).toBe(0);
  });

  it("cuts a torn last line off, wherever it was cut, and goes on after it", () => {
    const file = path.join(dir, "a.jsonl");
    const line = `${JSON.stringify(record("2"))}\n`;
    for (let cut = 0; cut < line.length; cut += 7) {
      writeFileSync(file, `${JSON.stringify(record("1"))}\n`);
      appendFileSync(file, line.slice(0, cut));
      const journal = Journal.open(file);
      expect(journal.records.map((r) => r.key)).toEqual(["1"]);
      journal.append(record("3"));
      journal.close();
      expect(Journal.read(file).map((r) => r.key)).toEqual(["1", "3"]);
    }
  });

  it("loses one answer, not the run, to a damaged line", () => {
    const file = path.join(dir, "a.jsonl");
    writeFileSync(
      file,
      `${JSON.stringify(record("1"))}\nxx{broken\n{"key":1}\n${JSON.stringify(record("2"))}\n`,
    );
    const journal = Journal.open(file);
    expect(journal.records.map((r) => r.key)).toEqual(["1", "2"]);
    journal.close();
    expect(readFileSync(file, "utf8")).toContain("xx{broken");
  });
});
