import fc from "fast-check";
import { expect, it } from "vitest";
import { escapedLength, escapeInto } from "./json-bytes.ts";

it("escapes any text as JSON.stringify does, up to the choice of escapes", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (text) => {
      const bytes = Buffer.from(text, "utf8");
      const target = Buffer.alloc(escapedLength(bytes) + 2);
      target[0] = 0x22;
      const end = escapeInto(target, 1, bytes);
      expect(end).toBe(target.length - 1);
      target[end] = 0x22;
      expect(JSON.parse(target.toString("utf8"))).toBe(text);
    }),
  );
  const control = Buffer.from(Array.from({ length: 0x80 }, (_, i) => i));
  const target = Buffer.alloc(escapedLength(control));
  escapeInto(target, 0, control);
  expect(`"${target.toString("utf8")}"`).toBe(JSON.stringify(control.toString("utf8")));
});
