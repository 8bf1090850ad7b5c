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
          expect(from).toHaveLength(1);
          expect(fold(from).text).toBe(view.text[i]);
        }
        expect(view.originalStart(0)).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

describe("escapedParts", () => {
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

  it("takes neither words nor binary data", () => {
    expect(base64Parts("supercalifragilisticexpialidocious/and/a/path/of/words")).toEqual([]);
    expect(
      base64Parts(Buffer.from(Array.from({ length: 90 }, (_, i) => (i * 37) % 256)).toString("base64")),
    ).toEqual([]);
  });
});
