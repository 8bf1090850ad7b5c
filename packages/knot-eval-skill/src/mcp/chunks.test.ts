import { describe, expect, it } from "vitest";
import { parseChunks } from "./chunks.ts";

const chunk = { chunk_title: "休假", chunk_content: "5天", doc_id: "d1", chunk_index: 2 };
const parsed = { title: "休假", content: "5天", docId: "d1", index: 2, url: undefined };

describe("parseChunks", () => {
  it.each([
    ["a list", [chunk]],
    ["JSON text of a list", JSON.stringify([chunk])],
    ["an object around it", { data: { list: [chunk] } }],
    ["MCP content blocks", [{ type: "text", text: JSON.stringify({ chunks: [chunk] }) }]],
    ["text before the JSON", `检索结果：${JSON.stringify([chunk])}`],
    ["JSON in JSON", JSON.stringify({ result: JSON.stringify([chunk]) })],
    ["labelled text", "chunk_title: 休假\nchunk_content: 5天\ndoc_id: d1\nchunk_index: 2\n"],
    ["index as text", [{ ...chunk, chunk_index: "2" }]],
    ["the same chunk twice", [chunk, { ...chunk }]],
  ])("%s", (_, value) => {
    expect(parseChunks(value)).toEqual([parsed]);
  });

  it.each([
    ["nothing", undefined],
    ["plain text", "没有结果"],
    ["an empty list", []],
    ["broken JSON", '{"chunks": ['],
  ])("%s gives no chunk", (_, value) => {
    expect(parseChunks(value)).toEqual([]);
  });

  it("ends on values that nest without end", () => {
    const loop: Record<string, unknown> = {};
    loop.self = loop;
    expect(parseChunks(loop)).toEqual([]);
  });
});
