import fc from "fast-check";
import { expect, it } from "vitest";
import { Units } from "./units.ts";

it("gives the code units of any text, one text after the other", () => {
  const units = new Units();
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), fc.nat(0xffff), (start, unit) => {
      const text = start + String.fromCharCode(unit);
      const read = units.of(text);
      for (let i = 0; i < text.length; i++) expect(read[i]).toBe(text.charCodeAt(i));
    }),
  );
});

it("takes texts of any length, and gives room back", () => {
  const units = new Units();
  const long = `${"é".repeat(3_000_000)}x`;
  expect(units.of(long)[3_000_000]).toBe(0x78);
  const short = units.of("short");
  expect(short.length).toBeLessThan(long.length);
  expect(String.fromCharCode(...short.subarray(0, 5))).toBe("short");
});
