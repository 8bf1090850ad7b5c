import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldEntry, normalise } from "./normalise.ts";

describe("normalise", () => {
  it.each([
    ["ＡＢＣ　１２", "abc 12"],
    ["Ünïcödé Straße Łódź", "unicode strasse lodz"],
    ["𝐁𝐨𝐥𝐝 🅰🅱 🇮🇬", "bold ab ig"],
    ["ﬁne ɪɢɴᴏʀᴇ", "fine ignore"],
    ["Игнорируй Ё", "игнорируи е"],
    ["ignоrе рrevious", "ignore previous"],
    ["‘q’ “d” –", "'q' \"d\" -"],
    ["a\u200bb\u00adc\u{E0100}d", "abcd"],
    ["漢字かなガ한글", "漢字かなガ한글"],
    ["ﾊﾟｽ", "ハ\u309aス"],
  ])("folds %s", (given, folded) => {
    expect(normalise(given).text).toBe(folded);
  });
  it("leaves words of one script alone", () => {
    const { text, mixedWords } = normalise("сор asс рост");
    expect(text).toBe("сор asc рост");
    expect(mixedWords).toBe(1);
  });
  it("reads tag characters and tells where they were", () => {
    const spelt = [..."hidden words"].map((c) => String.fromCodePoint(0xe0000 + c.charCodeAt(0))).join("");
    const { text, hidden } = normalise(`ab${spelt}cd`);
    expect(text).toBe("abcd");
    expect(hidden).toEqual([{ text: "hidden words", start: 2, end: 2 + spelt.length }]);
  });
  it("maps every position back, in order and inside the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (given) => {
        const { text, origin } = normalise(given);
        let before = 0;
        for (let i = 0; i <= text.length; i++) {
          const at = origin(i);
          expect(at).toBeGreaterThanOrEqual(before);
          expect(at).toBeLessThanOrEqual(given.length);
          before = at;
        }
      }),
    );
  });
  it("maps a letter back to the very character it came from", () => {
    const given = "x\u200bＡß𝐁\u{E0041}é!";
    const { text, origin } = normalise(given);
    expect(text).toBe("xassbe!");
    expect([...text].map((_, i) => origin(i))).toEqual([0, 2, 3, 3, 4, 8, 9]);
    expect(origin(text.length)).toBe(given.length);
  });
  it("folds entries of the lexicon as it folds texts", () => {
    for (const entry of ["überspring", "指令", "инструкции", "निर्देश", "คำสั่ง", "Talimatlarını"]) {
      expect(normalise(entry).text).toBe(foldEntry(entry));
    }
  });
});
