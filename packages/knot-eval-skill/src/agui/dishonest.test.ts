import { describe, expect, it } from "vitest";
import { readRun } from "./run.ts";

/** Streams that say something else than they seem to. */

const read = (text: string) => readRun(new TextEncoder().encode(text));
const stream = (...events: unknown[]) => read(events.map((e) => `data: ${JSON.stringify(e)}\n\n`).join(""));
const done = "data: [DONE]\n\n";

describe("errors in a friendly dress", () => {
  it.each([
    [
      "a code as text, then [DONE]",
      `data: {"code":"190004","msg":"no permission"}\n\n${done}`,
      /no permission \(code 190004\)/,
    ],
    ["success: false", `data: {"success":false,"message":"quota"}\n\n${done}`, /quota/],
    ["another name for the code", `data: {"ret":-1,"errmsg":"busy"}\n\n${done}`, /busy \(code -1\)/],
    ["event: error with prose", `event: error\ndata: quota exceeded\n\n${done}`, /quota exceeded/],
    ["event: error with JSON", `event: error\ndata: {"message":"quota"}\n\n${done}`, /quota/],
    ["[DONE] and nothing else", done, /without RUN_FINISHED/],
    ["comments and [DONE]", `: ping\n\n${done}`, /without RUN_FINISHED/],
  ])("%s", (_, text, reason) => {
    const outcome = read(text);
    expect(outcome.status).toBe("error");
    expect(outcome.error).toMatch(reason);
  });

  it("a code of success is none", () => {
    expect(
      read(`data: {"code":0,"msg":"ok"}\n\ndata: {"type":"TEXT_MESSAGE_CONTENT","delta":"好"}\n\n${done}`),
    ).toMatchObject({ status: "ok", answer: "好" });
  });

  it("an error message is one short line", () => {
    const { error } = stream({ type: "RUN_ERROR", message: `a\n\n[ok] all is well\n${"x".repeat(5_000)}` });
    expect(error).toMatch(/^a \[ok\] all is well x+…$/);
    expect(error?.length).toBeLessThan(320);
  });
});

describe("AG-UI 1.0", () => {
  const answer = { type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta: "好" };

  it.each([
    [{ type: "interrupt", interrupts: [{ id: "i", reason: "approval" }] }, /interrupt/],
    [{ type: "cancelled" }, /cancelled/],
  ])("a run that ends with %j has no answer", (outcome, reason) => {
    const result = stream(answer, { type: "RUN_FINISHED", outcome });
    expect(result.status).toBe("error");
    expect(result.error).toMatch(reason);
  });

  it("a run that ends with success has one", () => {
    expect(stream(answer, { type: "RUN_FINISHED", outcome: { type: "success" } }).status).toBe("ok");
  });

  it("a subagent's words are not the answer", () => {
    const outcome = stream(
      answer,
      { type: "SUBAGENT_STARTED", subagentRunId: "s", name: "helper" },
      { type: "TEXT_MESSAGE_START", messageId: "s1", role: "assistant", subagentRunId: "s" },
      { type: "TEXT_MESSAGE_CONTENT", messageId: "s1", delta: "草稿", subagentRunId: "s" },
      { type: "SUBAGENT_FINISHED", subagentRunId: "s" },
      { type: "RUN_FINISHED" },
    );
    expect(outcome.answer).toBe("好");
  });

  it("sums usage over providers and models", () => {
    const usage = [
      { provider: "a", model: "x", inputTokens: 10, outputTokens: 2, totalTokens: 12 },
      { provider: "b", model: "y", inputTokens: 5, outputTokens: 1 },
    ];
    expect(stream(answer, { type: "RUN_FINISHED", usage }).usage).toEqual({
      input: 15,
      output: 3,
      total: 18,
    });
  });
});

describe("streams made to be slow", () => {
  it.each([
    ["an event of very many data lines", `data: {\n${'data: "}\n'.repeat(100_000)}`],
    [
      "very many messages",
      Array.from(
        { length: 30_000 },
        (_, i) => `data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"m${i}","delta":"x"}\n\n`,
      ).join(""),
    ],
  ])("%s", (_, text) => {
    const started = performance.now();
    read(text);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
