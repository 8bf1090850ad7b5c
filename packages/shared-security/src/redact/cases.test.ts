import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { redact } from "./redact.ts";

interface Case {
  readonly id: string;
  readonly text: string;
  readonly hide: readonly string[];
  readonly keep: readonly string[];
}

const FILE = resolve(import.meta.dirname, "../../../../../shared/cases/redaction.jsonl");
const CASES: Case[] = existsSync(FILE)
  ? readFileSync(FILE, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Case)
  : [];

describe.skipIf(CASES.length === 0)(
  `cases of ${FILE}${CASES.length === 0 ? " (absent: skipped)" : ""}`,
  () => {
    it.each(CASES)("$id", ({ text, hide, keep }) => {
      const redacted = redact(text).text;
      for (const value of hide) expect(redacted).not.toContain(value);
      for (const value of keep) expect(redacted).toContain(value);
    });
  },
);
