import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assemble as assembly, protocolOf, type StreamShape, shapeOf } from "./assemble.ts";
import type { Protocol } from "./assembler.ts";
import { sseEvents } from "./sse.ts";

const assemble = (protocol: Protocol, shape: StreamShape, text: string) =>
  assembly(protocol, shape, text).assembled;

const sse = (...items: unknown[]) =>
  items.map((item) => `data: ${typeof item === "string" ? item : JSON.stringify(item)}\n\n`).join("");
const named = (...items: { type: string }[]) =>
  items.map((item) => `event: ${item.type}\ndata: ${JSON.stringify(item)}\n\n`).join("");

describe("openai-completions", () => {
  const head = { id: "c1", model: "m1" };
  const stream = sse(
    { ...head, choices: [{ index: 0, delta: { role: "assistant", content: "" } }] },
    { ...head, choices: [{ index: 0, delta: { reasoning_content: "think" } }] },
    { ...head, choices: [{ index: 0, delta: { content: "你" } }] },
    { ...head, choices: [{ index: 0, delta: { content: "好" } }] },
    {
      ...head,
      choices: [
        {
          index: 0,
          delta: { tool_calls: [{ index: 0, id: "t1", function: { name: "read", arguments: '{"p' } }] },
        },
      ],
    },
    {
      ...head,
      choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: 'ath":1}' } }] } }],
    },
    { ...head, choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] },
    {
      ...head,
      choices: [],
      usage: {
        prompt_tokens: 10,
        completion_tokens: 5,
        total_tokens: 15,
        prompt_tokens_details: { cached_tokens: 4 },
      },
    },
    "[DONE]",
  );

  it("assembles text, thinking, tool calls and usage", () => {
    expect(assemble("openai-completions", "sse", stream)).toEqual({
      protocol: "openai-completions",
      terminal: true,
      finished: true,
      message: {
        text: "你好",
        thinking: "think",
        toolCalls: [{ id: "t1", name: "read", arguments: { path: 1 } }],
      },
      usage: { input: 6, output: 5, cacheRead: 4, cacheWrite: 0, total: 15 },
      finishReason: "tool_calls",
      responseId: "c1",
      model: "m1",
    });
  });

  it("keeps what came of a cut stream", () => {
    const cut = assemble("openai-completions", "sse", stream.slice(0, stream.indexOf("好")));
    expect(cut).toMatchObject({ terminal: false, finished: false, message: { text: "你" } });
  });

  it("reads unstreamed answers and errors inside a stream", () => {
    const body = JSON.stringify({
      id: "c",
      choices: [{ index: 0, message: { content: "hi" }, finish_reason: "stop" }],
    });
    expect(
      assemble(
        "openai-completions",
        shapeOf("application/json", () => body),
        body,
      ),
    ).toMatchObject({
      finished: true,
      message: { text: "hi" },
    });
    expect(assemble("openai-completions", "sse", sse({ error: { message: "overloaded" } }))?.error).toBe(
      "overloaded",
    );
  });
});

