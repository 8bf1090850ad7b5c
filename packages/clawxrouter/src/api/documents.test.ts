import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changesBetween } from "./changes.ts";
import { diffLines } from "./diff-lines.ts";
import { hideKeys, KEPT, restoreKeys } from "./secrets.ts";

const AWS = `AK${"IA"}${"Q3EGZ7PLM2NVX4TY"}`;

describe("line difference", () => {
  it("gives both texts back, and no line twice that is common", () => {
    const text = fc.array(fc.constantFrom("a", "b", "c", "", "d e"), { maxLength: 12 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = diffLines(before.join("\n"), after.join("\n"));
        const side = (without: string) =>
          lines
            .filter((line) => line.op !== without)
            .map((line) => line.text)
            .join("\n");
        expect(side("+")).toBe(before.join("\n"));
        expect(side("-")).toBe(after.join("\n"));
      }),
    );
    expect(diffLines("a\nb\nc", "a\nc").filter((line) => line.op !== " ")).toEqual([{ op: "-", text: "b" }]);
  });

  it("does not take long for long texts", () => {
    const long = (n: number) => Array.from({ length: 2_000 }, (_, i) => `${(i * n) % 97}`).join("\n");
    const started = performance.now();
    diffLines(long(3), long(5));
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});

describe("changes of a document", () => {
  it("names what differs and nothing else", () => {
    expect(
      changesBetween(
        { a: { b: 1, c: [1, 2] }, "x/y": true, gone: 1 },
        { a: { b: 2, c: [1, 2] }, "x/y": false, fresh: {} },
      ),
    ).toEqual([
      { path: "/a/b", before: "1", after: "2" },
      { path: "/x~1y", before: "true", after: "false" },
      { path: "/gone", before: "1", after: null },
      { path: "/fresh", before: null, after: "{}" },
    ]);
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(changesBetween(value, structuredClone(value))).toEqual([]);
      }),
    );
  });
});

describe("keys in a document on its way to a browser", () => {
  it("are taken out by name and by form, and put back at the same place", () => {
    const document = {
      privacy: {
        localModel: { endpoint: "http://user:pass@127.0.0.1:1", apiKeyEnv: "OLLAMA_KEY" },
        routers: { mine: { options: { apiKey: "whatever", list: ["plain", AWS], port: 1 } } },
        rules: { keywords: { S3: ["master_password"] }, patterns: { S3: ["AKIA[0-9A-Z]{16}"] } },
      },
    };
    const hidden = hideKeys(document);
    const text = JSON.stringify(hidden);
    for (const secret of ["pass@", "whatever", AWS]) expect(text).not.toContain(secret);
    for (const kept of ["OLLAMA_KEY", "plain", "master_password", "AKIA[0-9A-Z]{16}"])
      expect(text).toContain(kept);
    expect(restoreKeys(hidden, document)).toEqual(document);
  });

  it("do not move to another's place when a list gets shorter", () => {
    const key = (name: string) => `sk-${name.repeat(12)}AAAA1111BBBB2222`;
    const document = { options: { list: [{ token: key("one") }, { token: key("two") }] } };
    const shown = hideKeys(document) as { options: { list: unknown[] } };
    expect(restoreKeys(shown, document)).toEqual(document);
    const shorter = { options: { list: shown.options.list.slice(1) } };
    expect(restoreKeys(shorter, document)).toEqual({ options: { list: [{ token: KEPT }] } });
  });

  it("come back whatever the document, and what is new stays as it is", () => {
    const value = fc.jsonValue({ maxDepth: 4 });
    fc.assert(
      fc.property(value, (document) => {
        expect(restoreKeys(hideKeys(document), document)).toEqual(document);
      }),
    );
    expect(restoreKeys({ a: KEPT, b: 1 }, { a: "old", b: 2 })).toEqual({ a: "old", b: 1 });
  });
});
