import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Finding } from "../types.ts";
import { KnownIndex } from "../vault/known.ts";
import { detect } from "./detect.ts";
import { READ_AT_FIRST_SIGHT, READ_WHEN_KNOWN, SPELLED_VALUES } from "./spellings.ts";

const VALUES = Object.entries(SPELLED_VALUES);

/** What is left of a text when everything found is taken out. */
function rest(text: string, findings: readonly Finding[]): string {
  let out = "";
  let at = 0;
  for (const { start, end } of findings) {
    out += text.slice(at, start);
    at = end;
  }
  return out + text.slice(at);
}

/** Letters and digits that a value and a text share in a row. */
function longestShared(value: string, text: string): number {
  let longest = 0;
  for (let from = 0; from < value.length; from++)
    for (let to = from + longest + 1; to <= value.length && text.includes(value.slice(from, to)); to++)
      longest = to - from;
  return longest;
}

describe.each(VALUES)("a value (%s) that nobody knew", (name, value) => {
  it.each(Object.entries(READ_AT_FIRST_SIGHT))("is found %s", (_, spell) => {
    const text = `Here it is, please keep:\n${spell(value)}\nand that was it.`;
    const findings = detect(text);
    expect(findings.length).toBeGreaterThan(0);
    expect(longestShared(value, rest(text, findings))).toBeLessThan(name === "email" ? 8 : 5);
  });
});

describe.each(VALUES)("a value (%s) that is known", (_name, value) => {
  const index = new KnownIndex();
  index.add({ value, type: "X", level: "S2" });

  it.each(Object.entries(READ_WHEN_KNOWN))("is found %s", (_, spell) => {
    const text = `Here it is, please keep:\n${spell(value)}\nand that was it.`;
    const findings = index.find(text);
    expect(findings.length).toBeGreaterThan(0);
    expect(longestShared(value, rest(text, findings))).toBeLessThan(5);
    expect(index.has(text)).toBe(true);
  });

  it("is forgotten with all its forms", () => {
    const other = new KnownIndex();
    other.add({ value, type: "X", level: "S2" });
    other.remove(value);
    for (const spell of Object.values(READ_WHEN_KNOWN)) expect(other.find(spell(value))).toEqual([]);
  });

  it("is found with any signs between", () => {
    const sign = fc.constantFrom(
      " ",
      "\n",
      "\r\n",
      "\n> ",
      "-",
      '", "',
      " | ",
      "**",
      "<b>",
      "</b>",
      "·",
      "[",
      "]",
      "(",
    );
    fc.assert(
      fc.property(fc.array(sign, { minLength: value.length - 1, maxLength: value.length - 1 }), (signs) => {
        const text = [...value].map((character, i) => character + (signs[i] ?? "")).join("");
        const findings = index.find(text);
        expect(rest(text, findings)).not.toMatch(/[a-z0-9]{4}/i);
        expect(findings.length).toBeGreaterThan(0);
      }),
      { numRuns: 200 },
    );
  });
});

describe("what only looks broken", () => {
  it.each([
    "write to jane@example.org\nThanks",
    'list = [\n  "parallel",\n  "120363403215116621@g.us"\n]',
    "| 2024-01-01 | 123.45 |\n| 2024-01-02 | 678.90 |",
    "1700000000\n1700000100\n1700000200",
    "The value is 2**10\nand 3**12345 is larger",
    "see section 4.1\nof the manual for 802.11",
  ])("%j stays as it is on its own lines", (text) => {
    for (const { value } of detect(text)) expect(value).not.toContain("\n");
  });

  it("a name is not found inside of longer words", () => {
    const index = new KnownIndex();
    index.add({ value: "Robert Smithson", type: "NAME", level: "S2" });
    expect(index.find("robert\nsmithsonian museum")).toEqual([]);
    expect(index.find("ROBERT\n> SMITHSON")).toHaveLength(1);
  });

  it("takes linear time", () => {
    const index = new KnownIndex();
    index.add({ value: `${"1".repeat(4000)}2`, type: "X", level: "S3" });
    index.add({ value: SPELLED_VALUES.phone, type: "X", level: "S2" });
    for (const text of [
      "1 ".repeat(30_000),
      "1\n".repeat(100_000),
      "| 1 ".repeat(50_000),
      "| 1 |\n".repeat(33_000),
      "│|".repeat(100_000),
      "2026-11-30 ".repeat(3) + "\n2026-11-30 x1".repeat(15_000),
      "<a ".repeat(66_000),
      "0123 4567 89ab ".repeat(13_000),
      '1" + "'.repeat(33_000),
      "12 34 56 ".repeat(22_000),
      "\u{e0031}".repeat(50_000),
      "MFRGGZDF\n".repeat(22_000),
    ]) {
      const started = performance.now();
      index.find(text);
      detect(text);
      // Measured: 10 to 150 ms; a quadratic search would take minutes. Tests share a machine.
      expect(performance.now() - started).toBeLessThan(3000);
    }
  });
});