describe("openai-responses", () => {
  it("assembles a streamed response (output is never undefined)", () => {
    const stream = named(
      { type: "response.created", response: { id: "r1", status: "in_progress", output: [] } } as never,
      { type: "response.output_item.added", output_index: 0, item: { type: "reasoning" } } as never,
      { type: "response.reasoning_summary_text.delta", output_index: 0, delta: "hm" } as never,
      { type: "response.output_text.delta", output_index: 1, delta: "an" } as never,
      { type: "response.output_text.delta", output_index: 1, delta: "swer" } as never,
      {
        type: "response.output_item.added",
        output_index: 2,
        item: { type: "function_call", call_id: "f1", name: "exec" },
      } as never,
      { type: "response.function_call_arguments.delta", output_index: 2, delta: '{"c":' } as never,
      { type: "response.function_call_arguments.delta", output_index: 2, delta: '"ls"}' } as never,
      {
        type: "response.completed",
        response: {
          id: "r1",
          model: "m",
          status: "completed",
          output: [],
          usage: {
            input_tokens: 9,
            input_tokens_details: { cached_tokens: 2 },
            output_tokens: 3,
            output_tokens_details: { reasoning_tokens: 1 },
            total_tokens: 12,
          },
        },
      } as never,
    );
    expect(assemble("openai-responses", "sse", stream)).toEqual({
      protocol: "openai-responses",
      terminal: true,
      finished: true,
      message: {
        text: "answer",
        thinking: "hm",
        toolCalls: [{ id: "f1", name: "exec", arguments: { c: "ls" } }],
      },
      usage: { input: 7, output: 3, cacheRead: 2, cacheWrite: 0, reasoning: 1, total: 12 },
      finishReason: "completed",
      responseId: "r1",
      model: "m",
    });
  });

  it("takes the output of the final event as the whole", () => {
    const output = [
      { type: "message", content: [{ type: "output_text", text: "full" }] },
      { type: "function_call", call_id: "f", name: "n", arguments: "{}" },
    ];
    const stream = named({
      type: "response.completed",
      response: { id: "r", status: "completed", output },
    } as never);
    expect(assemble("openai-responses", "sse", stream)?.message).toEqual({
      text: "full",
      thinking: "",
      toolCalls: [{ id: "f", name: "n", arguments: {} }],
    });
    expect(
      assemble("openai-responses", "document", JSON.stringify({ id: "r", status: "completed", output }))
        ?.message.text,
    ).toBe("full");
  });
});

describe("anthropic-messages", () => {
  it("assembles blocks and cumulative usage", () => {
    const stream = named(
      {
        type: "message_start",
        message: {
          id: "m1",
          model: "c",
          usage: {
            input_tokens: 10,
            cache_read_input_tokens: 100,
            cache_creation_input_tokens: 7,
            output_tokens: 1,
          },
        },
      } as never,
      { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "" } } as never,
      { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "hm" } } as never,
      { type: "content_block_start", index: 1, content_block: { type: "text", text: "" } } as never,
      { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "hi" } } as never,
      {
        type: "content_block_start",
        index: 2,
        content_block: { type: "tool_use", id: "t", name: "read", input: {} },
      } as never,
      {
        type: "content_block_delta",
        index: 2,
        delta: { type: "input_json_delta", partial_json: '{"a":1}' },
      } as never,
      { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 12 } } as never,
      { type: "message_stop" },
    );
    expect(assemble("anthropic-messages", "sse", stream)).toMatchObject({
      terminal: true,
      message: { text: "hi", thinking: "hm", toolCalls: [{ id: "t", name: "read", arguments: { a: 1 } }] },
      usage: { input: 10, output: 12, cacheRead: 100, cacheWrite: 7, total: 129 },
      finishReason: "tool_use",
    });
  });
});

describe("google and ollama", () => {
  const chunks = [
    {
      candidates: [{ content: { parts: [{ thought: true, text: "t" }, { text: "a" }] } }],
      modelVersion: "g",
    },
    {
      candidates: [
        {
          content: { parts: [{ text: "b" }, { functionCall: { name: "f", args: { x: 1 } } }] },
          finishReason: "STOP",
        },
      ],
      usageMetadata: {
        promptTokenCount: 8,
        cachedContentTokenCount: 3,
        candidatesTokenCount: 2,
        thoughtsTokenCount: 4,
        totalTokenCount: 14,
      },
    },
  ];
  it.each([
    ["sse", sse(...chunks)],
    ["document", JSON.stringify(chunks)],
  ] as const)("google as %s", (shape, text) => {
    expect(assemble("google-generative-ai", shape, text)).toMatchObject({
      finished: true,
      message: { text: "ab", thinking: "t", toolCalls: [{ name: "f", arguments: { x: 1 } }] },
      usage: { input: 5, output: 6, cacheRead: 3, reasoning: 4, total: 14 },
    });
  });

  it("ollama as NDJSON", () => {
    const lines = [
      { model: "q", message: { content: "a", thinking: "t" }, done: false },
      {
        model: "q",
        message: { content: "b", tool_calls: [{ function: { name: "f", arguments: { x: 1 } } }] },
        done: false,
      },
      {
        model: "q",
        message: { content: "" },
        done: true,
        done_reason: "stop",
        prompt_eval_count: 3,
        eval_count: 2,
      },
    ];
    const text = `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`;
    expect(
      assemble(
        "ollama",
        shapeOf("application/x-ndjson", () => text),
        text,
      ),
    ).toMatchObject({
      terminal: true,
      message: { text: "ab", thinking: "t", toolCalls: [{ name: "f", arguments: { x: 1 } }] },
      usage: { input: 3, output: 2, total: 5 },
    });
  });
});

