import { expect, it } from "vitest";
import { decodeInTurns, encodeInTurns } from "./bytes.ts";

it.each([
  ["letters", "a"],
  ["Chinese", "中文"],
  ["pairs of surrogates", "😀"],
  ["one more unit", "x😀"],
  ["half a pair", "\ud83d"],
])("%s: large texts and bytes as Buffer does", async (_, unit) => {
  for (const shift of ["", "a", "é"]) {
    const text = shift + unit.repeat(3_000_000 / unit.length);
    const bytes = await encodeInTurns(text);
    expect(bytes.equals(Buffer.from(text, "utf8"))).toBe(true);
    expect((await decodeInTurns(bytes)) === bytes.toString("utf8")).toBe(true);
  }
});

it("bytes that are no UTF-8 become what Buffer makes of them", async () => {
  const bytes = Buffer.alloc(5_000_000, Buffer.from([0x61, 0xff, 0xe4, 0xb8, 0x61, 0xf0, 0x9f]));
  expect((await decodeInTurns(bytes)) === bytes.toString("utf8")).toBe(true);
});
