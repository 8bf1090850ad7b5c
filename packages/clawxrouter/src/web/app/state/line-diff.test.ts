import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lineDiff } from "./line-diff.ts";

describe("line diff", () => {
  it("holds both texts whole", () => {
    const text = fc
      .array(fc.constantFrom("a", "b", "c", ""), { minLength: 1, maxLength: 12 })
      .map((lines) => lines.join("\n"));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = lineDiff(before, after);
        const side = (ops: string) => lines.filter((line) => ops.includes(line.op)).map((line) => line.text);
        expect(side(" -").join("\n")).toBe(before);
        expect(side(" +").join("\n")).toBe(after);
      }),
    );
  });

  it("finds the one line that changed", () => {
    expect(lineDiff("a\nb\nc", "a\nx\nc")).toEqual([
      { op: " ", text: "a" },
      { op: "-", text: "b" },
      { op: "+", text: "x" },
      { op: " ", text: "c" },
    ]);
  });
});
