import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Finding, PrivateLevel } from "../types.ts";
import { resolveOverlaps } from "./resolve.ts";

const TEXT = "abcdefghijklmnopqrstuvwxyz0123456789".repeat(3);

function finding(start: number, end: number, level: PrivateLevel, confidence = 0.9): Finding {
  return { start, end, type: "T", level, rule: `r/${level}`, confidence, value: TEXT.slice(start, end) };
}

const anyFinding = fc
  .record({
    start: fc.integer({ min: 0, max: 90 }),
    length: fc.integer({ min: 1, max: 15 }),
    level: fc.constantFrom<PrivateLevel>("S2", "S3"),
    confidence: fc.constantFrom(0.5, 0.7, 1),
  })
  .map(({ start, length, level, confidence }) => finding(start, start + length, level, confidence));

/** Level of each position: 0 nothing, 2 or 3. */
function levels(findings: readonly Finding[]): number[] {
  const result = new Array<number>(TEXT.length).fill(0);
  for (const { start, end, level } of findings) {
    for (let i = start; i < end; i++) result[i] = Math.max(result[i] as number, level === "S3" ? 3 : 2);
  }
  return result;
}

describe("resolveOverlaps", () => {
  it("keeps the longer, at the higher level of the two", () => {
    expect(resolveOverlaps([finding(0, 10, "S2"), finding(2, 5, "S3")], TEXT)).toEqual([
      { ...finding(0, 10, "S2"), level: "S3" },
    ]);
  });

  it("keeps what sticks out", () => {
    const resolved = resolveOverlaps([finding(0, 10, "S2"), finding(8, 14, "S3")], TEXT);
    expect(resolved.map(({ start, end, level }) => [start, end, level])).toEqual([
      [0, 10, "S3"],
      [10, 14, "S3"],
    ]);
  });

  it("covers exactly what was covered, never at a lower level, without overlaps", () => {
    fc.assert(
      fc.property(fc.array(anyFinding, { maxLength: 25 }), (findings) => {
        const resolved = resolveOverlaps(findings, TEXT);
        for (let i = 1; i < resolved.length; i++) {
          expect((resolved[i] as Finding).start).toBeGreaterThanOrEqual((resolved[i - 1] as Finding).end);
        }
        const before = levels(findings);
        levels(resolved).forEach((level, position) => {
          if (before[position] === 0) expect(level).toBe(0);
          else expect(level).toBeGreaterThanOrEqual(before[position] as number);
        });
        for (const { start, end, value } of resolved) expect(TEXT.slice(start, end)).toBe(value);
      }),
      { numRuns: 1_000 },
    );
  });
});
