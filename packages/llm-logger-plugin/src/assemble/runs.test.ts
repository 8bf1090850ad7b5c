/** Streams read by runs and windows, against the same streams read event by event. */
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { assemble, createAssembler } from "./assemble.ts";
import type { Assembled, Protocol } from "./assembler.ts";
import { object } from "./json.ts";
import { sseEvents } from "./sse.ts";

vi.setConfig({ testTimeout: 60_000 });

/** The plain way: every event parsed, none skipped. */
function eventByEvent(protocol: Protocol, stream: string): Assembled {
  const assembler = createAssembler(protocol);
  for (const { name, data } of sseEvents(stream)) {
    let json: unknown;
    try {
      json = JSON.parse(data);
    } catch {
      json = undefined;
    }
    const event = object(json);
    if (event) assembler.event(event, name);
    else assembler.mark(data.trim());
  }
  return assembler.result();
}

function expectSame(protocol: Protocol, stream: string): void {
  const bytes = Buffer.from(stream);
  const { assembled, escaped } = assemble(protocol, "sse", bytes);
  if (assembled) expect(assembled).toEqual(eventByEvent(protocol, stream));
  if (!escaped) return;
  const line = escaped.between('"', '"').toString("utf8");
  escaped.release();
  expect(line).toBe(JSON.stringify(stream));
}

const piece = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: "grapheme-ascii", maxLength: 8 }) },
  { weight: 3, arbitrary: fc.string({ unit: "grapheme", maxLength: 6 }).map((text) => text.toWellFormed()) },
  fc.constantFrom(
    "",
    "\n\n",
    "\\",
    '"',
    '\\"',
    '"}}]}\n\ndata: {',
    "\u2028",
    "\ud83d\ude00",
    "你",
    "\u0000",
    "/",
    "\x7f",
  ),
  // Longer than a window's rest, so that windows end at any place of an event.
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 40_000 }).map((n) => "é".repeat(n)) },
);

const chat = (delta: object, rest: object = {}, choice: object = {}): object => ({
  id: "c1",
  model: "m1",
  choices: [{ index: 0, delta, ...choice }],
  ...rest,
});

const chatEvent = fc.oneof(
  { weight: 12, arbitrary: piece.map((content) => chat({ content })) },
  piece.map((content) => chat({ role: "assistant", content })),
  piece.map((content) =>
    chat({ content }, { usage: { prompt_tokens: 3, completion_tokens: content.length } }),
  ),
  piece.map((content) => chat({ content }, {}, { index: 1 })),
  piece.map((content) => chat({ content }, {}, { finish_reason: "stop" })),
  piece.map((text) => chat({ reasoning_content: text })),
  piece.map((args) =>
    chat({ tool_calls: [{ index: 0, id: "t", function: { name: "f", arguments: args } }] }),
  ),
  fc.constant({ error: { message: "broken" } }),
  fc.constant({ choices: [], usage: { prompt_tokens: 9, completion_tokens: 8 } }),
);

const block = (index: number, delta: object): object => ({ type: "content_block_delta", index, delta });
const anthropicEvent = fc.oneof(
  { weight: 12, arbitrary: piece.map((text) => block(0, { type: "text_delta", text })) },
  piece.map((text) => block(1, { type: "text_delta", text })),
  piece.map((thinking) => block(0, { type: "thinking_delta", thinking })),
  piece.map((json) => block(2, { type: "input_json_delta", partial_json: json })),
  fc.constant({ type: "ping" }),
  fc.constant({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 4 } }),
  fc.constant({ type: "error", error: { type: "overloaded_error", message: "busy" } }),
);

const ascii = (json: string): string =>
  json.replace(/[\x7f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

const dress = fc.record({
  end: fc.constantFrom("\n", "\n", "\n", "\r\n", "\r"),
  escaped: fc.boolean(),
  named: fc.boolean(),
  space: fc.constantFrom("", " ", " "),
  comments: fc.array(fc.nat(30), { maxLength: 3 }),
  bom: fc.boolean(),
  done: fc.boolean(),
  cut: fc.nat(40),
});

function streamOf(events: object[], shape: typeof dress extends fc.Arbitrary<infer T> ? T : never): string {
  const blocks = events.map((event, at) => {
    const type = Reflect.get(event, "type");
    const json = JSON.stringify(event);
    const lines = [
      ...(shape.comments.includes(at) ? [": keep-alive", ""] : []),
      ...(shape.named && typeof type === "string" ? [`event: ${type}`] : []),
      `data:${shape.space}${shape.escaped ? ascii(json) : json}`,
      "",
      "",
    ];
    return lines.join(shape.end);
  });
  const whole = (shape.bom ? "\ufeff" : "") + blocks.join("") + (shape.done ? "data: [DONE]\n\n" : "");
  return whole.slice(0, shape.cut > 20 ? whole.length : Math.max(0, whole.length - shape.cut)).toWellFormed();
}

const RUNS = Number(process.env.CLAWX_RUNS ?? 150);

describe("a stream read by runs and windows", () => {
  it.each([
    ["openai-completions", chatEvent],
    ["anthropic-messages", anthropicEvent],
  ] as const)("says what it says event by event: %s", (protocol, event) => {
    // The same event several times makes runs.
    const many = fc
      .array(fc.tuple(event, fc.integer({ min: 1, max: 5 })), { minLength: 5, maxLength: 40 })
      .map((list) => list.flatMap(([one, times]) => Array<object>(times).fill(one)));
    fc.assert(
      fc.property(many, dress, (events, shape) => expectSame(protocol, streamOf(events, shape))),
      { numRuns: RUNS },
    );
  });

  it("skips no event of another kind that stands before a run", () => {
    const words = (n: number) => Array.from({ length: n }, (_, i) => chat({ content: `word${i} ` }));
    const call = chat({ tool_calls: [{ index: 0, id: "t", function: { name: "f", arguments: "{}" } }] });
    const events = [...words(1), call, ...words(40), chat({ reasoning_content: "hm" }), ...words(40)];
    const stream = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
    expectSame("openai-completions", stream);
    expect(assemble("openai-completions", "sse", stream).assembled?.message).toMatchObject({
      thinking: "hm",
      toolCalls: [{ id: "t", name: "f" }],
    });
  });

  it("windows end anywhere around a 64 kB border", () => {
    const event = (content: string) => `data: ${JSON.stringify(chat({ content }))}\n\n`;
    const tail = `${[...'aé你😀"\\\n\u0000b'].map(event).join("")}data: [DONE]\n\n`;
    const base = 65_536 - event("").length;
    for (let pad = base - tail.length - 5; pad <= base + 5; pad += 1)
      expectSame("openai-completions", event("x".repeat(pad)) + tail);
  });
});
