import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { escapeForPrompt, stripInvisible } from "./escape.ts";

describe("escapeForPrompt", () => {
  it("makes the five XML specials entities", () => {
    expect(escapeForPrompt(`<a href="x">'&'</a>`)).toBe(
      "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;",
    );
  });
  it("drops what only a machine sees, keeps what scripts need", () => {
    expect(escapeForPrompt("a\u200bb\u202ec\u{E0041}d\u0000")).toBe("abcd");
    expect(escapeForPrompt("👨\u200d👩\u200d👧 می\u200cخواهم\n\t")).toBe(
      "👨\u200d👩\u200d👧 می\u200cخواهم\n\t",
    );
  });
  it("leaves no way to open or close a tag, and is undone by reading entities", () => {
    const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const escaped = escapeForPrompt(text);
        expect(escaped).not.toMatch(/[<>"']/);
        const back = escaped.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? "");
        expect(back).toBe(stripInvisible(text));
      }),
    );
  });
});
