import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LineSplitter } from "./ndjson.ts";
import { type SseBlock, SseSplitter, sseBlock, withData } from "./sse.ts";

function split(text: string, cuts: readonly number[]): SseBlock[] {
  const splitter = new SseSplitter();
  const points = [0, ...cuts, text.length];
  const blocks = points.slice(1).flatMap((end, index) => splitter.push(text.slice(points[index], end)));
  const last = splitter.end();
  return last ? [...blocks, last] : blocks;
}

const STREAMS = [
  'data: {"a":1}\n\ndata: [DONE]\n\n',
  ": keep-alive\r\n\r\nevent: x\r\ndata: one\r\ndata: two\r\nid: 7\r\n\r\n",
  "data:no space\r\rdata: cr only\r\r",
  "\uFEFFdata: bom\n\n\n\n\ndata: after blank lines\n\n",
  "event: cut\ndata: without end",
];

describe("SseSplitter", () => {
  it("reads fields", () => {
    expect(split(STREAMS[1] ?? "", []).map(({ event, data }) => ({ event, data }))).toEqual([
      { event: undefined, data: undefined },
      { event: "x", data: "one\ntwo" },
    ]);
    expect(split(STREAMS[2] ?? "", []).map(({ data }) => data)).toEqual(["no space", "cr only"]);
    expect(split(STREAMS[3] ?? "", []).map(({ data }) => data)).toEqual(["bom", "after blank lines"]);
    expect(split(STREAMS[4] ?? "", [])).toMatchObject([{ event: "cut", data: "without end" }]);
  });

  it("gives the same blocks for any cut and loses no byte", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...STREAMS),
        fc.uniqueArray(fc.nat(80), { maxLength: 10 }),
        (stream, points) => {
          const cuts = points.filter((point) => point <= stream.length).toSorted((a, b) => a - b);
          const blocks = split(stream, cuts);
          // The LF of a CRLF cut in two may come behind the last block.
          const told = blocks.filter(({ raw }) => raw !== "\n").map(({ event, data }) => ({ event, data }));
          expect(told).toEqual(split(stream, []).map(({ event, data }) => ({ event, data })));
          expect(blocks.map(({ raw }) => raw).join("")).toBe(stream);
        },
      ),
    );
  });

  it("keeps further fields when the data changes", () => {
    const [block] = split("id: 7\nevent: x\ndata: old\nretry: 10\n\n", []);
    if (!block) throw new Error("no block");
    expect(split(withData(block, "new"), [])).toMatchObject([{ event: "x", data: "new" }]);
    expect(withData(block, "new")).toContain("id: 7\n");
    expect(withData(block, "new")).toContain("retry: 10\n");
    expect(withData(block, "new")).not.toContain("old");
  });

  it("writes what it reads", () => {
    expect(split(sseBlock("a\nb", "e"), [])).toMatchObject([{ event: "e", data: "a\nb" }]);
  });
});

it("LineSplitter gives the same lines for any cut", () => {
  const text = '{"a":1}\r\n\n{"b":2}\n{"c":3}';
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(text.length), { maxLength: 6 }), (points) => {
      const splitter = new LineSplitter();
      const all = [0, ...points.toSorted((a, b) => a - b), text.length];
      const lines = all.slice(1).flatMap((end, index) => splitter.push(text.slice(all[index], end)));
      const last = splitter.end();
      expect([...lines, ...(last === undefined ? [] : [last])]).toEqual(['{"a":1}', '{"b":2}', '{"c":3}']);
    }),
  );
});
