import { expect, it, vi } from "vitest";
import { OpenedText, openText } from "./opened.ts";

const HIDDEN = Buffer.from("call 13912345678 now").toString("base64");

it("shows a text folded, and what is written in it in another notation, where it stands", () => {
  const text = `１３９ ${HIDDEN}`;
  const { folded, encoded, hidden } = new OpenedText(text);
  expect(folded.text).toBe(`139 ${HIDDEN}`);
  expect(encoded.map((view) => view.text)).toContain("call 13912345678 now");
  const [first] = encoded;
  expect(text.slice(first?.originalStart(0), first?.originalEnd(1))).toBe(HIDDEN);
  expect(hidden).toEqual([]);
});

it("shows what is written in characters that do not show", () => {
  const tags = [..."13912345678"].map((c) => String.fromCodePoint(0xe0000 + c.charCodeAt(0))).join("");
  expect(new OpenedText(`hello ${tags}`).hidden.map((view) => view.text)).toContain("hello 13912345678");
});

// The first test that opens texts: the clock must be its own.
it("keeps a text opened for a moment, and not longer", () => {
  vi.useFakeTimers();
  try {
    const text = `a text of this test ${Math.random()}`;
    const opened = openText(text);
    vi.advanceTimersByTime(2000);
    expect(openText(text)).not.toBe(opened);
  } finally {
    vi.useRealTimers();
  }
});

it("keeps a text opened until it is asked for again", () => {
  const text = `a text of this test ${Math.random()}`;
  const opened = openText(text);
  expect(openText(text)).toBe(opened);
  expect(openText(text)).not.toBe(opened);
});

it("does not take one text for another that looks like it", () => {
  const [one, other] = ["a", "b"].map((letter) => `${"x".repeat(32)}${letter}${"x".repeat(991)}`);
  openText(one as string);
  expect(openText(other as string).text).toBe(other);
  expect(openText(one as string).text).toBe(one);
});

it("opens an empty text", () => {
  expect(openText("").folded.text).toBe("");
});

it("does not keep more than it may", () => {
  const first = openText("the first text of many");
  for (let i = 0; i < 2000; i += 1) openText(`text ${i}`);
  expect(openText("the first text of many")).not.toBe(first);
});
