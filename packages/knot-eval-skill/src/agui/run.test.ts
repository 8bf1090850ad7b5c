import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutBytes } from "../testing/splits.ts";
import { STREAMS } from "../testing/streams.ts";
import { type RunOutcome, RunReader, readRun } from "./run.ts";

function readInPieces(pieces: readonly Uint8Array[], answerMessages: "last" | "all" = "last"): RunOutcome {
  const reader = new RunReader({ answerMessages });
  for (const piece of pieces) reader.push(piece);
  return reader.finish();
}

describe("streams in the wild", () => {
  it.each(STREAMS.map((s) => [s.name, s] as const))("%s", (_, stream) => {
    const outcome = readRun(stream.bytes);
    expect(outcome.answer).toBe(stream.answer);
    expect(outcome.status).toBe(stream.status);
    expect(outcome.truncated).toBe(stream.truncated ?? false);
    if (stream.error) expect(outcome.error).toMatch(stream.error);
    if (stream.status === "ok") expect(outcome.error).toBeUndefined();
  });
});

describe("any split of the bytes gives the same outcome", () => {
  it.each(STREAMS.map((s) => [s.name, s] as const))("%s: byte by byte", (_, { bytes }) => {
    expect(readInPieces(Array.from(bytes, (b) => Uint8Array.of(b)))).toEqual(readRun(bytes));
  });

  it("random splits (property)", () => {
    fc.assert(
      fc.property(fc.constantFrom(...STREAMS), fc.array(fc.nat(2_000), { maxLength: 40 }), (stream, cuts) => {
        expect(readInPieces(cutBytes(stream.bytes, cuts))).toEqual(readRun(stream.bytes));
      }),
      { numRuns: 2_000 },
    );
  });

  it("random texts in random dialects (property)", () => {
    const dialects = [
      (p: string) => `data: ${p}\n\n`,
      (p: string) => `data:${p}\n`,
      (p: string) => `data: ${p}\r\n\r\n`,
      (p: string) => `data: ${p}\r`,
      (p: string) => `event: x\ndata: ${p}\n: note\n\n`,
    ];
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "grapheme", minLength: 1 }), { minLength: 1, maxLength: 8 }),
        fc.constantFrom(...dialects),
        fc.array(fc.nat(3_000), { maxLength: 30 }),
        (deltas, dialect, cuts) => {
          const events = [
            ...deltas.map((delta) => ({ type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta })),
            { type: "RUN_FINISHED" },
          ];
          const bytes = new TextEncoder().encode(events.map((e) => dialect(JSON.stringify(e))).join(""));
          const outcome = readInPieces(cutBytes(bytes, cuts), "all");
          // A text that itself starts with a think block is read as thinking; the generator does not make one.
          expect(outcome.status).toBe("ok");
          expect(outcome.answer).toBe(deltas.join("").trim());
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe("what a run keeps", () => {
  const stream = (...events: unknown[]) =>
    new TextEncoder().encode(events.map((e) => `data: ${JSON.stringify(e)}\n\n`).join(""));

  it("sums token usage over STEP_FINISHED", () => {
    const outcome = readRun(
      stream(
        { type: "STEP_FINISHED", rawEvent: { token_usage: { prompt_tokens: 10, completion_tokens: 2 } } },
        { type: "STEP_FINISHED", usage: { input_tokens: 5, output_tokens: 3, total_tokens: 9 } },
        { type: "STEP_FINISHED", stepName: "no usage" },
        { type: "RUN_FINISHED" },
      ),
    );
    expect(outcome.usage).toEqual({ input: 15, output: 5, total: 21 });
  });

  it("takes usage of RUN_FINISHED only when no step had any", () => {
    const usage = { prompt_tokens: 4, completion_tokens: 1 };
    expect(readRun(stream({ type: "RUN_FINISHED", usage })).usage).toEqual({ input: 4, output: 1, total: 5 });
    expect(readRun(stream({ type: "STEP_FINISHED", usage }, { type: "RUN_FINISHED", usage })).usage).toEqual({
      input: 4,
      output: 1,
      total: 5,
    });
  });

  it("keeps tool calls with arguments and results as evidence", () => {
    const outcome = readRun(
      stream(
        { type: "TOOL_CALL_START", toolCallId: "c1", toolCallName: "knowledgebase_search" },
        { type: "TOOL_CALL_ARGS", toolCallId: "c1", delta: '{"query":' },
        { type: "TOOL_CALL_ARGS", toolCallId: "c1", delta: '"年假"}' },
        {
          type: "TOOL_CALL_RESULT",
          toolCallId: "c1",
          content: '[{"chunk_title":"休假","chunk_content":"5天"}]',
        },
        { type: "RUN_FINISHED" },
      ),
    );
    expect(outcome.toolCalls).toEqual([
      {
        id: "c1",
        name: "knowledgebase_search",
        args: '{"query":"年假"}',
        result: '[{"chunk_title":"休假","chunk_content":"5天"}]',
      },
    ]);
  });

  it("joins all messages when asked to", () => {
    const bytes = stream(
      { type: "TEXT_MESSAGE_CONTENT", messageId: "a", delta: "一" },
      { type: "TEXT_MESSAGE_CONTENT", messageId: "b", delta: "二" },
      { type: "TEXT_MESSAGE_CONTENT", messageId: "a", delta: "1" },
      { type: "RUN_FINISHED" },
    );
    expect(readRun(bytes, { answerMessages: "all" }).answer).toBe("一1\n\n二");
    expect(readRun(bytes).answer).toBe("二");
  });

  it("gives up on a reply without line ends instead of filling the memory", () => {
    const reader = new RunReader({ answerMessages: "last" });
    const block = new Uint8Array(4 * 1024 * 1024).fill(97);
    expect(() => {
      for (let i = 0; i < 20; i++) reader.push(block);
    }).toThrow(RangeError);
  });
});