describe("runs of like events", () => {
  const chunk = (content: string, more = "") =>
    `data: {"id":"c1","choices":[{"index":0,"delta":{"content":${JSON.stringify(content)}},"finish_reason":null}]${more}}\n\n`;

  it("give the same answer and the same bytes as event by event", () => {
    const piece = fc.oneof(
      fc.constantFrom("a", "word ", "你好", '"', "\\", "\n", "}]}\n\ndata: ", "c1", ""),
      fc.string({ unit: "grapheme", maxLength: 6 }),
    );
    const event = fc.tuple(piece, fc.constantFrom("", "", "", "", ',"x":1'));
    fc.assert(
      fc.property(
        fc.array(event, { maxLength: 40 }),
        fc.constantFrom("", ": ping\n\n"),
        (events, comment) => {
          const text =
            comment + events.map(([content, more]) => chunk(content, more)).join("") + sse("[DONE]");
          const { assembled, escaped } = assembly("openai-completions", "sse", text);
          expect(assembled?.message.text).toBe(events.map(([content]) => content).join(""));
          expect(assembled?.terminal).toBe(true);
          if (escaped !== undefined)
            expect(JSON.parse(`"${escaped.between("", "").toString("utf8")}"`)).toBe(text);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("are used for a long stream, and what differs is still shown to the inspector", () => {
    const seen: unknown[] = [];
    const text = Array.from({ length: 5000 }, (_, i) =>
      chunk(`w${i} `, i === 2500 ? ',"secret":"s"' : ""),
    ).join("");
    const { assembled, escaped } = assembly("openai-completions", "sse", text, {
      json: (value) => seen.push(value),
      text: () => undefined,
      unsure: () => expect.unreachable(),
    });
    expect(assembled?.message.text).toBe(Array.from({ length: 5000 }, (_, i) => `w${i} `).join(""));
    expect(escaped).toBeDefined();
    expect(seen.length).toBeLessThan(100);
    expect(JSON.stringify(seen)).toContain('"secret":"s"');
  });
});

describe("sse", () => {
  it("reads any line ends, comments and multi-line data alike", () => {
    const lf = "\uFEFF: comment\nevent: a\ndata: 1\ndata:2\n\ndata: 3\n\n";
    const want = [
      { name: "a", data: "1\n2" },
      { name: undefined, data: "3" },
    ];
    for (const text of [lf, lf.replaceAll("\n", "\r\n"), lf.replaceAll("\n", "\r")])
      expect([...sseEvents(text)]).toEqual(want);
  });

  it("gives back any data that was sent", () => {
    fc.assert(
      fc.property(fc.array(fc.string().filter((s) => !/[\r\n]/.test(s))), (items) => {
        const text = items.map((data) => `data: ${data}\n\n`).join("");
        expect([...sseEvents(text)].map((event) => event.data)).toEqual(items);
      }),
    );
  });
});

it("knows protocols by path first", () => {
  expect(protocolOf("/v1/chat/completions", "anthropic-messages")).toBe("openai-completions");
  expect(protocolOf("/v1beta/models/g:streamGenerateContent?alt=sse", undefined)).toBe(
    "google-generative-ai",
  );
  expect(protocolOf("/v1/embeddings", "openai-completions")).toBe("embedding");
  expect(protocolOf("/custom", "ollama")).toBe("ollama");
  expect(protocolOf("/custom", undefined)).toBeUndefined();
});
