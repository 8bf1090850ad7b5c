import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../json.ts";
import { leastStretch } from "../testing/longest-stretch.ts";
import { parseInTurns, stringifyInTurns } from "./large-json.ts";

/** Makes any document large enough to be worked on in turns. */
const PAD = " ".repeat(512 * 1024 + 1);
const large = (text: string): string => PAD + text;

describe("parseInTurns", () => {
  it("reads what JSON.parse reads, in turns as at once", async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), async (text) => {
        const expected: unknown = JSON.parse(text);
        expect(await parseInTurns(large(text))).toEqual(expected);
        expect(await parseInTurns(text)).toEqual(expected);
      }),
      { numRuns: 80 },
    );
  });

  it("refuses what JSON.parse refuses", async () => {
    const broken = [
      "{",
      "[1,]",
      '{"a":}',
      '{"a" 1}',
      '"open',
      "tru",
      "01",
      "[1 2]",
      "{}x",
      '{"a":1,}',
      "\u0001",
      '"\n"',
      "+1",
      "",
    ];
    for (const text of broken) {
      expect(await parseInTurns(large(text)), text).toBeUndefined();
      expect(await parseInTurns(text), text).toBeUndefined();
    }
  });

  it("refuses broken documents made from good ones", async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), fc.nat(), async (text, at) => {
        const cut = text.slice(0, at % Math.max(text.length, 1));
        let expected: unknown;
        try {
          expected = JSON.parse(cut);
        } catch {
          expected = undefined;
        }
        expect(await parseInTurns(large(cut))).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  it("reads long strings with escapes at any place, as JSON.parse does", async () => {
    const unit = fc.constantFrom("\\\\", '\\"', "\\u0041", "\\n", "x", "é", "\\ud83d\\ude00", "😀", "\\/");
    await fc.assert(
      fc.asyncProperty(
        fc.array(unit, { minLength: 1, maxLength: 7 }),
        fc.nat(12),
        fc.constantFrom("", "\\", '"', "\n", "\\u00"),
        async (units, shift, broken) => {
          const inside = "y".repeat(shift) + units.join("").repeat(700_000 / units.join("").length);
          const text = `["${inside}${broken}"]`;
          let expected: unknown;
          try {
            expected = JSON.parse(text);
          } catch {
            expected = undefined;
          }
          const read = await parseInTurns(text);
          // Compared by hand: a failing comparison of a megabyte is printed for minutes.
          expect(JSON.stringify(read) === JSON.stringify(expected)).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("keeps __proto__ a key and refuses bottomless nesting", async () => {
    const value = await parseInTurns(large('{"__proto__":{"x":1}}'));
    expect(Object.keys(value ?? {})).toEqual(["__proto__"]);
    expect(await parseInTurns(large("[".repeat(100_000)))).toBeUndefined();
  });
});

describe("stringifyInTurns", () => {
  it("writes what JSON.stringify writes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async (value) => {
        const object: JsonObject = JSON.parse(JSON.stringify(value));
        expect(JSON.parse(await stringifyInTurns(object, 1e9))).toEqual(object);
      }),
      { numRuns: 60 },
    );
  });

  it("writes long strings with surrogate pairs at any place", async () => {
    const text = `a${"😀".repeat(400_000)}\n"`;
    expect(JSON.parse(await stringifyInTurns({ text }, 1e9))).toEqual({ text });
  });
});

it("refuses more values than any conversation has", async () => {
  await expect(parseInTurns(large(`[${"[],".repeat(400_000)}1]`))).rejects.toThrow(/more than 80000 values/);
});

it("never holds the event loop for 50 ms, whatever the document", async () => {
  const documents = {
    "many small values": `{"a":[${"[1,{}],".repeat(25_000)}1]${PAD}}`,
    "one long text": JSON.stringify({ a: 'text with "quotes" and\nlines '.repeat(300_000) }),
    "one long text of quotes": JSON.stringify({ a: '"'.repeat(4_000_000) }),
    "one long text of backslashes": JSON.stringify({ a: "\\".repeat(4_000_000) }),
    "white space": `{"a":1${" ".repeat(8_000_000)}}`,
  };
  for (const [name, text] of Object.entries(documents)) {
    const longest = await leastStretch(5, 50, async () => {
      const value = await parseInTurns(text);
      if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error(name);
      await stringifyInTurns(value, text.length);
    });
    expect(longest, name).toBeLessThan(50);
  }
});
