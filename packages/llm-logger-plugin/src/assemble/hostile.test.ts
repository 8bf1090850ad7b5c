/** Streams as odd servers send them. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assemble, shapeOf } from "./assemble.ts";
import { nestedDeeperThan } from "./depth.ts";
import { sseEvents } from "./sse.ts";

const sse = (...events: object[]) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
const say = (delta: object, rest: object = {}) => ({ choices: [{ index: 0, delta, ...rest }] });
const tool = (part: object) => say({ tool_calls: [part] });

describe("the shape of a stream", () => {
  it("is seen without a content type, behind a byte order mark and comments", () => {
    const stream = 'data: {"a":1}\n\n';
    for (const before of [
      "",
      "\ufeff",
      ": keep-alive\n\n",
      ": a\r\n: b\r\n\r\n",
      "event: x\n",
      "\ufeff: hi\n",
    ]) {
      expect(
        shapeOf(undefined, () => before + stream),
        JSON.stringify(before),
      ).toBe("sse");
      const bytes = Buffer.from(before + stream).toString("latin1");
      expect(shapeOf("application/octet-stream", () => bytes)).toBe("sse");
    }
    expect(shapeOf(undefined, () => ": OPENROUTER PROCESSING\n\n".repeat(500) + stream)).toBe("sse");
    expect(shapeOf(undefined, () => '{"a":1}\n{"a":2}')).toBe("ndjson");
    for (const document of ['{"a":1}', '{"a":1}\n', '{\n"a":1}', "[1]\n[2]", "", "no\ndata: x"])
      expect(
        shapeOf(undefined, () => document),
        document,
      ).toBe("document");
  });

  it("is what stands there, not what the content type says", () => {
    const error = assemble("openai-completions", "sse", '{"error":{"message":"no such model"}}').assembled;
    expect(error?.error).toBe("no such model");
    const lines = '{"message":{"content":"a"}}\n{"message":{"content":"b"},"done":true,"eval_count":2}';
    expect(assemble("ollama", "sse", lines).assembled?.message.text).toBe("ab");
  });

  it("with any mix of line ends, comments, empty data and field order gives the same events", () => {
    const line = fc.constantFrom(
      "data: x",
      "data:y",
      "data",
      ": c",
      "event: e",
      "id: 1",
      "retry: 5",
      "junk",
      "data:  z",
    );
    const end = fc.constantFrom("\n", "\r", "\r\n");
    const events = fc.array(fc.tuple(fc.array(line, { minLength: 1, maxLength: 4 }), end), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(events, (list) => {
        const text = list.map(([lines, eol]) => lines.map((one) => one + eol).join("") + eol).join("");
        const wanted = list
          .map(([lines]) =>
            lines
              .filter((one) => one === "data" || one.startsWith("data:"))
              .map((one) => one.slice(5).replace(/^ /, ""))
              .join("\n"),
          )
          .filter((_, i) => list[i]?.[0].some((one) => one === "data" || one.startsWith("data:")));
        expect(sseEvents(text).map(({ data }) => data)).toEqual(wanted);
      }),
    );
  });

  it("CR alone ends lines, in linear time", () => {
    const time = (count: number) => {
      const text = `data: ${JSON.stringify(say({ content: "abc" }))}\r\r`.repeat(count);
      const before = process.cpuUsage();
      expect(assemble("openai-completions", "sse", text).assembled?.message.text.length).toBe(3 * count);
      return process.cpuUsage(before).user;
    };
    time(2_000);
    const small = time(5_000);
    expect(time(40_000)).toBeLessThan(Math.max(40 * small, 1_000_000));
  });

  it("a stream that was escaped by its runs is escaped exactly", () => {
    const piece = fc.oneof(
      fc.string({ maxLength: 6 }),
      fc.constantFrom("a", '"', "\\", "é", "两", "", "\u2028", "data: ", "\n\n", "\ud83d", "\ude00"),
    );
    fc.assert(
      fc.property(fc.array(piece, { minLength: 10, maxLength: 60 }), fc.boolean(), (pieces, anthropic) => {
        const body = anthropic
          ? pieces
              .map(
                (text) =>
                  `event: content_block_delta\n${sse({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } })}`,
              )
              .join("")
          : `${pieces.map((content) => sse(say({ content }, { finish_reason: null }))).join("")}data: [DONE]\n\n`;
        const bytes = Buffer.from(body);
        const { assembled, escaped } = assemble(
          anthropic ? "anthropic-messages" : "openai-completions",
          "sse",
          bytes,
        );
        expect(assembled?.message.text).toBe(pieces.join(""));
        if (escaped !== undefined) expect(JSON.parse(escaped.between('"', '"').toString("utf8"))).toBe(body);
      }),
      { numRuns: 300 },
    );
  });

  it("a stream of many windows is read and escaped exactly, however its lines end and whatever breaks its runs", () => {
    const long = "long ".repeat(40_000);
    const odd = ["\n", '"', "é", "两", "", long, "data: x\n\n"];
    fc.assert(
      fc.property(
        fc.array(fc.record({ at: fc.nat(1_500), piece: fc.constantFrom(...odd), crlf: fc.boolean() }), {
          maxLength: 12,
        }),
        fc.boolean(),
        fc.boolean(),
        (breaks, bom, ascii) => {
          const pieces = Array.from({ length: 1_500 }, (_, i) => (ascii ? `第${i}` : `w${i} `));
          for (const { at, piece } of breaks) pieces[at] = piece;
          const crlf = new Set(breaks.filter((one) => one.crlf).map(({ at }) => at));
          const events = pieces.map((content, i) => {
            const utf8 = sse(say({ content }, { finish_reason: null }));
            const event = ascii
              ? utf8.replace(
                  /[^\0-\x7e]/g,
                  (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
                )
              : utf8;
            return crlf.has(i) ? event.replaceAll("\n", "\r\n") : event;
          });
          const body = `${bom ? "\ufeff" : ""}${events.join("")}data: [DONE]\n\n`;
          const { assembled, escaped } = assemble("openai-completions", "sse", Buffer.from(body));
          expect(assembled?.message.text).toBe(pieces.join(""));
          expect(assembled?.terminal).toBe(true);
          expect(JSON.parse(escaped?.between('"', '"').toString("utf8") ?? "")).toBe(body);
          escaped?.release();
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe("tool calls", () => {
  it("of one index but several ids are several calls", () => {
    for (const index of [{ index: 0 }, {}]) {
      const stream = sse(
        tool({ ...index, id: "a", function: { name: "f", arguments: '{"x":' } }),
        tool({ ...index, function: { arguments: "1}" } }),
        tool({ ...index, id: "b", function: { name: "g", arguments: '{"y":' } }),
        tool({ ...index, id: "b", function: { arguments: "2}" } }),
      );
      expect(assemble("openai-completions", "sse", stream).assembled?.message.toolCalls).toEqual([
        { id: "a", name: "f", arguments: { x: 1 } },
        { id: "b", name: "g", arguments: { y: 2 } },
      ]);
    }
  });

  it("a hundred thousand pieces of two interleaved calls, in seconds", { timeout: 60_000 }, () => {
    const stream =
      sse(
        tool({ index: 0, id: "a", function: { name: "f", arguments: '"' } }),
        tool({ index: 1, id: "b", function: { name: "__proto__", arguments: '"' } }),
      ) +
      sse(
        tool({ index: 0, function: { arguments: "x" } }),
        tool({ index: 1, function: { arguments: "y" } }),
      ).repeat(50_000) +
      sse(tool({ index: 0, function: { arguments: '"' } }), tool({ index: 1, function: { arguments: '"' } }));
    const before = process.cpuUsage();
    const calls = assemble("openai-completions", "sse", stream).assembled?.message.toolCalls;
    expect(process.cpuUsage(before).user).toBeLessThan(10_000_000);
    expect(calls).toEqual([
      { id: "a", name: "f", arguments: "x".repeat(50_000) },
      { id: "b", name: "__proto__", arguments: "y".repeat(50_000) },
    ]);
  });

  it("anthropic: thinking, redacted thinking, citations, the provider's own tools", () => {
    const start = (index: number, content_block: object) => ({
      type: "content_block_start",
      index,
      content_block,
    });
    const delta = (index: number, part: object) => ({ type: "content_block_delta", index, delta: part });
    const stream = sse(
      {
        type: "message_start",
        message: {
          id: "m",
          model: "c",
          usage: { input_tokens: 10, cache_read_input_tokens: 3, output_tokens: 1 },
        },
      },
      start(0, { type: "thinking", thinking: "", signature: "" }),
      delta(0, { type: "thinking_delta", thinking: "hm" }),
      delta(0, { type: "signature_delta", signature: "sig" }),
      start(1, { type: "redacted_thinking", data: "opaque" }),
      start(2, { type: "server_tool_use", id: "s", name: "web_search", input: {} }),
      delta(2, { type: "input_json_delta", partial_json: '{"query":' }),
      start(3, { type: "mcp_tool_use", id: "t", name: "find", input: {} }),
      delta(2, { type: "input_json_delta", partial_json: '"q"}' }),
      delta(3, { type: "input_json_delta", partial_json: '{"a":1}' }),
      start(4, { type: "web_search_tool_result", tool_use_id: "s", content: [] }),
      start(5, { type: "text", text: "" }),
      delta(5, { type: "citations_delta", citation: { cited_text: "c" } }),
      delta(5, { type: "text_delta", text: "found" }),
      {
        type: "message_delta",
        delta: { stop_reason: "end_turn" },
        usage: { input_tokens: null, output_tokens: 7 },
      },
      { type: "message_stop" },
    );
    expect(assemble("anthropic-messages", "sse", stream).assembled).toMatchObject({
      terminal: true,
      usage: { input: 10, output: 7, cacheRead: 3, total: 20 },
      message: {
        text: "found",
        thinking: "hm",
        toolCalls: [
          { id: "s", name: "web_search", arguments: { query: "q" } },
          { id: "t", name: "find", arguments: { a: 1 } },
        ],
      },
    });
  });
});

describe("ends", () => {
  const responses = (...events: object[]) => assemble("openai-responses", "sse", sse(...events)).assembled;

  it("responses: incomplete is an answer, failed is an error even without words", () => {
    const incomplete = {
      id: "r",
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
      usage: { input_tokens: 3, output_tokens: 4 },
    };
    expect(
      responses(
        { type: "response.output_text.delta", delta: "half" },
        { type: "response.incomplete", response: incomplete },
      ),
    ).toMatchObject({
      terminal: true,
      finishReason: "max_output_tokens",
      message: { text: "half" },
      usage: { total: 7 },
    });
    for (const error of [null, {}, undefined])
      expect(
        responses({ type: "response.failed", response: { id: "r", status: "failed", error } })?.error,
      ).toBeTruthy();
  });

  it("responses: a final event that leaves parts out does not take back what was streamed", () => {
    const answer = responses(
      { type: "response.reasoning_summary_text.delta", output_index: 0, delta: "because" },
      { type: "response.output_text.delta", output_index: 1, delta: "yes" },
      {
        type: "response.completed",
        response: {
          id: "r",
          status: "completed",
          output: [{ type: "message", content: [{ type: "output_text", text: "yes" }] }],
        },
      },
    );
    expect(answer?.message).toEqual({ text: "yes", thinking: "because", toolCalls: [] });
  });

  it("without usage there is none, with error null there is no error", () => {
    for (const [protocol, event] of [
      [
        "google-generative-ai",
        { candidates: [{ content: { parts: [{ text: "a" }] }, finishReason: "STOP" }], error: null },
      ],
      ["ollama", { message: { content: "a" }, error: null }],
      ["openai-completions", say({ content: "a" })],
    ] as const) {
      const { assembled } = assemble(protocol, "sse", sse(event));
      expect(assembled?.message.text).toBe("a");
      expect(assembled?.usage).toBeUndefined();
      expect(assembled?.error).toBeUndefined();
    }
  });
});

it("depth is counted outside of strings", () => {
  expect(nestedDeeperThan(`{"a":"${"[{".repeat(500)}","b":["\\"[[["]}`, 5)).toBe(false);
  expect(nestedDeeperThan("[".repeat(6), 5)).toBe(true);
});
