import fc from "fast-check";
import { expect, it } from "vitest";
import { BodyText } from "./body-text.ts";
import { findElements } from "./elements.ts";

const content = fc.string({ unit: "grapheme", maxLength: 40 });

it("finds, cuts and tells apart messages in bytes as in text", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(content, { minLength: 2, maxLength: 8 }), fc.nat(7), async (contents, cut) => {
      const json = JSON.stringify({
        model: "模型",
        messages: contents.map((text) => ({ role: "user", content: text })),
      });
      const [asText, asBytes] = [new BodyText(json), new BodyText(Buffer.from(json))];
      const [inText, inBytes] = [findElements(asText.structure), findElements(asBytes.structure)];
      expect(inBytes?.spans).toHaveLength(contents.length);
      expect(inBytes?.spans.map(([start, end]) => asBytes.digest(start, end))).toEqual(
        inText?.spans.map(([start, end]) => asText.digest(start, end)),
      );
      const without = (text: BodyText, list: typeof inText): Promise<string> =>
        text.without(list?.spans[0]?.[0] ?? 0, list?.spans[Math.min(cut, contents.length - 1)]?.[0] ?? 0);
      expect(await without(asBytes, inBytes)).toBe(await without(asText, inText));
      expect(await asBytes.whole()).toBe(json);
    }),
    { numRuns: 200 },
  );
});

it("reads what is no UTF-8 as everybody does, the quote behind it a quote", async () => {
  const bytes = Buffer.concat([Buffer.from('{"messages":["a'), Buffer.from([0xc3]), Buffer.from('","b"]}')]);
  const text = new BodyText(bytes);
  const spans = findElements(text.structure)?.spans;
  expect(spans).toHaveLength(2);
  expect(await text.without(0, spans?.[1]?.[0] ?? 0)).toBe('"b"]}');
  expect(JSON.parse(await text.whole())).toEqual({ messages: ["a\ufffd", "b"] });
});
