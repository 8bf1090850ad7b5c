import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { base64Parts } from "./base64.ts";
import { escapedParts } from "./escapes.ts";
import { fold } from "./fold.ts";
import type { View } from "./view.ts";

/** What of the original a piece of a view came from. */
function source(original: string, view: View, piece: string): string {
  const at = view.text.indexOf(piece);
  return original.slice(view.originalStart(at), view.originalEnd(at + piece.length));
}

describe("fold", () => {
  it("folds full-width forms, dashes and spaces, one to one", () => {
    expect(fold("ＡＢｃ１２３＠ｘ．ｉｏ　－").text).toBe("ABc123@x.io -");
    expect(fold("a–b—c−d\u00a0e").text).toBe("a-b-c-d e");
  });

  it("drops what cannot be seen and maps around it", () => {
    const text = "a\u200bl\u00adi\ufeffce";
    const view = fold(text);
    expect(view.text).toBe("alice");
    expect(source(text, view, "li")).toBe("l\u00adi");
    expect(source(text, view, "alice")).toBe(text);
  });

  it("leaves text alone that needs no folding", () => {
    for (const text of ["", "plain", "中文。", "😀"]) expect(fold(text).text).toBe(text);
  });

  it("maps every visible character to itself", () => {
    const unit = fc.constantFrom("a", "1", "中", "😀", "\u200b", "\u200d", "\u00ad", "\ufeff", "，");
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 60 }), (units) => {
        const text = units.join("");
        const view = fold(text);
        for (let i = 0; i < view.text.length; i++) {
          const from = text.slice(view.originalStart(i), view.originalEnd(i + 1));
          // Of a surrogate pair the first half stands for the whole: no span may end inside of one.
          expect(["😀", from.at(0)]).toContain(from);
          expect(fold(from).text.startsWith(view.text[i] as string)).toBe(true);
        }
        expect(view.originalStart(0)).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

describe("fold of what only looks alike", () => {
  it.each([
    ["variation selectors and keycaps", "1\ufe0f\u20e33\ufe0f\u20e38", "138"],
    ["marks on Latin letters", "a\u0301b\u0302", "ab"],
    ["tag characters", "a\u{e0041}b\u{e0101}c", "abc"],
    ["fillers and NULs", "a\u3164b\0c", "abc"],
    ["mathematical letters and digits", "\u{1d7cf}\u{1d7db}\u{1d400}\u{1d41a}", "13Aa"],
    ["digits of other scripts", "\u0661\u0968\u0e53", "123"],
    ["exotic spaces", "1\u20092\u16803\u205f4", "1 2 3 4"],
    ["look-alikes among Latin letters", "\u0410KIA g\u04bb\u0440_1 p\u0430ss", "AKIA ghp_1 pass"],
    ["digits in Chinese", "幺三八洞洞幺三八洞洞洞", "13800138000"],
    ["a mixture of digits", "1三8零零138零零零", "13800138000"],
    ["a row of circled digits", "①③⑧⓪⓪", "13800"],
    ["dots between words", "a@b。cn 1·2", "a@b.cn 1.2"],
  ])("%s", (_what, text, expected) => {
    const view = fold(text);
    expect(view.text).toBe(expected);
    expect(view.originalStart(0)).toBe(0);
    for (let i = 1; i <= view.text.length; i++) {
      const end = text.slice(0, view.originalEnd(i));
      expect(end.isWellFormed()).toBe(true);
    }
  });

  it.each([
    "周一13800138000",
    "①13800138000",
    "见注³",
    "рост и вес",
    "二〇二六年",
    "ラーメン",
    "a。b c",
    "е\u0301",
  ])("leaves %s", (text) => {
    expect(fold(text).text.replace("a.b", "a。b")).toBe(text);
  });
});

describe("escapedParts", () => {
  it.each([
    ["escaped escapes", "\\\\u0031\\\\u0033"],
    ["two hexadecimal digits", "\\x31\\x33"],
    ["braces", "\\u{31}\\u{33}"],
    ["octal", "\\61\\63"],
    ["names", "1&shy;3"],
    ["quoted-printable", "=31=33=20"],
    ["a soft line break", "x1=\r\n3"],
  ])("decodes %s", (_what, text) => {
    const views = escapedParts(text);
    expect(views.map((view) => view.text.trim().replace("x", ""))).toContain("13");
    for (const view of views) expect(view.originalEnd(view.text.length)).toBe(text.length);
  });

  it("decodes any percent-encoded text and maps it back", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 }), (value) => {
        const encoded = Buffer.from(value.toWellFormed()).toString("hex").replace(/../g, "%$&");
        const [view] = escapedParts(`see ${encoded} here`);
        expect(view?.text).toBe(value.toWellFormed());
        expect(source(`see ${encoded} here`, view as View, value.toWellFormed())).toBe(encoded);
      }),
    );
  });

  it("decodes what is UTF-8 in a run that ends otherwise", () => {
    expect(escapedParts("%31%33%38%FF").map((view) => view.text)).toEqual(["138%FF"]);
    expect(escapedParts("%FF%31%33%38").map((view) => view.text)).toEqual(["%FF138"]);
    expect(escapedParts("=E4=BD=31=33=38").map((view) => view.text)).toEqual(["=E4=BD138"]);
    expect(escapedParts("%C0%B1%ED%A0%80")).toEqual([]);
  });

  it("shows a letter that a soft line break cuts", () => {
    const text = "x=\n=E5=BC=\r\n=A0=E4=BC=9F";
    const [view] = escapedParts(text).filter((part) => part.text.includes("张"));
    expect(view?.text).toBe("x张伟");
    expect(source(text, view as View, "张")).toBe("=E5=BC=\r\n=A0");
  });

  it("shows what stands around soft line breaks, however far they are from each other", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("ab=\ncd", "=40", "x".repeat(700), "y".repeat(3000), "=C3=A9", "=FF", " "), {
          maxLength: 12,
        }),
        (parts) => {
          const text = parts.join("");
          for (const view of escapedParts(text)) {
            for (let i = 0; i < view.text.length; i++) {
              const from = text.slice(view.originalStart(i), view.originalEnd(i + 1));
              expect([view.text[i], "=40", "=C3=A9"]).toContain(from);
            }
          }
          const joined = escapedParts(text).some((view) => view.text.includes("abcd"));
          expect(joined).toBe(parts.includes("ab=\ncd"));
        },
      ),
      { numRuns: 30 },
    );
  });

  it("leaves broken escapes as they are", () => {
    expect(escapedParts("100% of %zz and %E4%BD")).toEqual([]);
    expect(escapedParts("a%20b%ZZ%")[0]?.text).toBe("a b%ZZ%");
  });

  it("decodes JSON escapes, surrogate pairs included", () => {
    expect(escapedParts("x \\u4f60\\ud83d\\ude00! y")[0]?.text).toBe("你😀!");
  });
});

