import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildAutomaton } from "./automaton.ts";

/** All occurrences as `start:keyword`, by the automaton. */
function run(keywords: readonly string[], text: string): string[] {
  const { classOf, next, outputs } = buildAutomaton(keywords);
  const found: string[] = [];
  let state = 0;
  for (let i = 0; i < text.length; i++) {
    state = next[(state >> 1) + (classOf[text.charCodeAt(i)] as number)] as number;
    if ((state & 1) === 0) continue;
    for (const { keyword, length } of outputs.get(state >> 1) ?? [])
      found.push(`${i + 1 - length}:${keyword}`);
  }
  return found.sort();
}

/** The same by looking everywhere, one keyword after the other. */
function search(keywords: readonly string[], text: string): string[] {
  const lower = (value: string): string => value.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const found: string[] = [];
  keywords.forEach((keyword, index) => {
    for (let at = 0; at + keyword.length <= text.length; at++) {
      if (lower(text.slice(at, at + keyword.length)) === lower(keyword)) found.push(`${at}:${index}`);
    }
  });
  return found.sort();
}

describe("buildAutomaton", () => {
  it("finds what a search for each keyword finds", () => {
    const unit = fc.constantFrom("a", "b", "A", "1", "-", "密", "码", "\ud83d", "é");
    const word = fc.string({ unit, minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(
        fc.uniqueArray(word, { minLength: 1, maxLength: 8, selector: (w) => w.toLowerCase() }),
        fc.string({ unit, maxLength: 60 }),
        (keywords, text) => {
          expect(run(keywords, text)).toEqual(search(keywords, text));
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it("folds ASCII case only", () => {
    expect(run(["Key"], "KEY key kEy")).toHaveLength(3);
    expect(run(["é"], "É")).toEqual([]);
  });

  it("refuses an empty keyword", () => {
    expect(() => buildAutomaton(["a", ""])).toThrow(RangeError);
  });
});