describe("base64Parts", () => {
  it("finds any text of 18 bytes or more, padded or not, base64 or base64url", () => {
    const text = fc.string({ unit: fc.constantFrom(..."abc xyz 0123.,你好"), minLength: 18, maxLength: 200 });
    fc.assert(
      fc.property(
        text,
        fc.constantFrom("base64" as const, "base64url" as const),
        fc.nat(30),
        (value, encoding, pad) => {
          const encoded = Buffer.from(value).toString(encoding);
          const whole = `${" ".repeat(pad)}${encoded}; end`;
          const views = base64Parts(whole);
          expect(views.map((view) => view.text)).toEqual([value]);
          expect(source(whole, views[0] as View, value.slice(0, 3))).toBe(encoded);
        },
      ),
    );
  });

  it("finds text in lines, behind a path, in hexadecimal and in UTF-16", () => {
    const hidden = "the number of the caller is 13800138000 and that is all there is to say about it";
    const encoded = Buffer.from(hidden).toString("base64");
    const wrapped = encoded.replace(/.{64}/g, "$&\r\n");
    const lines = base64Parts(`a\n${wrapped}\nb`);
    expect(lines.map((view) => view.text)).toEqual([hidden]);
    expect(source(`a\n${wrapped}\nb`, lines[0] as View, "13800138000")).toBe(wrapped);
    expect(base64Parts(`api/v1/x_${encoded}`).map((view) => view.text)).toContain(hidden);
    const hex = Buffer.from(hidden).toString("hex");
    expect(base64Parts(`0x${hex}`).map((view) => view.text)).toEqual([hidden]);
    expect(base64Parts(hex.replace(/..(?=.)/g, "$& ")).map((view) => view.text)).toContain(hidden);
    expect(base64Parts(Buffer.from(hidden, "utf16le").toString("base64")).map((view) => view.text)).toEqual([
      hidden,
    ]);
  });

  it("takes neither words nor binary data", () => {
    expect(base64Parts("supercalifragilisticexpialidocious/and/a/path/of/words")).toEqual([]);
    expect(
      base64Parts(Buffer.from(Array.from({ length: 90 }, (_, i) => (i * 37) % 256)).toString("base64")),
    ).toEqual([]);
  });
});
